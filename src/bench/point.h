/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of results: their fields, their series, and the statistics of samples. */
#ifndef CLUP_BENCH_POINT_H
#define CLUP_BENCH_POINT_H
#include <jansson.h>

#include "clup.h"

/* A field of an object: its text, "" where it has none, and its number, NAN where it has none. */
const char *bench_text(const json_t *object, const char *key);
double bench_number(const json_t *object, const char *key);
/* A number for an object, null for NAN and infinities. */
json_t *bench_json(double value);
/* As a file has it, which keeps so many digits. */
double bench_rounded(double value, int digits);

/* A series of samples, {"unit", "samples", "median", "spread"}; samples are rounded to six digits.
 * NULL without memory. */
json_t *bench_series(const char *unit, const double *samples, size_t count);
/* The median and, unless spread is NULL, half the distance of the quartiles over it, NAN for fewer
 * than three samples. */
double bench_median_of(const double *samples, size_t count, double *spread);
/* The same of a point's series; NAN for one that it has not. */
double bench_median(const json_t *point, const char *series);
double bench_spread(const json_t *point, const char *series);
/* The standard error of the median, relative to it: 1.2533 sigma/sqrt(n), where sigma is the
 * distance of the quartiles over 1.349, as for samples with a normal distribution; NAN for fewer
 * than three samples. */
double bench_error(const json_t *point, const char *series);
/* How many samples there are, and their mean; NAN for none. */
size_t bench_count(const json_t *point, const char *series);
double bench_mean(const json_t *point, const char *series);
/* The unit, NULL where there is no such series. */
const char *bench_unit(const json_t *point, const char *series);

/* The series by which points of a suite are compared, such as "local" of tiles; *rate is whether
 * more is better. NULL for a point that failed. */
const char *bench_leading(const json_t *point, int *rate);

#endif
