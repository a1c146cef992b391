/* SPDX-License-Identifier: BSD-3-Clause */
/* All results of clup analyse as rows, which the formats that are not made for reading write. */
#ifndef CLUP_CLI_ANALYSE_ROWS_H
#define CLUP_CLI_ANALYSE_ROWS_H
#include "cli/analyse/analyse.h"

/* A result. What a row has no value of is NAN, NULL or negative. */
typedef struct analyse_row {
    const char *what;                    /* of which kind it is, such as "mean" or "crossing" */
    char observable[ANALYSE_EXPRESSION]; /* or expression */
    const clup_problem *of[2];           /* the system's size; the other one of a crossing */
    const char *file;
    int64_t system;
    double beta, beta_error; /* the inverse temperature; its error where it was searched for */
    double x;                /* the place in a curve */
    double value, error, low, high, tau_int, tau_error, overlap;
    int covered;
    const char *note; /* why there is no value, or what to know of it */
} analyse_row;

typedef struct analyse_rows {
    analyse_row *of;
    size_t count, room;
} analyse_rows;

/* Collects the rows: those that compare sizes, then those of each size, then of each system. An
 * analysis that fails sets result->failed. The caller frees rows->of. */
void analyse_collect(analyse_result *result, analyse_rows *rows);

#endif
