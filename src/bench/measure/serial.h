/* SPDX-License-Identifier: BSD-3-Clause */
/* Serial codes of tori, on one core of this machine: what clup is compared with. */
#ifndef CLUP_BENCH_MEASURE_SERIAL_H
#define CLUP_BENCH_MEASURE_SERIAL_H
#include "clup.h"

/* A torus of the q-state Potts model, with the code that updates it. */
typedef struct bench_serial bench_serial;

/* The name of a code, NULL past the end: "breadth-first" and "union-find", which are
 * Swendsen-Wang's, "single cluster", Wolff's, and "measured union-find", which measures as well. */
const char *bench_serial_name(size_t row);
/* An ordered start of a problem, whose axes are all taken as periodic and have 2 to 65535 sites,
 * fewer than 2^32 together; q is 2 to 256, for "breadth-first" to 128; beta >= 0. The lattice is
 * the square one, or with union-find the triangular or the cubic one. Random numbers follow from
 * the seed, the same on every machine. CLUP_ERROR_MEMORY when the host has no 5 bytes a site, 9
 * where it measures, else CLUP_ERROR_USAGE. */
clup_status bench_serial_create(size_t row, const clup_problem *problem, uint64_t seed,
                                bench_serial **out);
void bench_serial_free(bench_serial *serial);
/* Takes these spins, one a site in raster order, each below q. */
void bench_serial_set(bench_serial *serial, const uint8_t *spins);
/* The seconds that one update takes. *updated, unless that is NULL, are the sites that were given a
 * new spin: all of them, but for a single cluster. */
double bench_serial_sweep(bench_serial *serial, uint64_t *updated);
/* <H>/N of the spins that it has now: bonds, of -1 where spins are equal. */
double bench_serial_energy(const bench_serial *serial);

/* What an update measures: of the spins that it begins with, the bonds between equal ones; of those
 * that it leaves, the sites in the commonest state; and of clusters their number, the largest, and
 * the sum of the squares of their sizes. */
typedef struct bench_serial_sample {
    uint64_t equal_bonds, majority, clusters, largest, squares;
} bench_serial_sample;
/* That of the last update; all zeros where nothing is measured. */
bench_serial_sample bench_serial_measured(const bench_serial *serial);

#endif
