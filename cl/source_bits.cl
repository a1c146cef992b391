/* The foreground of an image of one unsigned byte a pixel, where it says all, see source_image.cl, and sites are pixels: no bonds are written.
 *
 * One work-item: a word. Work-group: WORD_ITEMS. Global traffic, bytes a pixel: 1 read, 1/8 written. */
#include "image.clh"
#include "lattice.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1)))
void source_bits(lattice_args lattice, image_args image, global const u8 *pixels, global u32 *foreground, global u32 *bonds)
{
#ifdef MATCH_THRESHOLD
    const u8 level = image.level;
#else
    const u8 level = 0;
#endif
    const ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    const u32 row = word / lattice.words, w = word - (ulong)row * lattice.words;
    u32 bits = 0;
    pixels += (ulong)row * lattice.nx + 32 * w;
    if (last_bit(lattice, w) == 31) {
        #pragma unroll
        for (u32 k = 0; k < 2; k++) {
            const ulong2 above = as_ulong2(vload16(k, pixels) > level) & 0x0101010101010101ul, low = above * 0x0102040810204080ul >> 56;
            bits |= (u32)(low.s0 | low.s1 << 8) << 16 * k;
        }
    } else {
        for (u32 j = 0; j <= last_bit(lattice, w); j++)
            bits |= (u32)(pixels[j] > level) << j;
    }
    foreground[word] = bits;
}
