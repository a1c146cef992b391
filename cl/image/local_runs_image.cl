/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the clusters of tiles of an image from its bonds, by runs (border_tile.clh), for the border
 * layout on GPUs. The name of a site has two bytes: NAMED | number for a cluster at a border; the
 * root, a site of the tile, for a complete cluster; ABSENT for background. The bits of roots
 * (blocks.clh) are set for the keys of complete clusters.
 *
 * One work-group: GROUP_TILES tiles with 32 work-items each. Local memory: two bytes a site, some
 * words a row and a list. Global traffic, bytes a site: bits of pixels and bonds read, 2 written
 * for names, 1/8 a row of keys; for each cluster at a border 8. */
#if BLOCK > 1
#define EARLY
#endif
#include "image/blocks.clh"
#include "core/bonds.clh"
#include "border/border_tile.clh"

/* Returns the low halves of four bytes, as 16 bits. */
u32 gather_nibbles(u32 bytes)
{
    bytes &= 0x0F0F0F0Fu;
    bytes = (bytes | bytes >> 4) & 0x00FF00FFu;
    return (bytes | bytes >> 8) & 0xFFFF;
}

kernel __attribute__((reqd_work_group_size(LANES * GROUP_TILES, 1, 1))) void
local_runs_image(lattice_args lattice, u32 tiles, global const u32 *foreground,
                 global const bond_store *bonds, global border_name *names,
                 global border_edge *edges, global border_node *nodes, global u32 *roots)
{
    local ushort parents[GROUP_TILES][BORDER_SITES] __attribute__((aligned(8)));
    local u32 words[GROUP_TILES][BOND_WORDS], present_rows[GROUP_TILES][LANES];
    local u32 pair_counts[GROUP_TILES], clusters[GROUP_TILES], sides[GROUP_TILES][DIRECTIONS];
    local u32 again[2];
    const u32 sub = get_local_id(0) / LANES;
    local ushort *parent = parents[sub];
    local u32 *presents = present_rows[sub], *completes = words[sub]; /* used after the bonds */
    border_tile tile = border_tile_at(lattice, tiles, parent, words[sub], &pair_counts[sub], again,
                                      sides[sub], &clusters[sub]);
    const border_box box = tile.box;
    const u32 x = tile.x, y = box.y + x;
    u32 present = 0, early = 0;
    if (x < box.ny) {
        u32 planes[PLANES];
        spins_load(lattice, foreground, box.w, y, planes);
#pragma unroll
        for (u32 p = 0; p < PLANES; p++) {
            present |= planes[p];
            early |= p < BLOCK ? planes[p] : 0;
        }
#pragma unroll
        for (u32 d = 0; d < DIRECTIONS; d++)
            put_bonds(tile, d,
                      row_at(lattice, offsets[d], y) == NOWHERE
                          ? 0 /* the bonds may be of periodic axes, while the lattice is not */
                          : bonds_load(lattice, bonds, d, box.w, y) &
                                step_mask(lattice, offsets[d].x, box.w));
    }
    presents[x] = present;
#ifdef EARLY
    local u32 early_rows[GROUP_TILES][LANES], root_rows[GROUP_TILES][LANES];
    tile.runs.early = early_rows[sub];
    tile.runs.roots = root_rows[sub];
    early_rows[sub][x] = early;
#endif
    joined_trees trees;
    find_clusters(tile, &trees);
    const u32 last = presents[box.ny > 0 ? box.ny - 1 : 0];
    const u32 there = (presents[0] >> x & 1) | (last >> x & 1) << 1 | (present & 1) << 2 |
                      (present >> (box.nx - 1) & 1) << 3;
    name_borders(lattice, tile, ~there, edges, nodes);
    name_trees(tile, &trees);
    barrier(CLK_LOCAL_MEM_FENCE);
    names += (ulong)tile.number * BORDER_SITES;
#pragma unroll 4
    for (u32 k = x; k < BORDER_SITES / 4; k += LANES) {
        ushort4 up4 = ((local const ushort4 *)parent)[k];
        const u32 here = presents[k / 8] >> k % 8 * 4;
        u32 ups[4] = {up4.s0, up4.s1, up4.s2, up4.s3}, complete = 0;
#pragma unroll
        for (u32 j = 0; j < 4; j++) {
            if (!(ups[j] & NAMED))
                ups[j] = parent[ups[j]];
            complete |= (u32)(ups[j] == 4 * k + j) << j;
            if (!(here >> j & 1))
                ups[j] = ABSENT;
        }
        ((local u8 *)completes)[k] = complete & here;
        if (tile.number < tiles)
            *(global ushort4 *)(names +
                                4 * k) = convert_ushort4((uint4)(ups[0], ups[1], ups[2], ups[3]));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < box.ny) {
        const u32 complete = gather_nibbles(completes[2 * x]) | gather_nibbles(completes[2 * x + 1])
                                                                    << 16;
        for (u32 k = 0; k < BLOCK; k++)
            roots[(BLOCK * (ulong)y + k) * lattice.words + box.w] = BLOCK == 1
                                                                        ? complete
                                                                        : complete &
                                                                              (k > 0 ? ~early
                                                                                     : early);
    }
}
