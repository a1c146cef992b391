/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that the table and the page of a comparison share. */
#ifndef CLUP_BENCH_DRAW_COMPARE_WORDS_H
#define CLUP_BENCH_DRAW_COMPARE_WORDS_H
#include <jansson.h>
#include <stdbool.h>

/* The id of a point without its suite. */
const char *bench_compare_id(const json_t *point);
/* Writes what is measured: the series and the unit, as far as asked for. */
void bench_compare_quantity(const json_t *point, bool series, bool unit, char *to, size_t size);
/* Writes the median of a value, such as "6.12", or "failed". */
void bench_compare_median(const json_t *value, char *to, size_t size);
/* Writes the ratio with its error in the last digit, such as "1.234(5)"; "" when there is none. */
void bench_compare_ratio(const json_t *value, char *to, size_t size);
/* Writes a fraction as a percentage in at most four characters; "" for none. */
void bench_compare_percent(double part, char *to, size_t size);
/* Writes whether spins and labels are equal. */
void bench_compare_hashes(const json_t *comparison, char *to, size_t size);
/* Writes a headline of a comparison, such as "A is 3 times faster than B at sweeps of ..."; "" for
 * null. */
void bench_compare_headline(const json_t *comparison, const json_t *headline, char *to,
                            size_t size);

#endif
