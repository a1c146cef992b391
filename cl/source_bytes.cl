/* What source_image.cl does for pixels of one byte, four at a time, in rows of a multiple of four:
 * bonds with MATCH_EQUAL, and the foreground where that says all and sites are pixels.
 *
 * One work-item: a word. Work-group: WORD_ITEMS. Word bonds. Global traffic, bytes a pixel: pixels
 * read, and written 1/8 for the foreground and each direction. */
#include "blocks.clh"
#include "bonds.clh"
#include "pixels.clh"
#include "steps.clh"

#define QUADS 8u /* of a word */

/* Four bits: bit k is set if byte k of both words is the same. */
u32 same_bytes(u32 a, u32 b)
{
    const u32 differ = a ^ b, not_zero = ((differ & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | differ;
    return (~not_zero >> 7 & 0x01010101u) * 0x10204080u >> 28;
}

/* Which of four pixels are of the foreground: bit k is that of byte k. */
u32 present_bytes(u32 quad, image_args image)
{
#if defined MATCH_THRESHOLD
    u32 above = 0;
#pragma unroll
    for (u32 k = 0; k < 4; k++)
        above |= (u32)is_above((PIXEL)(quad >> 8 * k), VALUE(image.level)) << k;
    return above;
#elif defined MATCH_NONZERO
    return same_bytes(quad, 0) ^ 0xF;
#else
    const u32 background = ((u32)image.background[0] & 0xFF) * 0x01010101u;
    return image.has_background ? same_bytes(quad, background) ^ 0xF : 0xF;
#endif
}

/* Loads the 32 pixels of word w of a row, four to a word; 0 past the end of the row. */
void load_bytes(lattice_args lattice, global const u32 *pixels, u32 w, u32 row, u32 quads[QUADS])
{
    global const u32 *from = pixels + (ulong)row * (lattice.nx / 4) + QUADS * w;
    if (lattice.nx % 32 == 0) {
        const uint4 some = *(global const uint4 *)from, more = *(global const uint4 *)(from + 4);
        quads[0] = some.s0, quads[1] = some.s1, quads[2] = some.s2, quads[3] = some.s3;
        quads[4] = more.s0, quads[5] = more.s1, quads[6] = more.s2, quads[7] = more.s3;
        return;
    }
#pragma unroll
    for (u32 k = 0; k < QUADS; k++)
        quads[k] = 32 * w + 4 * k < lattice.nx ? from[k] : 0;
}

#ifdef MATCH_EQUAL
/* The word that holds pixel bit; by no index that the compiler does not know, so that quads stay in
 * registers. */
u32 quad_of(const u32 quads[QUADS], u32 bit)
{
    u32 quad = 0;
#pragma unroll
    for (u32 k = 0; k < QUADS; k++)
        quad |= k == bit / 4 ? quads[k] : 0;
    return quad;
}

/* Which of the pixels here, those of word w of a row, equal the pixels at a step from them, in row
 * to_row: a bit for each. */
u32 equal_at(lattice_args lattice, global const u32 *pixels, const u32 here[QUADS],
             lattice_offset step, u32 w, u32 to_row)
{
    u32 there[QUADS], equal = 0;
    load_bytes(lattice, pixels, w, to_row, there);
#pragma unroll
    for (u32 k = 0; k < QUADS; k++) {
        const u32 before = k > 0 ? there[k - 1] : 0, after = k + 1 < QUADS ? there[k + 1] : 0;
        equal |= same_bytes(here[k], step.x > 0   ? there[k] >> 8 | after << 24
                                     : step.x < 0 ? there[k] << 8 | before >> 24
                                                  : there[k])
                 << 4 * k;
    }
    if (step.x != 0) {
        /* the one whose neighbour is in the word beside, or at the other end of the row */
        const u32 x = 32 * w, bit = step.x > 0 ? last_bit(lattice, w) : 0;
        const u32 to_x = step.x > 0 ? (w == lattice.words - 1 ? 0 : x + 32)
                                    : (w == 0 ? lattice.nx : x) - 1;
        const u32 there_end = ((global const u8 *)pixels)[(ulong)lattice.nx * to_row + to_x],
                  own = quad_of(here, bit) >> bit % 4 * 8 & 0xFF;
        equal = (equal & ~(1u << bit)) | (u32)(own == there_end) << bit;
    }
    return equal;
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
    u32 here[QUADS], present = 0;
    load_bytes(lattice, pixels, w, row, here);
#pragma unroll
    for (u32 k = 0; k < QUADS; k++)
        present |= present_bytes(here[k], image) << 4 * k;
    present &= word_mask(lattice, w);
    foreground[word] = present;
#ifdef MATCH_EQUAL
    u32 matching[STEPS];
#pragma unroll
    for (u32 k = 0; k < STEPS; k++) {
        const lattice_offset step = step_of(k);
        const u32 to_row = part_of_any(step) ? row_at(lattice, step, row) : NOWHERE;
        matching[k] = to_row == NOWHERE ? 0
                                        : equal_at(lattice, pixels, here, step, w, to_row) &
                                              step_mask(lattice, step.x, w) & present;
    }
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds_store(lattice, bonds, d, w, row, new_bonds(matching, d));
#endif
}
