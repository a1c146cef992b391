/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts clusters, whose sizes measure_clusters has counted in labels. In a subdomain it counts the
 * clusters that are at no interface.
 *
 * One work-item: every total-th site. Work-group: MEASURE_ITEMS. Local memory: 36 bytes a
 * work-item. Global traffic, bytes a site: labels 4. Each group writes its CLUSTER_SUMS sums. */
#include "core/gather.clh"
#include "core/labels.clh"
#include "core/lattice.clh"

#define AT_ONCE 4u /* labels that a work-item loads at once */

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_largest(lattice_args lattice, global const label *labels, u32 slot, global u64 *sums)
{
    local u64 all[GATHER_ROOM], gathered[CLUSTER_SUMS];
    cluster_counts mine = {0};
    labels += REPLICA(lattice_sites(lattice));
    const ulong sites = lattice_sites(lattice), apart = get_global_size(0);
    for (ulong first = get_global_id(0); first < sites; first += AT_ONCE * apart) {
        label up[AT_ONCE];
#pragma unroll
        for (u32 j = 0; j < AT_ONCE; j++)
            up[j] = first + j * apart < sites ? labels[first + j * apart] : 0;
#pragma unroll
        for (u32 j = 0; j < AT_ONCE; j++)
#ifdef SUBDOMAIN
            if (up[j] >= first + j * apart && up[j] < sites)
#else
            if (up[j] >= first + j * apart)
#endif
                add_cluster(&mine, up[j] - (first + j * apart) + 1);
    }
    gather_counts(mine, all, gathered);
    write_sums(gathered, slot, sums);
}
