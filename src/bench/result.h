/* Result files, of the schema clup/result/1 (doc/result.schema.json): reading, checking, writing,
 * and what is asked of their points. */
#ifndef CLUP_BENCH_RESULT_H
#define CLUP_BENCH_RESULT_H
#include <jansson.h>

#include "clup.h"

#define BENCH_SCHEMA "clup/result/1"

/* Keeps the text, as clup_error_detail does, and returns status. */
clup_status bench_fail(clup_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same after a function of the library: with its detail, unless status is CLUP_OK. */
clup_status bench_library(clup_status status);
/* What the last failure in src/bench was about. */
const char *bench_detail(void);

/* Reads a result and checks it: its fields, that each median and spread is that of the samples, and
 * that the sha256 is that of the rest. CLUP_ERROR_RUNTIME, with the file's name and what is wrong,
 * for what is none; CLUP_ERROR_MEMORY. Freed with json_decref. */
clup_status bench_result_load(const char *path, json_t **root);
/* Sets the sha256, and writes the file, whole or not at all. */
clup_status bench_result_save(const char *path, json_t *root);

/* The point of this id; NULL for none. */
const json_t *bench_find(const json_t *root, const char *id);

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
