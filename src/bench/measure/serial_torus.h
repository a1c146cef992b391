/* SPDX-License-Identifier: BSD-3-Clause */
/* What the serial codes share: the torus and its random numbers. */
#ifndef CLUP_BENCH_MEASURE_SERIAL_TORUS_H
#define CLUP_BENCH_MEASURE_SERIAL_TORUS_H
#include <stdbool.h>
#include <string.h>

#include "bench/measure/serial.h"

/* Optimises for speed whatever flags the rest is compiled with, so that times can be compared.
 * Clang does what matters here at -O2. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize("O3")
#endif

enum { SERIAL_LANES = 8, SERIAL_NUMBERS = 1024, SERIAL_STEPS = 2 };

/* Eight xoshiro256++ generators (D. Blackman, S. Vigna, 2021) side by side. */
typedef struct serial_random {
    uint64_t s[4][SERIAL_LANES];
} serial_random;

/* A step to a neighbour in a row ahead: x is -1, 0 or 1; one of y and z is 1. */
typedef struct serial_step {
    int x;
    uint32_t y, z;
} serial_step;

struct bench_serial {
    void (*sweep)(bench_serial *torus);
    uint32_t size[3], count;  /* count: the number of sites */
    const serial_step *steps; /* [step_count] */
    unsigned step_count, q;
    uint64_t threshold;    /* 2^32 p, with the bond probability p */
    uint8_t *room, *spins; /* [count], and a spare one at both ends */
    uint8_t mark;          /* breadth-first: bit 7 of sites that this sweep has not visited */
    uint32_t *sites;       /* [count]: parents, or a queue with one spare place */
    /* union-find, bonds of a row: to the right; back, for each step; none at all */
    uint8_t *right, *up[SERIAL_STEPS], *none;
    uint32_t *sizes; /* of clusters, at their roots; NULL where nothing is measured */
    bench_serial_sample sample;
    uint32_t *draws;  /* random numbers: of a row, or SERIAL_NUMBERS */
    uint32_t used;    /* how many of SERIAL_NUMBERS are used up */
    uint64_t updated; /* sites, in the last update */
    serial_random random;
};

/* Draws at least count numbers: count is rounded up to whole steps of all generators,
 * 2*SERIAL_LANES numbers each. */
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
