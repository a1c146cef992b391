/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what source_image.cl does for pixels of one byte, four at a time, if the length of a row is
 * a multiple of four, and pixels match if they are equal or in the foreground.
 *
 * One work-item: a word. Work-group: WORD_ITEMS. Word bonds. Global traffic, bytes a pixel: pixels
 * read, and written 1/8 for the foreground and each direction. */
#include "image/batch.clh"
#include "image/blocks.clh"
#include "core/bonds.clh"
#include "image/steps.clh"

#define QUADS 8u /* words of 32 pixels */

/* Returns the lowest bits of four bytes, as four bits. */
u32 four_bits(u32 bytes)
{
    return (bytes & 0x01010101u) * 0x10204080u >> 28;
}

/* Loads 32 pixels, word w of a row of nx, four pixels in a quad; pixels past the end of the row are
 * 0. */
void load_bytes(u32 nx, global const u32 *pixels, u32 w, u32 row, u32 quads[QUADS])
{
    global const u32 *from = pixels + (ulong)row * (nx / 4) + QUADS * w;
    if (nx % 32 == 0 && 32 * w < nx) {
        const uint4 some = *(global const uint4 *)from, more = *(global const uint4 *)(from + 4);
        quads[0] = some.s0, quads[1] = some.s1, quads[2] = some.s2, quads[3] = some.s3;
        quads[4] = more.s0, quads[5] = more.s1, quads[6] = more.s2, quads[7] = more.s3;
        return;
    }
#pragma unroll
    for (u32 k = 0; k < QUADS; k++)
        quads[k] = 32 * w + 4 * k < nx ? from[k] : 0;
}

#ifdef BY_FOREGROUND
/* Returns which of the 32 pixels that load_bytes() loads are in the foreground: a bit for each.
 * Signed bytes are shifted, so that they have the order of unsigned ones. */
u32 foreground_bits(image_args image, global const u32 *pixels, u32 w, u32 row)
{
#ifdef MATCH_NONZERO
    const u32 shift = 0, level = 0;
#else
    const u32 shift = (PIXEL)-1 < 0 ? 0x80 : 0, level = ((u32)image.level & 0xFF) ^ shift;
#endif
    u32 quads[QUADS], bits = 0;
    load_bytes(image.nx, pixels, w, row, quads);
#pragma unroll
    for (u32 k = 0; k < QUADS; k++) {
        const u32 quad = quads[k] ^ shift * 0x01010101u,
                  above = (quad & 0x7F7F7F7Fu) + (0x7F - level % 128) * 0x01010101u;
        bits |= four_bits((level < 128 ? above | quad : above & quad) >> 7) << 4 * k;
    }
    return bits;
}

/* Returns the even bits of a word, in its lower half. */
u32 even_bits(u32 bits)
{
    bits &= 0x55555555u;
    bits = (bits | bits >> 1) & 0x33333333u;
    bits = (bits | bits >> 2) & 0x0F0F0F0Fu;
    bits = (bits | bits >> 4) & 0x00FF00FFu;
    return (bits | bits >> 8) & 0xFFFF;
}

/* Writes the foreground of word w of a row. */
void write_word(lattice_args lattice, image_args image, global const u32 *pixels,
                global u32 *foreground, global bond_store *bonds, ulong word, u32 w, u32 row)
{
    const u32 inside = word_mask(lattice, w), z = AXES > 2 ? row / lattice.ny : 0,
              y = row - z * lattice.ny;
    (void)bonds;
#pragma unroll
    for (u32 part = 0; part < KEY_ROWS; part++) {
        /* as in block_pixel() */
        const u32 from = min(DEEP * z + part / BLOCK, image.nz - 1) * image.ny +
                         min(BLOCK * y + part % BLOCK, image.ny - 1);
        const u32 first = foreground_bits(image, pixels, BLOCK * w, from);
#if BLOCK == 1
        foreground[word] = first & inside;
#else
        const u32 second = foreground_bits(image, pixels, 2 * w + 1, from);
#pragma unroll
        for (u32 x = 0; x < 2; x++)
            foreground[(2 * part + x) * lattice_words(lattice) + word] = (even_bits(first >> x) |
                                                                          even_bits(second >> x)
                                                                              << 16) &
                                                                         inside;
#endif
    }
}

#else
/* Returns four bits: bit k is set if byte k of both words is equal. */
u32 same_bytes(u32 a, u32 b)
{
    const u32 differ = a ^ b, not_zero = ((differ & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | differ;
    return four_bits(~not_zero >> 7);
}

/* Returns the word that holds pixel bit. It uses no index that the compiler does not know, so that
 * quads stay in registers. */
u32 quad_of(const u32 quads[QUADS], u32 bit)
{
    u32 quad = 0;
#pragma unroll
    for (u32 k = 0; k < QUADS; k++)
        quad |= k == bit / 4 ? quads[k] : 0;
    return quad;
}

/* Returns which pixels of word w of a row, here, equal the pixels at a step from them, in row
 * to_row: a bit for each. */
u32 equal_at(lattice_args lattice, global const u32 *pixels, const u32 here[QUADS],
             lattice_offset step, u32 w, u32 to_row)
{
    u32 there[QUADS], equal = 0;
    load_bytes(lattice.nx, pixels, w, to_row, there);
#pragma unroll
    for (u32 k = 0; k < QUADS; k++) {
        const u32 before = k > 0 ? there[k - 1] : 0, after = k + 1 < QUADS ? there[k + 1] : 0;
        equal |= same_bytes(here[k], step.x > 0   ? there[k] >> 8 | after << 24
                                     : step.x < 0 ? there[k] << 8 | before >> 24
                                                  : there[k])
                 << 4 * k;
    }
    if (step.x != 0) {
        /* the pixel whose neighbour is in the word beside, or at the other end of the row */
        const u32 x = 32 * w, bit = step.x > 0 ? last_bit(lattice, w) : 0;
        const u32 to_x = step.x > 0 ? (w == lattice.words - 1 ? 0 : x + 32)
                                    : (w == 0 ? lattice.nx : x) - 1;
        const u32 there_end = ((global const u8 *)pixels)[(ulong)lattice.nx * to_row + to_x],
                  own = quad_of(here, bit) >> bit % 4 * 8 & 0xFF;
        equal = (equal & ~(1u << bit)) | (u32)(own == there_end) << bit;
    }
    return equal;
}

/* Writes the foreground and bonds of word w of a row. */
void write_word(lattice_args lattice, image_args image, global const u32 *pixels,
                global u32 *foreground, global bond_store *bonds, ulong word, u32 w, u32 row)
{
    const u32 background = ((u32)image.background[0] & 0xFF) * 0x01010101u;
    u32 here[QUADS], matching[STEPS], present = 0;
    load_bytes(lattice.nx, pixels, w, row, here);
#pragma unroll
    for (u32 k = 0; k < QUADS; k++)
        present |= (image.has_background ? same_bytes(here[k], background) ^ 0xF : 0xF) << 4 * k;
    present &= word_mask(lattice, w);
#pragma unroll
    for (u32 k = 0; k < STEPS; k++) {
        const lattice_offset step = step_of(k);
        const u32 to_row = part_of_any(step) ? image_row_at(lattice, step, row) : NOWHERE;
        matching[k] = to_row == NOWHERE ? 0
                                        : equal_at(lattice, pixels, here, step, w, to_row) &
                                              step_mask(lattice, step.x, w) & present;
    }
    foreground[word] = present;
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds_store(lattice, bonds, d, w, row, new_bonds(matching, d));
}
#endif

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_bytes(lattice_args lattice, image_args image, global const u32 *pixels,
             global u32 *foreground, global bond_store *bonds)
{
    const ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    const u32 row = word / lattice.words, w = word - (ulong)row * lattice.words;
    write_word(lattice, image, pixels, foreground, bonds, word, w, row);
}
