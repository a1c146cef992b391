/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256, as FIPS 180-4 defines it. */
#include <openssl/sha.h>
#include <string.h>

/* The fractions of the cube roots of the first 64 primes (section 4.2.2). */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* Adds a block to the sums (section 6.2.2). */
static void add_block(uint32_t sums[8], const unsigned char *block)
{
    uint32_t words[64], at[8];
    for (unsigned t = 0; t < 16; t++)
        words[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
                   (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (unsigned t = 16; t < 64; t++) {
        const uint32_t a = words[t - 15], b = words[t - 2];
        words[t] = words[t - 16] + words[t - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) +
                   (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(at, sums, sizeof at);
    for (unsigned t = 0; t < 64; t++) {
        const uint32_t a = at[0], e = at[4];
        const uint32_t first = at[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                               ((e & at[5]) ^ (~e & at[6])) + constants[t] + words[t],
                       second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                                ((a & at[1]) ^ (a & at[2]) ^ (at[1] & at[2]));
        memmove(at + 1, at, 7 * sizeof *at);
        at[4] += first;
        at[0] = first + second;
    }
    for (unsigned k = 0; k < 8; k++)
        sums[k] += at[k];
}

int SHA256_Init(SHA256_CTX *state)
{
    /* the fractions of the square roots of the first 8 primes (section 5.3.3) */
    *state = (SHA256_CTX){.sums = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
    return 1;
}

int SHA256_Update(SHA256_CTX *state, const void *data, size_t size)
{
    const unsigned char *from = data;
    size_t filled = state->bytes % sizeof state->block;
    state->bytes += size;
    while (filled + size >= sizeof state->block) {
        const size_t more = sizeof state->block - filled;
        if (filled > 0)
            memcpy(state->block + filled, from, more);
        add_block(state->sums, filled > 0 ? state->block : from);
        from += more;
        size -= more;
        filled = 0;
    }
    if (size > 0)
        memcpy(state->block + filled, from, size);
    return 1;
}

int SHA256_Final(unsigned char digest[SHA256_DIGEST_LENGTH], SHA256_CTX *state)
{
    /* a bit that is set, zeros, and the number of bits in the last 8 bytes of a block */
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = 8 * state->bytes;
    unsigned char count[8];
    for (unsigned k = 0; k < 8; k++)
        count[k] = (unsigned char)(bits >> (56 - 8 * k));
    SHA256_Update(state, padding, 1 + (119 - state->bytes % 64) % 64);
    SHA256_Update(state, count, sizeof count);
    for (unsigned k = 0; k < 32; k++)
        digest[k] = (unsigned char)(state->sums[k / 4] >> (24 - 8 * (k % 4)));
    return 1;
}
