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
    int curves;         /* samples are drawn bond by bond, or site by site */
    const char *steps;  /* a table of them after each step; NULL for none */
    const char *resume; /* the checkpoint that is gone on from; NULL for a new run */
} percolate_request;

typedef struct percolate_result {
    const percolate_request *request;
    clup_device_info device;
    clup_plan plan;
    clup_percolation_scan *scan;    /* what was drawn; NULL of curves */
    clup_percolation_point *points; /* points[count]; when interrupted, fewer than the request has
                                     */
    uint32_t count, at; /* at: the number of the p that samples were drawn at last, from 0 */
    double wall_s;      /* of all samples */
    int interrupted;    /* by a signal, or by the time limit: */
    int late;
} percolate_result;

/* clang-format off */
#define PERCOLATE_WISH {.system = SIMULATE_WISH, .samples = 1000}
/* clang-format on */
/* The options; the last has a NULL name. Their target is a percolate_request. */
extern const cli_option percolate_options[];
/* Makes a problem and probabilities of the options. Returns 0, or an exit code after a message. */
int percolate_settle(percolate_request *request);

/* percolate_resume reads the scan of --resume, and sets from it what the options of a new run would
 * say. Returns 0, or an exit code after a message. percolate_save_progress writes series and
 * checkpoint from time to time, percolate_save_state the checkpoint and percolate_save_series the
 * series at the end; the latter two return an exit code, after a message. */
int percolate_resume(percolate_request *request, percolate_result *result);
void percolate_save_begin(const percolate_result *result);
int percolate_save_progress(uint64_t done, uint64_t samples, void *unused);
int percolate_save_state(void);
int percolate_save_series(void);

/* Print the result as a table, or write it as JSON. */
void percolate_print_table(const percolate_result *result);
void percolate_write_json(const percolate_result *result);

#endif
