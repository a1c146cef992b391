/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of results. */
#include "bench/point.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ---------------------------------------------------------------------------------- */

const char *bench_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

double bench_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

json_t *bench_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

double bench_rounded(double value, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

/* ---- samples --------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A quantile of sorted values, by linear interpolation. */
static double quantile(const double *sorted, size_t count, double part)
{
    const double at = part * (double)(count - 1);
    const size_t k = (size_t)at;
    return k + 1 < count ? sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[k];
}

double bench_median_of(const double *samples, size_t count, double *spread)
{
    double median = NAN, between = NAN;
    double *sorted = count > 0 ? malloc(count * sizeof *sorted) : NULL;
    if (sorted != NULL) {
        memcpy(sorted, samples, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, ascending);
        median = quantile(sorted, count, 0.5);
        if (count >= 3 && median != 0)
            between = (quantile(sorted, count, 0.75) - quantile(sorted, count, 0.25)) / 2 / median;
    }
    free(sorted);
    if (spread != NULL)
        *spread = between;
    return median;
}

json_t *bench_series(const char *unit, const double *samples, size_t count)
{
    json_t *array = json_array();
    double *kept = malloc((count + 1) * sizeof *kept), median, spread;
    bool failed = array == NULL || kept == NULL;
    for (size_t k = 0; k < count && !failed; k++) {
        kept[k] = bench_rounded(samples[k], 6);
        failed = json_array_append_new(array, json_real(kept[k])) != 0;
    }
    json_t *series = NULL;
    if (!failed) {
        median = bench_median_of(kept, count, &spread);
        series = json_pack("{s:s s:O s:o s:o}", "unit", unit, "samples", array, "median",
                           bench_json(bench_rounded(median, 9)), "spread",
                           bench_json(bench_rounded(spread, 6)));
    }
    json_decref(array);
    free(kept);
    return series;
}

static const json_t *series_of(const json_t *point, const char *name)
{
    return json_object_get(json_object_get(point, "series"), name);
}

double bench_median(const json_t *point, const char *series)
{
    return bench_number(series_of(point, series), "median");
}

double bench_spread(const json_t *point, const char *series)
{
    return bench_number(series_of(point, series), "spread");
}

size_t bench_count(const json_t *point, const char *series)
{
    return json_array_size(json_object_get(series_of(point, series), "samples"));
}

double bench_error(const json_t *point, const char *series)
{
    const double sigma = 2 * bench_spread(point, series) / 1.349;
    return 1.2533 * sigma / sqrt((double)bench_count(point, series));
}

double bench_mean(const json_t *point, const char *series)
{
    const json_t *samples = json_object_get(series_of(point, series), "samples");
    const size_t count = json_array_size(samples);
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += json_number_value(json_array_get(samples, k));
    return count > 0 ? sum / (double)count : NAN;
}

const char *bench_unit(const json_t *point, const char *series)
{
    return json_string_value(json_object_get(series_of(point, series), "unit"));
}

const char *bench_leading(const json_t *point, int *rate)
{
    /* the series of a suite, then those of any suite */
    static const struct {
        const char *suite, *series;
        int rate;
    } rows[] = {
        {"tiles", "local", 0},   {"relax", "iterations", 0}, {"sew", "consolidate", 0},
        {"wolff", "updated", 0}, {"lattices", "wall", 0},    {NULL, "update", 0},
        {NULL, "device", 0},     {NULL, "wall", 0},          {NULL, "copy", 1},
        {NULL, "atomics", 1},    {NULL, "one_atomic", 1},    {NULL, "launch", 0},
        {NULL, "wait", 0},
    };
    const char *suite = bench_text(point, "suite");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if ((rows[k].suite == NULL || strcmp(rows[k].suite, suite) == 0) &&
            isfinite(bench_median(point, rows[k].series))) {
            *rate = rows[k].rate;
            return rows[k].series;
        }
    return NULL;
}
