/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which pixels of an image are connected. Writes bonds, between neighbours that match, and
 * foreground, a bit for each pixel that belongs to a cluster; only these pixels have bonds. Two
 * pixels match as follows. MATCH_EQUAL: all channels are equal. MATCH_TOLERANCE: each channel
 * differs by at most the level. MATCH_NONZERO and MATCH_THRESHOLD: both are in the foreground,
 * which is where a channel other than alpha is not 0, or is above the level. With MATCH_EQUAL and
 * MATCH_TOLERANCE, pixels that equal the background are not in the foreground. Diagonal bonds that
 * connect nothing new are left out. MATCH_BONDS: a pixel has a bit for each of its bonds.
 *
 * One work-item: some pixels, see word_sites.clh. Word bonds. Local memory: a byte a pixel for 8
 * planes of bits. Global traffic, bytes a pixel: pixels read, and written 1/8 for the foreground
 * and each direction. */
#include "image/batch.clh"
#include "image/blocks.clh"
#include "core/bonds.clh"
#include "image/pixels.clh"
#include "image/steps.clh"
#include "core/word_sites.clh"

#ifdef BY_FOREGROUND
#define PLANES_OUT PLANES
#else
#define PLANES_OUT (DIRECTIONS + 1)

/* Returns the steps (steps.clh) from pixel x of a row to pixels that match it: a bit for each. The
 * pixel must be in the foreground. */
u32 matching_steps(lattice_args lattice, image_args image, global const PIXEL *pixels, u32 x,
                   u32 row)
{
    global const PIXEL *here = pixels + CHANNELS * ((ulong)row * lattice.nx + x);
    u32 steps = 0;
#pragma unroll
    for (u32 k = 0; k < STEPS; k++)
        if (part_of_any(step_of(k))) {
            const u32 to_row = image_row_at(lattice, step_of(k), row),
                      to_x = stepped(x, step_of(k).x, lattice.nx, lattice.periodic & 1);
            if (to_row != NOWHERE && to_x != NOWHERE) {
                global const PIXEL *there = pixels + CHANNELS * ((ulong)to_row * lattice.nx + to_x);
                if (match(there, here, image))
                    steps |= 1u << k;
            }
        }
    return steps;
}

/* Returns the directions along which a pixel with these matching steps has bonds: a bit for
 * each. */
u32 bonds_of(u32 steps)
{
    u32 matching[STEPS], bonds = 0;
#pragma unroll
    for (u32 k = 0; k < STEPS; k++)
        matching[k] = steps >> k & 1;
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds |= new_bonds(matching, d) << d;
    return bonds;
}

#endif

/* Returns the directions along which site x of a row has a neighbour: a bit for each. */
u32 there_bonds(lattice_args lattice, u32 x, u32 row)
{
    u32 bonds = 0;
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds |= image_row_at(lattice, offsets[d], row) != NOWHERE &&
                         stepped(x, offsets[d].x, lattice.nx, lattice.periodic & 1) != NOWHERE
                     ? 1u << d
                     : 0;
    return bonds;
}

/* Returns the pixels of block x of a row (blocks.clh) that are in the foreground: a bit for
 * each. */
u32 block_foreground(lattice_args lattice, image_args image, global const PIXEL *pixels, u32 x,
                     u32 row)
{
    u32 bits = 0;
#pragma unroll
    for (u32 p = 0; p < BLOCK * BLOCK * DEEP; p++)
        bits |= in_foreground(pixels + CHANNELS * block_pixel(lattice, image, x, row, p), image)
                    ? 1u << p
                    : 0;
    return bits;
}

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
source_image(lattice_args lattice, image_args image, global const PIXEL *pixels,
             global u32 *foreground, global bond_store *bonds)
{
    local u32 gathered[(PLANES_OUT + 7) / 8][SITES_EACH * SITE_ITEMS / 4];
    const word_sites sites = word_sites_at(lattice);
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++) {
        const u32 x = SITE_X(sites, j), row = SITE_ROW(sites, j);
        u32 bits = 0;
        if (x < lattice.nx && row < lattice_rows(lattice)) {
            bits = block_foreground(lattice, image, pixels, x, row);
#if defined MATCH_BONDS
            bits |= ((u32)pixels[(ulong)row * lattice.nx + x] & there_bonds(lattice, x, row)) << 1;
#elif !defined BY_FOREGROUND
            bits |= bits ? bonds_of(matching_steps(lattice, image, pixels, x, row)) << 1 : 0;
#endif
        }
#pragma unroll
        for (u32 part = 0; part < (PLANES_OUT + 7) / 8; part++)
            ((local u8 *)gathered[part])[j * SITE_ITEMS + get_local_id(0)] = bits >> 8 * part;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_COLUMNS(in_group) {
        const u32 w = word_group_column(lattice, in_group), row = word_group_row(lattice, in_group);
        if (word_is_inside(lattice, w, row))
            for (u32 p = get_local_id(0) / 32; p < PLANES_OUT; p += GROUP_ROWS) {
                const u32 word = gather_bit(gathered[p / 8] + 8 * in_group, p % 8);
                if (p < PLANES)
                    foreground[p * lattice_words(lattice) + (ulong)row * lattice.words + w] = word;
                else
                    bonds_store(lattice, bonds, p - PLANES, w, row, word);
            }
    }
}
