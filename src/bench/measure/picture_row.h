/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions that draw pictures share. */
#ifndef CLUP_BENCH_MEASURE_PICTURE_ROW_H
#define CLUP_BENCH_MEASURE_PICTURE_ROW_H
#include "bench/measure/picture.h"

typedef struct picture {
    uint32_t size[3];
    uint64_t pixels;
    double density;
    unsigned grain; /* 0 for the default of the picture */
    uint64_t seed;
} picture;

/* The noise of a seed: its number at an index. */
static inline uint64_t picture_noise(uint64_t seed, uint64_t index)
{
    uint64_t x = 0;
    for (int k = 0; k < 2; k++) { /* splitmix64 */
        x += (k == 0 ? seed : index) * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
        x = (x ^ x >> 27) * 0x94D049BB133111EBu;
        x ^= x >> 31;
    }
    return x;
}

clup_status picture_blobs(const picture *picture, uint8_t *pixels);

#endif
