/* SPDX-License-Identifier: BSD-3-Clause */
/* What the serial codes share: the torus and its random numbers. */
#ifndef CLUP_BENCH_MEASURE_SERIAL_TORUS_H
#define CLUP_BENCH_MEASURE_SERIAL_TORUS_H
#include <stdbool.h>
#include <string.h>

#include "bench/measure/serial.h"

/* Whatever the rest is compiled with, so that times compare. Clang does at -O2 what matters here.
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize("O3")
#endif

enum { SERIAL_LANES = 8, SERIAL_NUMBERS = 1024, SERIAL_STEPS = 2 };

/* Eight xoshiro256++ generators (D. Blackman, S. Vigna, 2021) side by side. */
typedef struct serial_random {
    uint64_t s[4][SERIAL_LANES];
} serial_random;

/* A step to a neighbour in a row ahead: x is -1, 0 or 1, and of y and z one is 1. */
typedef struct serial_step {
    int x;
    uint32_t y, z;
} serial_step;

struct bench_serial {
    void (*sweep)(bench_serial *torus);
    uint32_t size[3], count;  /* count are all sites */
    const serial_step *steps; /* [step_count] */
    unsigned step_count, q;
    uint64_t threshold;    /* 2^32 p, of a bond between equal spins */
    uint8_t *room, *spins; /* [count], and one to spare at both ends */
    uint8_t mark;          /* breadth-first: what sites not visited in this sweep have in bit 7 */
    uint32_t *sites;       /* [count]: parents, or a queue with one to spare */
    /* union-find: bonds of a row, to the right, by the steps back, and none at all */
    uint8_t *right, *up[SERIAL_STEPS], *none;
    uint32_t *sizes; /* of clusters, at their roots, or NULL where nothing is measured */
    bench_serial_sample sample;
    uint32_t *draws;  /* random numbers: of a row, or SERIAL_NUMBERS */
    uint32_t used;    /* so many of SERIAL_NUMBERS */
    uint64_t updated; /* sites, in the last update */
    serial_random random;
};

/* As many as count, rounded up to whole steps of all generators, 2*SERIAL_LANES. */
static inline void serial_draw(serial_random *random, uint32_t *to, uint32_t count)
{
    typedef uint64_t vector __attribute__((vector_size(8 * SERIAL_LANES)));
    vector s[4];
    memcpy(s, random->s, sizeof s);
    vector a = s[0], b = s[1], c = s[2], d = s[3];
    for (uint32_t k = 0; k < count; k += 2 * SERIAL_LANES) {
        const vector sum = a + d, number = (sum << 23 | sum >> 41) + a, shifted = b << 17;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = d << 45 | d >> 19;
        memcpy(to + k, &number, sizeof number);
    }
    s[0] = a, s[1] = b, s[2] = c, s[3] = d;
    memcpy(random->s, s, sizeof s);
}

/* The codes. Each updates the torus once. */
void serial_breadth_first(bench_serial *torus);
void serial_single_cluster(bench_serial *torus);
void serial_union_find(bench_serial *torus);

#endif
