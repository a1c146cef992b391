/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of results: their fields, their series, and the statistics of samples. */
#ifndef CLUP_BENCH_POINT_H
#define CLUP_BENCH_POINT_H
#include <jansson.h>

#include "clup.h"

/* A field of an object: as text, "" where it is no text; as a number, NAN where it is no number. */
const char *bench_text(const json_t *object, const char *key);
double bench_number(const json_t *object, const char *key);
/* A JSON number; null for NAN and infinities. */
json_t *bench_json(double value);
/* Rounds value to so many digits, as a file keeps it. */
double bench_rounded(double value, int digits);

/* A series of samples, {"unit", "samples", "median", "spread"}; samples are rounded to six digits.
 * NULL without memory. */
json_t *bench_series(const char *unit, const double *samples, size_t count);
/* The median. *spread, unless spread is NULL, becomes half the distance between the quartiles,
 * divided by the median; NAN for fewer than three samples. */
double bench_median_of(const double *samples, size_t count, double *spread);
/* The median and the spread of a series of a point; NAN when the point has no such series. */
double bench_median(const json_t *point, const char *series);
double bench_spread(const json_t *point, const char *series);
/* The standard error of the median, divided by the median: 1.2533 sigma/sqrt(n). sigma is the
 * distance between the quartiles divided by 1.349, as for a normal distribution. NAN for fewer than
 * three samples. */
double bench_error(const json_t *point, const char *series);
/* The number of samples, and their mean; NAN for no samples. */
size_t bench_count(const json_t *point, const char *series);
double bench_mean(const json_t *point, const char *series);
/* The unit of a series, NULL where the point has no such series. */
const char *bench_unit(const json_t *point, const char *series);

/* The series by which the points of a suite are compared, such as "local" for the suite of tiles.
 * *rate tells whether more is better. NULL for a point that failed. */
const char *bench_leading(const json_t *point, int *rate);

#endif
