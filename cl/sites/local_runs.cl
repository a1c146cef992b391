/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the clusters inside of tiles by runs (runs.clh). The label of a site becomes the smallest
 * site of its cluster in the tile.
 *
 * One work-group: GROUP_TILES tiles of 32 x TILE_Y x TILE_Z sites, 32 work-items each. Word bonds.
 * Local memory: two bytes a site, a word of bonds for each row and two for each row and direction
 * back, and a list of pairs. Global traffic, bytes a site: bonds once, 1/8 a direction; labels
 * written once (4). */
#include "forest/runs.clh"
#include "core/systems.clh"
#include "core/tile.clh"

#define PAIRS RUN_PAIRS_OF(RUN_ROWS, BACKWARDS)

/* Returns the bonds along row r of the tile, without the one that leaves it; none for a row outside
 * of the lattice. */
u32 bonds_along(lattice_args lattice, global const bond_store *bonds, tile_box box, u32 r)
{
    if (!tile_has_row(box, r))
        return 0;
    const u32 row = tile_row(lattice, box, r);
    return bonds_load(lattice, bonds, 0, box.x / 32, row) & ((1u << (box.nx - 1)) - 1);
}

/* Returns the bonds along direction d, not 0, that lead to row r from an earlier row of the tile,
 * by the sites of row r that they lead to. */
u32 bonds_back(lattice_args lattice, global const bond_store *bonds, tile_box box, u32 d, u32 r)
{
    const u32 y = r % TILE_Y - offsets[d].y, z = r / TILE_Y - offsets[d].z;
    if (!tile_has_row(box, r) || y >= box.ny || z >= box.nz)
        return 0;
    const u32 row = tile_row(lattice, box, r - ROWS_BACK(d));
    const u32 along = bonds_load(lattice, bonds, d, box.x / 32, row);
    return moved(along, offsets[d].x) & 0xFFFFFFFFu >> (32 - box.nx);
}

kernel __attribute__((reqd_work_group_size(32 * GROUP_TILES, 1, 1))) void
local_runs(lattice_args lattice, global const bond_store *bonds, global label *labels)
{
    local ushort parents[GROUP_TILES][RUN_SITES] __attribute__((aligned(4)));
    local u32 words[GROUP_TILES][RUN_WORDS + PAIRS], pair_counts[GROUP_TILES], again[2];
    const u32 x = get_local_id(0) % 32, sub = get_local_id(0) / 32;
    run_tile tile = run_tile_at(x, parents[sub], words[sub], PAIRS, &pair_counts[sub], again);
    const u32 number = get_group_id(0) * GROUP_TILES + sub;
    tile_box box = tile_at(lattice, number < tile_count(lattice) ? number : 0);
    if (number >= tile_count(lattice))
        box.ny = 0;
    bonds += REPLICA(bonds_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    for (u32 r = x; r < RUN_ROWS; r += 32)
        tile.across[r] = bonds_along(lattice, bonds, box, r);
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 roots[(RUN_ROWS - 1) / 32 + 1];
    for (u32 r = x; r < RUN_ROWS; r += 32) {
        u32 back[DIRECTIONS];
#pragma unroll
        for (u32 d = 1; d < DIRECTIONS; d++)
            back[d] = bonds_back(lattice, bonds, box, d, r);
        roots[r / 32] = sort_bonds(tile, r, back);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    find_trees(tile);
    u32 pair[PAIRS_EACH], root[PAIRS_EACH];
    /* a group has one tile or two */
    for (u32 first = 0;
         first < max(min(pair_counts[0], PAIRS), min(pair_counts[GROUP_TILES - 1], PAIRS));
         first += BATCH)
        join_pairs(tile, first, pair, root);
    join_rest(tile);
    /* make the root of the cluster the parent of the root of each tree */
    for (u32 r = x; r < RUN_ROWS; r += 32)
        for (u32 bits = roots[r / 32]; bits; bits &= bits - 1) {
            u32 tree = 32 * r + lowest(bits), last = last_root(tile.parent, tree);
            if (last != tree)
                parent_write(tile.parent, tree, last);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 r = 0; r < RUN_ROWS; r++)
        if (x < box.nx && tile_has_row(box, r))
            labels[tile_row(lattice, box, r) * lattice.nx + box.x + x] = tile_site(
                lattice, box, tile.parent[tile.parent[32 * r + x]]);
}
