/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what source_image.cl does for pixels of one channel, not doubles, where sites are pixels: it
 * compares sixteen at once. If the foreground alone decides which pixels are connected, no bonds
 * are written.
 *
 * One work-item: a word. Work-group: WORD_ITEMS. Word bonds. Global traffic, bytes a pixel: pixels
 * read, and written 1/8 for the foreground and each direction. */
#include "image/batch.clh"
#include "core/bonds.clh"
#include "image/image.clh"
#include "image/steps.clh"

#define PASTED(a, b) a##b
#define SIXTEEN(type) PASTED(type, 16)
typedef SIXTEEN(PIXEL) sixteen;
/* Makes the value of a pixel from its bits, and sixteen such values. */
#ifdef PIXEL_FLOAT
#define ALL(bits) ((sixteen)as_float((u32)(bits)))
#else
#define ALL(bits) ((sixteen)(PIXEL)(bits))
#endif
/* Returns 16 bits: bit k is set if comparison k is true, which is -1. Compilers make a loop over
 * bytes of the product, and do not find the instruction that processors have for it. */
#define BITS(comparison) bits_of(convert_char16(comparison))
#if defined __has_builtin
#if __has_builtin(__builtin_ia32_pmovmskb128)
#define PROCESSOR_BITS
#endif
#endif
INLINE u32 bits_of(char16 all)
{
#ifdef PROCESSOR_BITS
    return (u32)__builtin_ia32_pmovmskb128((char __attribute__((vector_size(16))))all);
#else
    const ulong2 bits = (as_ulong2(all) & 0x0101010101010101ul) * 0x0102040810204080ul >> 56;
    return bits.s0 | bits.s1 << 8;
#endif
}

/* Loads 16 pixels of count in all, from number at on; those that do not exist are 0. */
INLINE sixteen load(global const PIXEL *pixels, long count, long at)
{
    PIXEL some[16];
    if (at >= 0 && at + 16 <= count)
        return vload16(0, pixels + at);
    for (u32 j = 0; j < 16; j++)
        some[j] = at + j >= 0 && at + j < count ? pixels[at + j] : 0;
    return vload16(0, some);
}

/* Returns which of 16 pixels are in the foreground: a bit for each. */
INLINE u32 present_bits(sixteen pixels, image_args image)
{
#if defined MATCH_THRESHOLD
    return BITS(pixels > ALL(image.level));
#elif defined MATCH_NONZERO
    return BITS(pixels != ALL(0));
#else
    u32 equal = BITS(pixels == ALL(image.background[0]));
#ifdef PIXEL_FLOAT
    /* a NaN equals nothing, but is background if the background is a NaN */
    if ((image.background[0] & 0x7FFFFFFFu) > 0x7F800000u)
        equal = BITS(pixels != pixels);
#endif
    return image.has_background ? ~equal & 0xFFFF : 0xFFFF;
#endif
}

#if defined MATCH_EQUAL || defined MATCH_TOLERANCE
/* Returns which of 16 pixels match those in b: a bit for each. */
INLINE u32 match_bits(sixteen a, sixteen b, image_args image)
{
#ifdef MATCH_EQUAL
    return BITS(a == b);
#elif defined PIXEL_FLOAT
    return present_bits(a, image) & (BITS(a == b) | BITS(fabs(a - b) <= ALL(image.level)));
#elif defined PIXEL_LONG
    return present_bits(a, image) & BITS(abs_diff(a, b) <= (ulong16)image.level);
#else
    return present_bits(a, image) &
           BITS(convert_uint16(abs_diff(a, b)) <= (uint16)(u32)image.level);
#endif
}

/* Sets the bits of matching for steps from word w of a row that go around x. */
void match_around(lattice_args lattice, image_args image, global const PIXEL *pixels, u32 w,
                  u32 row, u32 present, u32 matching[STEPS])
{
#pragma unroll
    for (u32 k = 0; k < STEPS; k++) {
        const lattice_offset step = step_of(k);
        const u32 x = leaving_end(lattice.nx, step.x), to_x = leaving_end(lattice.nx, -step.x);
        if (step.x == 0 || !part_of_any(step) || x / 32 != w)
            continue;
        const u32 to_row = image_row_at(lattice, step, row);
        if (to_row == NOWHERE)
            continue;
        const sixteen here = (sixteen)pixels[(ulong)row * lattice.nx + x],
                      there = (sixteen)pixels[(ulong)to_row * lattice.nx + to_x];
        matching[k] |= (match_bits(there, here, image) & 1) << x % 32 & present;
    }
}
#endif

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_bits(lattice_args lattice, image_args image, global const PIXEL *pixels,
            global u32 *foreground, global bond_store *bonds)
{
    const ulong word = get_global_id(0);
    const long count = lattice_sites(lattice);
    if (word >= lattice_words(lattice))
        return;
    const u32 row = word / lattice.words, w = word - (ulong)row * lattice.words;
    const long first = (long)row * lattice.nx + 32 * w;
    const sixteen low = load(pixels, count, first), high = load(pixels, count, first + 16);
    const u32 present = word_mask(lattice, w) &
                        (present_bits(low, image) | present_bits(high, image) << 16);
    foreground[word] = present;
#if defined MATCH_EQUAL || defined MATCH_TOLERANCE
    lattice_args open = lattice;
    u32 matching[STEPS];
    open.periodic &= ~1u;
#pragma unroll
    for (u32 k = 0; k < STEPS; k++) {
        const lattice_offset step = step_of(k);
        const u32 to_row = part_of_any(step) ? image_row_at(lattice, step, row) : NOWHERE;
        const long to = (long)to_row * lattice.nx + 32 * w + step.x;
        matching[k] = to_row == NOWHERE
                          ? 0
                          : step_mask(open, step.x, w) & present &
                                (match_bits(load(pixels, count, to), low, image) |
                                 match_bits(load(pixels, count, to + 16), high, image) << 16);
    }
    if (lattice.periodic & 1 && (w == 0 || w == lattice.words - 1))
        match_around(lattice, image, pixels, w, row, present, matching);
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds_store(lattice, bonds, d, w, row, new_bonds(matching, d));
#elif defined MATCH_BONDS
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const bool there = image_row_at(lattice, offsets[d], row) != NOWHERE;
        const sixteen bit = ALL(1 << d);
        bonds_store(lattice, bonds, d, w, row,
                    there ? step_mask(lattice, offsets[d].x, w) &
                                (BITS((low & bit) == bit) | BITS((high & bit) == bit) << 16)
                          : 0);
    }
#endif
}
