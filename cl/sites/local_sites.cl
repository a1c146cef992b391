/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes each site a cluster: tiles of one site. Consolidation makes all unions.
 *
 * One work-item: a site. Work-group: SITE_ITEMS. Local memory: none. Global traffic, bytes a site:
 * labels written once (4). */
#include "core/labels.clh"
#include "core/lattice.clh"
#include "core/systems.clh"

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
local_sites(lattice_args lattice, global label *labels)
{
    const ulong i = get_global_id(0);
    labels += REPLICA(lattice_sites(lattice));
    if (i < lattice_sites(lattice))
        labels[i] = i;
}
