/* SPDX-License-Identifier: BSD-3-Clause */
/* What clup analyse was asked for, and what it found. */
#ifndef CLUP_CLI_ANALYSE_ANALYSE_H
#define CLUP_CLI_ANALYSE_ANALYSE_H
#include "cli/cli.h"

#define ANALYSE_FILES 64
/* All systems of one size at other temperatures. */
typedef struct analyse_scan {
    clup_reweighting *reweighting;
    clup_problem problem;
    unsigned rows;
    double *values, *errors; /* [betas][rows] */
    clup_coverage *coverage; /* [betas] */
    clup_place peaks[2];     /* of analyse_peaks */
    int looked_for[2];       /* whether such a peak was */
} analyse_scan;

/* Where two sizes, neighbours in the order of sites, have the same value. */
typedef struct analyse_crossing {
    const char *name;
    const analyse_scan *of[2];
    clup_place place;
} analyse_crossing;

/* The rows that have peaks, and those of which sizes cross; each ends with NULL. */
extern const char *const analyse_peaks[], *const analyse_crossings[];

typedef struct analyse_result {
    const char *files[ANALYSE_FILES];
    clup_record *records[ANALYSE_FILES];
    size_t count;
    const char *names; /* of observables, with commas between them; NULL for all */
    double *betas;     /* of --reweight */
    uint32_t beta_count;
    analyse_scan *scans; /* by size */
    size_t scan_count;
    analyse_crossing crossings[2 * ANALYSE_FILES];
    size_t crossing_count;
    int failed; /* the status of an analysis that a report could not make */
} analyse_result;

/* Whether an observable is wanted. */
int analyse_wants(const analyse_result *result, const char *name);
/* What a system has an analysis of: its series, then functions of their means; NULL past the
 * last. */
const char *analyse_name(const clup_record *record, uint32_t system, size_t row);
/* Puts records of the same size together, and makes scans and crossings of them. */
clup_status analyse_reweight(analyse_result *result);
void analyse_free(analyse_result *result);

void analyse_print(analyse_result *result);
void analyse_write_json(analyse_result *result);
/* Draws into a folder, which is made; note says what could not be drawn. */
clup_status analyse_draw(const analyse_result *result, const char *folder, char *note, size_t size);

/* Why a place was not found: a text, or NULL for one that was. */
const char *analyse_place_reason(const clup_place *place);

/* "64x64", in the order of axes. */
void analyse_size_text(const clup_problem *problem, char text[40]);

#endif
