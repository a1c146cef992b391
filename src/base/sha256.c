/* SHA-256, FIPS 180-4 sections 5 and 6.2. */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

#include "clup.h"

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* Round k of eight. */
static inline void round_at(uint32_t v[8], int k, uint32_t add)
{
    const uint32_t a = v[(8 - k) % 8], b = v[(9 - k) % 8], c = v[(10 - k) % 8], e = v[(12 - k) % 8],
                   f = v[(13 - k) % 8], g = v[(14 - k) % 8];
    uint32_t *d = &v[(11 - k) % 8], *h = &v[(15 - k) % 8];
    const uint32_t first = *h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                           ((e & f) ^ (~e & g)) + add;
    *d += first;
    *h = first + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void compress(uint32_t hash[8], const uint8_t block[64])
{
    uint32_t w[64], v[8];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    memcpy(v, hash, sizeof v);
    /* in round t the letter that the standard calls a is v[-t mod 8], and so on: nothing is moved,
     * and with the loop of eight unrolled all stay in registers */
    for (int t = 0; t < 64; t += 8)
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++)
            round_at(v, k, round_constants[t + k] + w[t + k]);
    for (int k = 0; k < 8; k++)
        hash[k] += v[k];
}

void clup_sha256_start(clup_sha256_state *state)
{
    *state = (clup_sha256_state){.hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void clup_sha256_add(clup_sha256_state *state, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0) {
        const size_t used = state->bytes % 64, take = size < 64 - used ? size : 64 - used;
        if (take == 64)
            compress(state->hash, bytes);
        else
            memcpy(state->block + used, bytes, take);
        if (take < 64 && used + take == 64)
            compress(state->hash, state->block);
        state->bytes += take;
        bytes += take;
        size -= take;
    }
}

void clup_sha256_finish(clup_sha256_state *state, char hex[65])
{
    uint64_t bits = 8 * state->bytes;
    uint8_t length[8];
    for (int k = 0; k < 8; k++)
        length[k] = (uint8_t)(bits >> (56 - 8 * k));
    clup_sha256_add(state, "\x80", 1);
    while (state->bytes % 64 != 56)
        clup_sha256_add(state, "", 1);
    clup_sha256_add(state, length, sizeof length);
    for (int k = 0; k < 8; k++)
        snprintf(hex + 8 * k, 9, "%08x", (unsigned)state->hash[k]);
}

void clup_sha256(const void *data, size_t size, char hex[65])
{
    clup_sha256_state state;
    if (hex != NULL)
        hex[0] = '\0';
    if (hex == NULL || (data == NULL && size > 0))
        return;
    clup_sha256_start(&state);
    clup_sha256_add(&state, data, size);
    clup_sha256_finish(&state, hex);
}
