/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of several devices, side by side. */
#ifndef CLUP_BENCH_DRAW_COMPARE_H
#define CLUP_BENCH_DRAW_COMPARE_H
#include <jansson.h>
#include <stdio.h>

#include "clup.h"

#define BENCH_COMPARED_MOST 16

/* Compares results[count], read from the files names[count], with the first of them. *comparison is
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
 *    "hashes": {"equal": N, "different": [{"id", "files": [..]}, ..]}, "notes": [text, ..],
 *    "plans", "fastest": see compare_plans.h}
 *
 * with a value for each result, null where the result has no such point. A ratio is the time
 * divided by that of the first result (for rates the inverse), and its error a standard error.
 * "ratios" are the geometric means over the points of a suite that all results have. "equal" counts
 * points whose spins or labels are equal in all results that can be compared: quick runs begin from
 * other spins than full runs, and are not compared with them. "notes" say so, and which versions of
 * clup differ. CLUP_ERROR_USAGE, with the id and the field, when one id has different problems or
 * units. */
clup_status bench_compare(json_t *const *results, const char *const *names, size_t count,
                          json_t **comparison);
/* Prints a comparison as a table for a terminal. */
void bench_compare_print(const json_t *comparison, FILE *to);
/* Writes a comparison as a page, in Markdown and HTML; NULL for none. */
clup_status bench_compare_write(const json_t *comparison, const char *md, const char *html);

#endif
