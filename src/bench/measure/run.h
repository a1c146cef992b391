/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a suite on a device: measures one point after the other, and writes a complete result file
 * after each. A later run goes on from that file. */
#ifndef CLUP_BENCH_MEASURE_RUN_H
#define CLUP_BENCH_MEASURE_RUN_H
#include "bench/measure/suite.h"

typedef struct bench_run {
    clup_context *context;
    double seconds;       /* to spend on the samples of a point, about */
    unsigned samples;     /* the least number, for a point with all_samples */
    uint64_t thermalize;  /* sweeps from an ordered start to equilibrium */
    double copy;          /* bandwidth of a copy on the device, B/s; NAN before it was measured */
    int (*stopped)(void); /* whether the user has asked for an end */
    /* the last system brought to equilibrium: its problem, and its spins, a byte a site */
    clup_problem equilibrium;
    uint8_t *spins;
} bench_run;

/* Called before each point, with the numbers of points done and in total. */
typedef void bench_progress(size_t done, size_t total, const char *id);

/* What a run did. */
typedef struct bench_outcome {
    size_t points, before, failed; /* points: all of the suite; before: found in the folder; failed:
                                      could not be measured */
    json_t *root;                  /* the result, which the caller releases */
} bench_outcome;

/* Measures the points of an order that folder/result.json does not have yet, and writes that file
 * after each point. Makes the folder and the file when there are none. A point that fails gets an
 * error in place of series, and the next run tries it again. CLUP_ERROR_USAGE, with the difference,
 * when the file is the result of another version, device, host or order; CLUP_ERROR_RUNTIME when
 * another process uses the folder, or the file cannot be read or written; CLUP_INTERRUPTED, with an
 * outcome, when stopped() or the watch asks for an end. */
clup_status bench_run_suite(clup_context *context, const bench_order *order, const char *folder,
                            int (*stopped)(void), bench_progress *progress, bench_outcome *outcome);

/* Describes the host for results: system, machine, processor, cores. NULL without memory. */
json_t *bench_host(void);

#endif
