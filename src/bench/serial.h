/* Serial codes of the square torus, on one core of this machine: what clup is compared with. */
#ifndef CLUP_BENCH_SERIAL_H
#define CLUP_BENCH_SERIAL_H
#include "clup.h"

/* An L x L torus of the q-state Potts model, with the code that updates it. */
typedef struct bench_serial bench_serial;

/* The name of a code, NULL past the end: "breadth-first" and "union-find", which are
 * Swendsen-Wang's, and "single cluster", Wolff's. */
const char *bench_serial_name(size_t row);
/* An ordered start. size is L, 2 to 65535; q is 2 to 256, for "breadth-first" to 128; beta >= 0.
 * Random numbers follow from the seed, the same on every machine. CLUP_ERROR_MEMORY when the host
 * has no 5 bytes a site, else CLUP_ERROR_USAGE. */
clup_status bench_serial_create(size_t row, uint32_t size, unsigned q, double beta, uint64_t seed,
                                bench_serial **out);
void bench_serial_free(bench_serial *serial);
/* Takes these spins, size*size in raster order, each below q. */
void bench_serial_set(bench_serial *serial, const uint8_t *spins);
/* The seconds that one update takes. *updated, unless that is NULL, are the sites that were given a
 * new spin: all of them, but for a single cluster. */
double bench_serial_sweep(bench_serial *serial, uint64_t *updated);
/* <H>/N of the spins that it has now: two bonds a site, of -1 where spins are equal. */
double bench_serial_energy(const bench_serial *serial);

#endif
