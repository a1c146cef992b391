/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes each vertex a cluster.
 *
 * One work-item: a vertex. Work-group: SITE_ITEMS. Local memory: none. Global traffic, bytes a
 * vertex: labels written once (4). */
#include "core/labels.clh"
#include "core/lattice.clh"
#include "core/systems.clh"

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
local_graph(lattice_args lattice, global const u32 *active, global label *labels)
{
    const ulong i = get_global_id(0);
    labels += REPLICA(lattice_sites(lattice));
    if (i < lattice_sites(lattice))
        labels[i] = i;
}
