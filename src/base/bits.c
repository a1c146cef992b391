/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs bits eight at once, as bytes of a word of 64 bits; bit 8*k of the word belongs to byte k in
 * any byte order. */
#include "base/bits.h"

#define EACH_BYTE 0x0101010101010101u

static uint64_t load(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned k = 0; k < 8; k++)
        word |= (uint64_t)bytes[k] << 8 * k;
    return word;
}

void clup_bits_pack(const uint8_t *bytes, uint64_t count, unsigned bit, uint8_t *packed)
{
    uint64_t i = 0;
    /* the product moves bit 8*k of the word to bit 56 + k */
    for (; i + 8 <= count; i += 8)
        packed[i / 8] = (uint8_t)((load(bytes + i) >> bit & EACH_BYTE) * 0x0102040810204080u >> 56);
    if (i < count)
        packed[i / 8] = 0;
    for (; i < count; i++)
        packed[i / 8] |= (uint8_t)((bytes[i] >> bit & 1) << i % 8);
}

void clup_bits_unpack(const uint8_t *packed, uint64_t count, unsigned bit, uint8_t *bytes)
{
    uint64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        /* byte k is nonzero where bit k is set; the sum carries that to the highest bit of the
         * byte */
        const uint64_t own = packed[i / 8] * EACH_BYTE & 0x8040201008040201u,
                       set = (own + 0x7F * EACH_BYTE) >> 7 & EACH_BYTE;
        for (unsigned k = 0; k < 8; k++)
            bytes[i + k] |= (uint8_t)((set >> 8 * k & 1) << bit);
    }
    for (; i < count; i++)
        bytes[i] |= (uint8_t)((packed[i / 8] >> i % 8 & 1) << bit);
}
