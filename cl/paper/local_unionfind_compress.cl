/* SPDX-License-Identifier: BSD-3-Clause */
/* Union-find of a tile with balanced trees and path compression, see unionfind.clh.
 *
 * One work-item: one tile, and that is the work-group. Local memory: parent and size for each site,
 * 8 bytes. Global traffic, bytes a site: bonds once (word 1/4, char 2), labels written once (4). */
#define COMPRESS
#include "paper/unionfind.clh"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
local_unionfind_compress(lattice_args lattice, global const bond_store *bonds, global label *labels)
{
    local u32 parent[TILE_SITES], size[TILE_SITES];
    unionfind_tile(lattice, bonds, labels, parent, size);
}
