/* SPDX-License-Identifier: BSD-3-Clause */
/* Self-labelling with a column of the tile a work-item, the paper's local_selflabel_block().
 *
 * One work-item: TILE_Y sites, one above the other. One work-group: one tile, TILE_X work-items.
 * Local memory: one label a tile site, 4 bytes, and the vote. Global traffic, bytes a site: bonds
 * each pass (word 1/4, char 2), from the cache; labels written once (4); 4 a tile.
 *
 * In each phase of a pass a site belongs to one work-item: the column's own bonds, those from even
 * columns to the right, those from odd columns. */
#include "paper/selflabel.clh"

kernel __attribute__((reqd_work_group_size(TILE_X, 1, 1))) void
local_selflabel_block(lattice_args lattice, global const bond_store *bonds, global label *labels,
                      global u32 *passes)
{
    local label tile[TILE_SITES];
    local u32 vote[2];
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 x = get_local_id(0);
    for (u32 y = 0; y < TILE_Y; y++)
        tile[y * TILE_X + x] = y * TILE_X + x;
    if (x == 0)
        vote[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 count = 0;
    for (u32 turn = 0, again = 1; again; turn ^= 1, count++) {
        u32 changed = 0;
        for (u32 y = 0; y + 1 < TILE_Y; y++)
            changed |= join(tile, y * TILE_X + x, (y + 1) * TILE_X + x,
                            tile_bond(lattice, bonds, box, 1, x, y));
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x == 0)
            vote[turn ^ 1] = 0; /* all have read it: that was before the barrier */
        for (u32 side = 0; side < 2; side++) {
            for (u32 y = 0; y < TILE_Y && x % 2 == side && x + 1 < TILE_X; y++)
                changed |= join(tile, y * TILE_X + x, y * TILE_X + x + 1,
                                tile_bond(lattice, bonds, box, 0, x, y));
            if (side == 1 && changed)
                vote[turn] = 1;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        again = vote[turn];
    }
    if (x == 0)
        passes[get_group_id(0)] = count;
    for (u32 y = 0; y < box.ny && x < box.nx; y++)
        labels[tile_site(lattice, box, y * TILE_X + x)] = tile_site(lattice, box,
                                                                    tile[y * TILE_X + x]);
}
