/* SPDX-License-Identifier: BSD-3-Clause */
/* Self-labelling of a tile, the paper's local_selflabel(): labels decrease along active bonds until
 * none changes.
 *
 * One work-item: 2 x 2 sites. One work-group: one tile, (TILE_X/2)(TILE_Y/2) work-items. Local
 * memory: one label a tile site, 4 TILE_X TILE_Y bytes, and the vote. Global traffic, bytes a site:
 * bonds once (word 1/4, char 2), labels written once (4); 4 a tile.
 *
 * In each phase of a pass every site belongs to at most one pair, and a pair to one work-item, so
 * that no two work-items access a site between barriers. The phases are the bonds inside the 2 x 2
 * blocks, those that leave blocks in x, and those that leave them in y. */
#include "paper/selflabel.clh"

#define BLOCKS_X (TILE_X / 2)
#define BLOCKS_Y (TILE_Y / 2)

kernel __attribute__((reqd_work_group_size(BLOCKS_X * BLOCKS_Y, 1, 1))) void
local_selflabel(lattice_args lattice, global const bond_store *bonds, global label *labels,
                global u32 *passes)
{
    local label tile[TILE_SITES];
    local u32 vote[2];
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 item = get_local_id(0);
    u32 x = item % BLOCKS_X * 2, y = item / BLOCKS_X * 2, corner = y * TILE_X + x;

    /* bit 2 (dx + 2 dy) + d: the bond of site (x + dx, y + dy) along d is active and stays inside
     * the tile */
    u32 active = 0;
    for (u32 dy = 0; dy < 2; dy++)
        for (u32 dx = 0; dx < 2; dx++) {
            u32 sx = x + dx, sy = y + dy, shift = 2 * (dx + 2 * dy);
            tile[sy * TILE_X + sx] = sy * TILE_X + sx;
            active |= tile_bond(lattice, bonds, box, 0, sx, sy) << shift |
                      tile_bond(lattice, bonds, box, 1, sx, sy) << (shift + 1);
        }
    if (item == 0)
        vote[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    u32 count = 0;
    for (u32 turn = 0, again = 1; again; turn ^= 1, count++) {
        u32 changed = join(tile, corner, corner + 1, active >> 0 & 1);
        changed |= join(tile, corner + TILE_X, corner + TILE_X + 1, active >> 4 & 1);
        changed |= join(tile, corner, corner + TILE_X, active >> 1 & 1);
        changed |= join(tile, corner + 1, corner + TILE_X + 1, active >> 3 & 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0)
            vote[turn ^ 1] = 0; /* all have read it: that was before the barrier */
        if (x + 2 < TILE_X) {
            changed |= join(tile, corner + 1, corner + 2, active >> 2 & 1);
            changed |= join(tile, corner + TILE_X + 1, corner + TILE_X + 2, active >> 6 & 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (y + 2 < TILE_Y) {
            changed |= join(tile, corner + TILE_X, corner + 2 * TILE_X, active >> 5 & 1);
            changed |= join(tile, corner + TILE_X + 1, corner + 2 * TILE_X + 1, active >> 7 & 1);
        }
        if (changed)
            vote[turn] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        again = vote[turn];
    }
    if (item == 0)
        passes[get_group_id(0)] = count;

    for (u32 dy = 0; dy < 2; dy++)
        for (u32 dx = 0; dx < 2; dx++) {
            u32 sx = x + dx, sy = y + dy;
            if (sx < box.nx && sy < box.ny)
                labels[tile_site(lattice, box, sy * TILE_X + sx)] = tile_site(
                    lattice, box, tile[sy * TILE_X + sx]);
        }
}
