/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what local_runs_image.cl does, in volumes: finds the clusters of tiles of an image from its
 * bonds, by runs (volume_tile.clh).
 *
 * One work-group: a tile; a work-item: a row, then several times four sites of a row. Local memory:
 * two bytes a site, some words a row. Global traffic, bytes a site: bits of pixels and bonds read,
 * 2 written for names, 1/8 a row of keys; for each cluster at a face 8. */
#if BLOCK > 1
#define PLACES
#endif
#include "image/blocks.clh"
#include "core/bonds.clh"
#include "border/volume_tile.clh"

kernel __attribute__((reqd_work_group_size(BORDER_ROWS, 1, 1))) void
local_runs_image_volume(lattice_args lattice, global const u32 *foreground,
                        global const bond_store *bonds, global border_name *names,
                        global border_edge *edges, global border_node *nodes, global u32 *roots)
{
    local ushort parent[BORDER_SITES] __attribute__((aligned(4)));
    local u32 words[VOLUME_WORDS], presents[BORDER_ROWS];
    volume_tile tile = volume_tile_at(lattice, parent, words);
    const border_box box = tile.box;
    const u32 r = tile.r, row = border_row(lattice, box, r);
    global border_edge *edge = edges + tile.number;
    u32 row_bonds[DIRECTIONS] = {0};
#ifdef PLACES
    local u32 completes[BORDER_ROWS][KEY_ROWS];
    u32 pixels[KEY_ROWS];
    for (u32 part = 0; part < KEY_ROWS; part++)
        pixels[part] = completes[r][part] = 0;
#endif
    tile.present = 0;
    if (tile.inside) {
        u32 planes[PLANES];
        spins_load(lattice, foreground, box.w, row, planes);
        for (u32 p = 0; p < PLANES; p++) {
            tile.present |= planes[p];
#ifdef PLACES
            pixels[p / 2] |= planes[p];
#endif
        }
        /* all bonds are loaded together. They may be of periodic axes, while the lattice is not */
#pragma unroll
        for (u32 d = 0; d < DIRECTIONS; d++)
            row_bonds[d] = bonds_load(lattice, bonds, d, box.w, row) &
                           (row_at(lattice, offsets[d], row) == NOWHERE
                                ? 0
                                : step_mask(lattice, offsets[d].x, box.w));
    }
    presents[r] = tile.present;
    put_bonds(tile, row_bonds, edge);
    const run_starts runs = join_runs(tile, row_bonds);
#ifdef PLACES
    find_places(tile, runs.roots, pixels);
#endif
    number_faces(tile);
    name_faces(lattice, tile, nodes);
    const u32 complete = runs.roots & ~tile.faces[r];
    /* their names are their first sites */
    for (u32 bits = complete; bits; bits &= bits - 1) {
        const u32 x = lowest(bits), root = place_in_row(r, x);
#ifdef PLACES
        const block_place at = place_at(parent_read(parent, root));
        atomic_or(&completes[at.r][at.part], 1u << at.x);
        parent_write(parent, root, 32 * at.r + at.x);
#else
        parent_write(parent, root, 32 * r + x);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    name_runs(tile, runs, edge);
    if (tile.inside)
#ifdef PLACES
        for (u32 part = 0; part < KEY_ROWS; part++)
            roots[(ulong)block_key_row(lattice, row, part) * lattice.words + box.w] =
                completes[r][part];
#else
        roots[(ulong)row * lattice.words + box.w] = complete;
#endif
    names += (ulong)tile.number * BORDER_SITES;
    for (u32 k = r; k < BORDER_SITES / 4; k += BORDER_ROWS) {
        const u32 x = 4 * (k % 8), here = presents[k / 8] >> x;
        u32 name[4];
        names_of_four(tile, k / 8, x, name);
#pragma unroll
        for (u32 j = 0; j < 4; j++)
            name[j] = here >> j & 1 ? name[j] : ABSENT;
        ((global ushort4 *)names)[k] = convert_ushort4((uint4)(name[0], name[1], name[2], name[3]));
    }
}
