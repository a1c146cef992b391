/* SPDX-License-Identifier: BSD-3-Clause */
/* Self-labelling with one site a work-item, the paper's local_selflabel_small().
 *
 * One work-item: one site. One work-group: one tile. Local memory: one label a tile site, 4 bytes,
 * and the vote. Global traffic, bytes a site: bonds once (word 1/4, char 2), labels written once
 * (4); 4 a tile.
 *
 * A pass has four phases, in which the sites of even x, odd x, even y, odd y exchange labels with
 * their neighbour ahead. In each phase a site belongs to one pair at most. */
#include "paper/selflabel.clh"

kernel __attribute__((reqd_work_group_size(TILE_X * TILE_Y, 1, 1))) void
local_selflabel_small(lattice_args lattice, global const bond_store *bonds, global label *labels,
                      global u32 *passes)
{
    local label tile[TILE_SITES];
    local u32 vote[2];
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 s = get_local_id(0), x = s % TILE_X, y = s / TILE_X;
    u32 right = tile_bond(lattice, bonds, box, 0, x, y),
        up = tile_bond(lattice, bonds, box, 1, x, y);
    tile[s] = s;
    if (s == 0)
        vote[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 count = 0;
    for (u32 turn = 0, again = 1; again; turn ^= 1, count++) {
        u32 changed = 0;
        for (u32 phase = 0; phase < 4; phase++) {
            u32 along_y = phase / 2, mine = (along_y ? y : x) % 2 == phase % 2;
            if (mine && (along_y ? up : right))
                changed |= join(tile, s, s + (along_y ? TILE_X : 1), 1);
            if (phase == 3 && changed)
                vote[turn] = 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (phase == 0 && s == 0)
                vote[turn ^ 1] = 0; /* all have read it: that was before the barrier */
        }
        again = vote[turn];
    }
    if (s == 0)
        passes[get_group_id(0)] = count;
    if (x < box.nx && y < box.ny)
        labels[tile_site(lattice, box, s)] = tile_site(lattice, box, tile[s]);
}
