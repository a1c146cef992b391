/* What source_image.cl does for pixels of one byte in the plane with open axes, where sites are
 * pixels: MATCH_EQUAL, MATCH_NONZERO, and MATCH_THRESHOLD where they are unsigned. Sixteen are
 * compared at once. Of a foreground that says all there are no bonds.
 *
 * One work-item: a word. Work-group: WORD_ITEMS. Word bonds. Global traffic, bytes a pixel: pixels
 * read, and written 1/8 for the foreground and each direction. */
#include "bonds.clh"
#include "image.clh"
#include "steps.clh"

/* 16 bits: bit k is set if all[k] is true, which is -1. */
u32 bits_of(char16 all)
{
    const ulong2 bits = (as_ulong2(all) & 0x0101010101010101ul) * 0x0102040810204080ul >> 56;
    return bits.s0 | bits.s1 << 8;
}

#ifdef MATCH_EQUAL
/* Compares 32 pixels from number a on with those from b on, of count in all: bit k is set if pair k
 * is equal and in mask. */
u32 equal_bits(global const u8 *pixels, ulong count, ulong a, ulong b, u32 mask)
{
    u32 bits = 0;
    if (max(a, b) + 32 <= count && a < count && b < count)
        return mask & (bits_of(vload16(0, pixels + a) == vload16(0, pixels + b)) |
                       bits_of(vload16(1, pixels + a) == vload16(1, pixels + b)) << 16);
    for (u32 j = 0; j < 32; j++)
        if (mask >> j & 1)
            bits |= (u32)(pixels[a + j] == pixels[b + j]) << j;
    return bits;
}
#endif

/* Which of 16 pixels are of the foreground: a bit for each. */
u32 present_bits(uchar16 pixels, image_args image)
{
#if defined MATCH_THRESHOLD
    return bits_of(pixels > (u8)image.level);
#elif defined MATCH_NONZERO
    return bits_of(pixels != (u8)0);
#else
    return image.has_background ? bits_of(pixels != (u8)image.background[0]) : 0xFFFF;
#endif
}

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_bits(lattice_args lattice, image_args image, global const u8 *pixels, global u32 *foreground,
            global bond_store *bonds)
{
    const ulong word = get_global_id(0), count = lattice_sites(lattice);
    if (word >= lattice_words(lattice))
        return;
    const u32 row = word / lattice.words, w = word - (ulong)row * lattice.words;
    const ulong first = (ulong)row * lattice.nx + 32 * w;
    u32 present = 0;
    if (first + 32 <= count)
        present = present_bits(vload16(0, pixels + first), image) |
                  present_bits(vload16(1, pixels + first), image) << 16;
    else
        for (u32 j = 0; first + j < count; j++)
            present |= (present_bits((uchar16)pixels[first + j], image) & 1) << j;
    present &= word_mask(lattice, w);
    foreground[word] = present;
#ifdef MATCH_EQUAL
    u32 matching[STEPS];
#pragma unroll
    for (u32 k = 0; k < STEPS; k++) {
        const lattice_offset step = step_of(k);
        const bool there = part_of_any(step) && row_at(lattice, step, row) != NOWHERE;
        matching[k] = there ? equal_bits(pixels, count, first,
                                         first + (long)step.y * lattice.nx + step.x,
                                         step_mask(lattice, step.x, w) & present)
                            : 0;
    }
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds_store(lattice, bonds, d, w, row, new_bonds(matching, d));
#endif
}
