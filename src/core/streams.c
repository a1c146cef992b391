/* SPDX-License-Identifier: BSD-3-Clause */
/* First states of the streams of generators with state: from Philox's numbers for the seed and the
 * stream, see random.clh. */
#include "core/streams.h"

/* Returns word k of the random words that a stream starts from. */
static uint32_t start_word(random_key key, uint64_t stream, unsigned k)
{
    return random_block(key, PURPOSE_STREAM, stream, k / 4).v[k % 4];
}

void clup_seed_lcg(random_key key, uint64_t first, uint64_t count, uint32_t *words)
{
    for (uint64_t j = 0; j < count; j++)
        words[j] = start_word(key, first + j, 0);
}

/* Word 0 of the 55 words is made odd; the position is 0. Streams are almost certainly on different
 * cycles, as there are far more cycles than pairs of streams. */
void clup_seed_fibonacci(random_key key, uint64_t first, uint64_t count, uint32_t *words)
{
    for (uint64_t j = 0; j < count; j++) {
        for (unsigned block = 0; block < FIBONACCI_WORDS / 4; block++) {
            philox_block random = random_block(key, PURPOSE_STREAM, first + j, block);
            for (unsigned k = 0; k < 4; k++)
                words[(4 * block + k) * count + j] = random.v[k];
        }
        words[j] |= 1;
        words[FIBONACCI_LONG * count + j] = 0;
    }
}

/* How the multipliers were found: candidates were Philox's numbers, in order, with counters 0, 1,
 * ... and key 0, with the highest bit set. The first candidates were taken for which both a 2^32 -
 * 1 and a 2^31 - 1 are prime, and which are about as far from every simple fraction of 2^32 as
 * possible. If h a = r modulo 2^32 with small h and r, three successive numbers lie on few planes;
 * multipliers just below 2^32 do so with h = 1. */
const uint32_t clup_mwc_multipliers[CLUP_MWC_MULTIPLIERS] = {
    0xCF54A3A4u, 0xA17E96B2u, 0xEF5DED19u, 0x827755C8u, 0x87DA2071u, 0xA0489F5Cu, 0x97B67B2Au,
    0xC852D149u, 0xF3310DCDu, 0xC07F438Bu, 0x9B8A93B8u, 0xFD24EDB6u, 0x9C4472F7u, 0xE6144583u,
    0xBE4CFAF3u, 0xED1CF21Bu, 0xF50C288Du, 0xE8580217u, 0xCC0A4538u, 0xA2C9E80Eu, 0xB9D461C7u,
    0xCE5E8E17u, 0xFC5FD77Au, 0xEACD4169u, 0x9B70AD49u, 0xE7771E82u, 0xBDF13755u, 0x9F2BD6D0u,
    0xF72E8833u, 0x9AFC3074u, 0x804716C1u, 0xCC9225B7u, 0x81D3C233u, 0x9FCEF883u, 0xA0962615u,
    0x8B007094u, 0xF8D99888u, 0xAD2CBF0Cu, 0xBB9E6360u, 0x9578CAC0u, 0xBC8E2A2Au, 0xF570BAF6u,
    0x9E42E2CCu, 0xEE68C123u, 0xEC45DB88u, 0xF86B6C50u, 0xD604A330u, 0xE0D4DF4Cu, 0x95DA1262u,
    0xDD6FB3F8u, 0x89AACCC5u, 0x83F77CBFu, 0xE60BA44Bu, 0xE8F315EFu, 0xDAB28529u, 0xAE737AFCu,
    0xA9C99C11u, 0xF5B929A2u, 0x955ADA0Bu, 0xAB323010u, 0x965CF17Eu, 0xBB52C706u, 0x930BB095u,
    0x83E13709u, 0xAD091096u, 0xFC47A9A8u, 0xA7E2A71Cu, 0xD45AEC89u, 0xC40142F1u, 0xD784B60Bu,
    0xB48C74E0u, 0x882F59E2u, 0xA6539F84u, 0xF9028D52u, 0xFCB50CBCu, 0xDAE3DBA1u, 0xC0F99C57u,
    0xD277E4F1u, 0xA185A209u, 0xA31DB466u, 0xD63316C4u, 0x9ADE485Cu, 0xA4FB730Du, 0x955F171Bu,
    0xD26B629Eu, 0xA1AF09F3u, 0xB61C4542u, 0xC8B5195Cu, 0xBAE39403u, 0xFDBD0A6Au, 0x821F55EAu,
    0xE8E5A62Au, 0x89630C88u, 0x9EAA117Bu, 0xA2D56A3Bu, 0xEC00020Bu, 0xBA10535Du, 0xFD2B6D78u,
    0x934F7A0Cu, 0xA48EB3A9u, 0xF83FF5B3u, 0xD8A8059Au, 0xD492F3F2u, 0x96000D29u, 0xD4F81610u,
    0xD55086FBu, 0xBD875ACCu, 0x8E8F31D7u, 0xDF9400D6u, 0xE2FC4D21u, 0xF2E522C8u, 0xB37C169Eu,
    0xE7AAB5D8u, 0x817E54FFu, 0xD877EB5Au, 0xFA09EC3Cu, 0xACC4B9C8u, 0x8F826B5Eu, 0xABF01989u,
    0xCC70D41Bu, 0xAE808167u, 0xCF749589u, 0xD2C0C3D5u, 0x85D71D6Au, 0xA8DC1C07u, 0xD1B04646u,
    0xF54DD085u, 0x8755CB3Cu,
};

__extension__ typedef unsigned __int128 wide;

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t modulus)
{
    return (uint64_t)((wide)a * b % modulus);
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = multiply(base, base, modulus))
        if (exponent & 1)
            result = multiply(result, base, modulus);
    return result;
}

uint64_t clup_mwc_jump(uint32_t a, uint64_t t, uint64_t steps)
{
    uint64_t modulus = ((uint64_t)a << 32) - 1;
    return multiply(t, power(a, steps, modulus), modulus);
}

/* Streams with one multiplier start this many numbers apart. A cycle has room for 2^24 such
 * streams, so there are 2^31 streams in all. */
#define MWC_APART ((uint64_t)1 << 38)

/* Stream s has multiplier s % 128. It starts s / 128 times MWC_APART steps after a state that
 * depends on the seed. */
void clup_seed_mwc(random_key key, uint64_t first, uint64_t count, uint32_t *words)
{
    for (uint64_t j = 0; j < count && j < CLUP_MWC_MULTIPLIERS; j++) {
        uint64_t row = (first + j) / CLUP_MWC_MULTIPLIERS,
                 column = (first + j) % CLUP_MWC_MULTIPLIERS;
        uint32_t a = clup_mwc_multipliers[column];
        uint64_t modulus = ((uint64_t)a << 32) - 1, apart = power(a, MWC_APART, modulus);
        /* neither 0 nor the modulus: those states are followed by themselves */
        uint64_t start = 1 +
                         ((uint64_t)start_word(key, column, 0) << 32 | start_word(key, column, 1)) %
                             (modulus - 1);
        uint64_t t = multiply(start, power(apart, row, modulus), modulus);
        for (uint64_t k = j; k < count;
             k += CLUP_MWC_MULTIPLIERS, t = multiply(t, apart, modulus)) {
            words[0 * count + k] = (uint32_t)t;
            words[1 * count + k] = (uint32_t)(t >> 32);
            words[2 * count + k] = a;
        }
    }
}
