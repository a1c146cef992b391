/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of several devices, side by side. */
#ifndef CLUP_BENCH_DRAW_COMPARE_H
#define CLUP_BENCH_DRAW_COMPARE_H
#include <jansson.h>
#include <stdio.h>

#include "clup.h"

#define BENCH_COMPARED_MOST 16

/* Holds results[count], read from names[count], against the first of them: *comparison is
 *
 *   {"schema": "clup/compare/1", "version": clup's,
 *    "results": [{"file", "name", "vendor", "platform", "driver", "host", "version", "created",
 *                 "suite", "quick", "sha256"}, ..],
 *    "suites": [{"suite", "about", "ratios": [r, ..],
 *                "points": [{"id", "series", "unit",
 *                            "values": [{"median", "spread", "ratio", "error",
 *                                        "bandwidth_fraction"}, {"failed": text} or null, ..]},
 *                           ..]}, ..],
 *    "headlines": [{"result": r, "suite", "curve", "id", "first_id", "ratio"}, ..],
 *    "hashes": {"equal": N, "different": [{"id", "files": [..]}, ..]}, "notes": [text, ..]}
 *
 * with a value for each result, null for a point that it has not. A ratio is the time over that of
 * the first result, of rates the other way round, and its error a standard error; "ratios" are the
 * geometric means of a suite, over the points that all have. "equal" are points whose spins or
 * labels are the same wherever they are; those of a quick run are not held against those of one
 * that is not, for they begin from others. Notes say so, and which versions of clup differ.
 * CLUP_ERROR_USAGE names points of one id and different problems or units, and the field. */
clup_status bench_compare(json_t *const *results, const char *const *names, size_t count,
                          json_t **comparison);
/* As a table for a terminal. */
void bench_compare_print(const json_t *comparison, FILE *to);
/* As a page, in Markdown and HTML; NULL for none. */
clup_status bench_compare_write(const json_t *comparison, const char *md, const char *html);

#endif
