/* SPDX-License-Identifier: BSD-3-Clause */
/* What clup bench was asked for. */
#ifndef CLUP_CLI_BENCH_BENCH_H
#define CLUP_CLI_BENCH_BENCH_H
#include "cli/simulate/simulate.h"

#define BENCH_LIST_MAX 16

typedef struct bench_request {
    simulate_request system;
    uint64_t sizes[BENCH_LIST_MAX], tiles[BENCH_LIST_MAX];
    size_t size_count, tile_count;
    const char *stage; /* NULL for all */
    double seconds;
    int sweeps;
    const clup_device_info *device;
    uint64_t rows; /* printed */
    /* of a suite */
    const char *suite, *out, *baseline, *report;
    int quick;
} bench_request;

/* Whether options go with a suite, or without one; 0, or an exit code after a message. */
int bench_check_suite(const bench_request *request, const cli_option *options);
/* Says what has failed in src/bench; the exit code. */
int bench_cli_fail(clup_status status);
/* Runs the suite, or makes the report of a result: the exit code. */
int bench_suite_main(const bench_request *request);

/* The lattice of so many sites along each axis. */
clup_problem bench_problem(const bench_request *request, uint32_t size);
/* Whether a kernel is timed: one named for its stage, or any. */
int bench_times(const bench_request *request, clup_stage stage, const char *kernel);
/* What is asked for and could not be timed at all is refused before anything is printed: without a
 * device, and on the one that there is. 0, or an exit code after a message. */
int bench_check_options(const bench_request *request);
int bench_check_plans(const bench_request *request, clup_context *context);

#endif
