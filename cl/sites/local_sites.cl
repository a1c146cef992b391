/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of one site, for devices whose work-groups are too small for the other kernels.
 * Consolidation makes all unions.
 *
 * One work-item: a site. Work-group: GROUP_TILES. Local memory: none. Global traffic, bytes a site:
 * labels written once (4). */
#include "core/bonds.clh"
#include "core/labels.clh"
#include "core/systems.clh"

kernel __attribute__((reqd_work_group_size(GROUP_TILES, 1, 1))) void
local_sites(lattice_args lattice, global const bond_store *bonds, global label *labels)
{
    const ulong i = get_global_id(0);
    labels += REPLICA(lattice_sites(lattice));
    if (i < lattice_sites(lattice))
        labels[i] = i;
}
