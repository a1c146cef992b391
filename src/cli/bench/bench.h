/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of clup bench. */
#ifndef CLUP_CLI_BENCH_BENCH_H
#define CLUP_CLI_BENCH_BENCH_H
#include "cli/simulate/simulate.h"

#define BENCH_LIST_MAX 16

typedef struct bench_request {
    simulate_request system;
    uint64_t sizes[BENCH_LIST_MAX], tiles[BENCH_LIST_MAX];
    size_t size_count, tile_count;
    const char *stage; /* NULL for all stages */
    double seconds;
    int sweeps;
    const clup_device_info *device;
    uint64_t rows; /* rows of results to print */
    /* options of a suite */
    const char *suite, *out, *baseline, *report;
    int quick;
} bench_request;

/* Validates that the options go with a suite, or without one. Returns 0, or an exit code after a
 * message. */
int bench_check_suite(const bench_request *request, const cli_option *options);
/* Reports an error of src/bench. Returns the exit code. */
int bench_cli_fail(clup_status status);
/* Runs the suite, or makes the report of a result. Returns the exit code. */
int bench_suite_main(const bench_request *request);

/* A problem whose lattice has so many sites along each axis. */
clup_problem bench_problem(const bench_request *request, uint32_t size);
/* Whether a kernel is timed: when the request names no kernel of its stage, or names this one. */
int bench_times(const bench_request *request, clup_stage stage, const char *kernel);
/* Refuse, before anything is printed, a request that could time nothing: on any device, and on the
 * device in use. Return 0, or an exit code after a message. */
int bench_check_options(const bench_request *request);
int bench_check_plans(const bench_request *request, clup_context *context);

#endif
