/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and results of clup percolate. */
#ifndef CLUP_CLI_PERCOLATE_PERCOLATE_H
#define CLUP_CLI_PERCOLATE_PERCOLATE_H
#include "cli/simulate/simulate.h"

typedef struct percolate_request {
    simulate_request system; /* must be first: it is the target of the options shared with clup
                                simulate */
    enum { P_DEFAULT, P, P_RATIO, P_LIST, P_TWICE } p_kind;
    double *ps; /* ps[p_count] */
    uint32_t p_count;
    uint64_t samples;
    int curves;        /* samples are drawn bond by bond, or site by site */
    const char *steps; /* a table of them after each step; NULL for none */
} percolate_request;

typedef struct percolate_result {
    const percolate_request *request;
    clup_device_info device;
    clup_plan plan;
    clup_percolation_point *points; /* points[count]; when interrupted, fewer than the request has,
                                       and the last with fewer samples */
    uint32_t count;
    double wall_s; /* of all samples */
    int interrupted;
} percolate_result;

/* Print the result as a table, or write it as JSON. */
void percolate_print_table(const percolate_result *result);
void percolate_write_json(const percolate_result *result);

#endif
