/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search of a tile, the paper's local_BFS(): from each site not visited so far, in
 * raster order, the cluster is grown layer by layer, so that its label is its first site.
 *
 * One work-item: one tile, and that is the work-group. Local memory: a label and a place in the
 * queue for each site, 8 bytes. Global traffic, bytes a site: bonds twice at most (word 1/2, char
 * 4), labels written once (4). */
#include "core/tile.clh"

/* Returns the site of the tile that an active bond connects with site s on a side: 0, 1 ahead in x,
 * y; 2, 3 behind. Returns NOWHERE if there is none. */
u32 tile_neighbour(lattice_args lattice, global const bond_store *bonds, tile_box box, u32 s,
                   u32 side)
{
    u32 d = side % 2, step = d == 0 ? 1 : TILE_X, x = s % TILE_X, y = s / TILE_X;
    if (side < 2)
        return tile_bond(lattice, bonds, box, d, x, y) ? s + step : NOWHERE;
    if ((d == 0 ? x : y) == 0)
        return NOWHERE;
    s -= step;
    return tile_bond(lattice, bonds, box, d, s % TILE_X, s / TILE_X) ? s : NOWHERE;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
local_bfs(lattice_args lattice, global const bond_store *bonds, global label *labels)
{
    local u32 cluster[TILE_SITES], queue[TILE_SITES];
    tile_box box = tile_at(lattice, get_group_id(0));
    for (u32 s = 0; s < TILE_SITES; s++)
        cluster[s] = NOWHERE;
    for (u32 y = 0; y < box.ny; y++)
        for (u32 x = 0; x < box.nx; x++) {
            u32 seed = y * TILE_X + x, last = 0;
            if (cluster[seed] != NOWHERE)
                continue;
            cluster[seed] = seed;
            queue[last++] = seed;
            for (u32 first = 0; first < last; first++) {
                u32 s = queue[first];
                for (u32 side = 0; side < 4; side++) {
                    u32 neighbour = tile_neighbour(lattice, bonds, box, s, side);
                    if (neighbour != NOWHERE && cluster[neighbour] == NOWHERE) {
                        cluster[neighbour] = seed;
                        queue[last++] = neighbour;
                    }
                }
            }
        }
    for (u32 y = 0; y < box.ny; y++)
        for (u32 x = 0; x < box.nx; x++)
            labels[tile_site(lattice, box, y * TILE_X + x)] = tile_site(lattice, box,
                                                                        cluster[y * TILE_X + x]);
}
