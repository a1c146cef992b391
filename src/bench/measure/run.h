/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of a suite on a device: points measured one after the other, into a result file that is
 * whole after each of them, and from which it goes on. */
#ifndef CLUP_BENCH_MEASURE_RUN_H
#define CLUP_BENCH_MEASURE_RUN_H
#include "bench/measure/suite.h"

typedef struct bench_run {
    clup_context *context;
    double seconds;       /* of samples of a point, about */
    unsigned samples;     /* at least, of a point whose samples are all wanted */
    uint64_t thermalize;  /* sweeps from an ordered start to equilibrium */
    double copy;          /* what the device copies, B/s; NAN before it was measured */
    int (*stopped)(void); /* whether the user has asked for an end */
    /* the last equilibrium: its problem, and spins, a byte a site */
    clup_problem equilibrium;
    uint8_t *spins;
} bench_run;

/* Shown before each point: how many are done, of how many. */
typedef void bench_progress(size_t done, size_t total, const char *id);

/* What a run did. */
typedef struct bench_outcome {
    size_t points, before, failed; /* of the suite; found in the folder; that could not be measured
                                    */
    json_t *root;                  /* the result, the caller's */
} bench_outcome;

/* Measures the points of an order that folder/result.json, which is made with its folder, does not
 * have, and writes it after each. A point that fails has an error in place of series, and is tried
 * again by the next run. CLUP_ERROR_USAGE when the file is the result of something else, and says
 * of what; CLUP_ERROR_RUNTIME when another process is at it, or it cannot be read or written;
 * CLUP_INTERRUPTED with an outcome when stopped() says so, or the watch. */
clup_status bench_run_suite(clup_context *context, const bench_order *order, const char *folder,
                            int (*stopped)(void), bench_progress *progress, bench_outcome *outcome);

/* The host, for results: system, machine, processor, cores. NULL without memory. */
json_t *bench_host(void);

#endif
