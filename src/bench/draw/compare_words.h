/* SPDX-License-Identifier: BSD-3-Clause */
/* What a table and a page of a comparison say in the same words. */
#ifndef CLUP_BENCH_DRAW_COMPARE_WORDS_H
#define CLUP_BENCH_DRAW_COMPARE_WORDS_H
#include <jansson.h>
#include <stdbool.h>

/* The end of a point's id, after its suite. */
const char *bench_compare_id(const json_t *point);
/* What is measured: the series and the unit, those of the two that are asked for. */
void bench_compare_quantity(const json_t *point, bool series, bool unit, char *to, size_t size);
/* The median of a value, as in "6.12" or "failed". */
void bench_compare_median(const json_t *value, char *to, size_t size);
/* The ratio with its error in the last digit, as in "1.234(5)"; "" where there is none. */
void bench_compare_ratio(const json_t *value, char *to, size_t size);
/* A part as a percentage in at most four characters; "" for none. */
void bench_compare_percent(double part, char *to, size_t size);
/* Whether spins and labels are the same. */
void bench_compare_hashes(const json_t *comparison, char *to, size_t size);
/* A headline of a comparison, such as "A is 3 times faster than B at sweeps of ..."; "" for null.
 */
void bench_compare_headline(const json_t *comparison, const json_t *headline, char *to,
                            size_t size);

#endif
