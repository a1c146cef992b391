/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts clusters by their sizes, which measure_clusters() has counted in labels (labels.clh).
 * Sites in a state other than 0 belong to no cluster.
 *
 * One work-item: every total-th site. Work-group: MEASURE_ITEMS. Local memory: 16 bytes a work-item
 * and SIZE_CLASSES counters. Global traffic, bytes a site: labels 4, for each cluster a word of
 * spins. Each group writes its record. */
#include "core/labels.clh"
#include "core/size_counts.clh"
#include "core/spins.clh"
#include "core/systems.clh"

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
action_sizes(lattice_args lattice, global const spin_store *spins, global const label *labels,
             global size_record *records)
{
    local u64 all[GATHER_ROOM], sums[SIZE_SUMS];
    local u32 classes[SIZE_CLASSES];
    spins += REPLICA(spins_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    records += REPLICA(get_num_groups(0)) + get_group_id(0);
    cluster_counts mine = {0};
    begin_classes(classes);
    for (ulong i = get_global_id(0); i < lattice_sites(lattice); i += get_global_size(0)) {
        const u32 site = i, up = labels[i];
#ifdef SUBDOMAIN
        /* a root at an interface, see interface_samples.cl */
        if (up >= lattice_sites(lattice))
            continue;
#endif
        if (up < site || spin_at(lattice, spins, site % lattice.nx, site / lattice.nx) != 0)
            continue;
        count_size(&mine, classes, (u64)(up - site) + 1);
    }
    write_record(mine, classes, all, sums, records);
}
