/* SPDX-License-Identifier: BSD-3-Clause */
/* Serial codes for tori, on one core of this machine, with which clup is compared. */
#ifndef CLUP_BENCH_MEASURE_SERIAL_H
#define CLUP_BENCH_MEASURE_SERIAL_H
#include "clup.h"

/* A torus of the q-state Potts model, with the code that updates it. */
typedef struct bench_serial bench_serial;

/* The name of a code, NULL past the end. Swendsen-Wang: "breadth-first", "union-find", and
 * "measured union-find", which also measures. Wolff: "single cluster". */
const char *bench_serial_name(size_t row);
/* Makes an ordered start of a problem. All axes are taken as periodic and must have 2 to 65535
 * sites, fewer than 2^32 together; q is 2 to 256, for "breadth-first" to 128; beta >= 0. The
 * lattice must be the square one; the union-find codes also take the triangular and the cubic one.
 * The random numbers follow from the seed, equal on every machine. CLUP_ERROR_MEMORY when the host
 * has no 5 bytes a site (9 for a code that measures), CLUP_ERROR_USAGE for other problems. */
clup_status bench_serial_create(size_t row, const clup_problem *problem, uint64_t seed,
                                bench_serial **out);
void bench_serial_free(bench_serial *serial);
/* Copies spins, one for each site in raster order, each below q. */
void bench_serial_set(bench_serial *serial, const uint8_t *spins);
/* Does one update and returns its seconds. *updated, unless updated is NULL, becomes the number of
 * sites that got a new spin: all sites, except for a single cluster. */
double bench_serial_sweep(bench_serial *serial, uint64_t *updated);
/* <H>/N of the present spins: each bond between equal spins has energy -1. */
double bench_serial_energy(const bench_serial *serial);

/* What an update measures. Of the spins before it: the bonds between equal spins. Of the spins
 * after it: the sites in the commonest state. Of the clusters: their number, the largest size, and
 * the sum of squared sizes. */
typedef struct bench_serial_sample {
    uint64_t equal_bonds, majority, clusters, largest, squares;
} bench_serial_sample;
/* The measurements of the last update; all zeros for a code that does not measure. */
bench_serial_sample bench_serial_measured(const bench_serial *serial);

#endif
