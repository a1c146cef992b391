/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that the table and the page of a comparison share. */
#include "bench/draw/compare_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/cut.h"
#include "bench/point.h"
#include "bench/units.h"

const char *bench_compare_id(const json_t *point)
{
    const char *slash = strchr(bench_text(point, "id"), '/');
    return slash != NULL ? slash + 1 : bench_text(point, "id");
}

static const char *unit_of(const json_t *point)
{
    const char *unit = bench_text(point, "unit");
    return strcmp(unit, "1") == 0 ? "iterations" : unit;
}

void bench_compare_median(const json_t *value, char *to, size_t size)
{
    const double median = bench_number(value, "median");
    if (isfinite(median))
        snprintf(to, size, median < 1000 ? "%.3g" : "%.0f", median);
    else
        snprintf(to, size, "%s", json_is_null(value) ? "-" : "failed");
}

void bench_compare_ratio(const json_t *value, char *to, size_t size)
{
    const double ratio = bench_number(value, "ratio"), error = bench_number(value, "error");
    int digits = 2;
    to[0] = '\0';
    if (!isfinite(ratio))
        return;
    if (!isfinite(error) || error == 0) {
        snprintf(to, size, "%.3g", ratio);
        return;
    }
    digits = (int)ceil(-log10(error));
    digits = digits < 0 ? 0 : digits > 6 ? 6 : digits;
    snprintf(to, size, "%.*f(%.0f)", digits, ratio, ceil(error * pow(10, digits)));
}

void bench_compare_hashes(const json_t *comparison, char *to, size_t size)
{
    const json_t *hashes = json_object_get(comparison, "hashes");
    const size_t different = json_array_size(json_object_get(hashes, "different"));
    const long long equal = (long long)json_integer_value(json_object_get(hashes, "equal"));
    if (different > 0)
        snprintf(to, size,
                 "%zu points gave different spins or labels, %lld the same on all: one of "
                 "these devices computes something wrong",
                 different, equal);
    else if (equal > 0)
        snprintf(to, size,
                 "the spins and labels of all %lld points that several results have are the "
                 "same, bit for bit",
                 equal);
    else
        snprintf(to, size, "no point with spins or labels is in more than one result");
}

void bench_compare_percent(double part, char *to, size_t size)
{
    const double percent = 100 * part;
    to[0] = '\0';
    if (isfinite(percent))
        snprintf(to, size,
                 percent >= 999.5 ? ">999"
                 : percent < 9.95 ? "%.1f%%"
                                  : "%.0f%%",
                 percent);
}

void bench_compare_quantity(const json_t *point, bool series, bool unit, char *to, size_t size)
{
    const bool has_series = series &&
                            strcmp(bench_text(point, "series"), bench_compare_id(point)) != 0 &&
                            bench_text(point, "series")[0] != '\0',
               has_unit = unit && bench_text(point, "unit")[0] != '\0' &&
                          !(has_series && strcmp(bench_text(point, "series"), unit_of(point)) == 0);
    bench_print(to, size, "%s%s%s", has_series ? bench_text(point, "series") : "",
                has_series && has_unit ? ", " : "", has_unit ? unit_of(point) : "");
}

/* Writes a device's name as "[1] NAME", cut to fit a line. */
static void name_of(const json_t *comparison, size_t r, char *to, size_t size)
{
    const char *name = bench_text(json_array_get(json_object_get(comparison, "results"), r),
                                  "name");
    bench_print(to, size, "[%zu] %.*s", r + 1, bench_cut(name, 60), name);
}

void bench_compare_headline(const json_t *comparison, const json_t *headline, char *to, size_t size)
{
    static const struct {
        const char *suite, *words;
    } rows[] = {{"size", "sweeps of a square lattice"},
                {"lattices", "measured sweeps"},
                {"label", "labelling of images"},
                {NULL, "sweeps"}};
    const double ratio = bench_number(headline, "ratio"), times = ratio > 1 ? ratio : 1 / ratio;
    const size_t other = (size_t)json_integer_value(json_object_get(headline, "result"));
    char first[128], second[128], number[BENCH_UNITS];
    size_t k = 0;
    to[0] = '\0';
    if (!isfinite(ratio))
        return;
    while (rows[k].suite != NULL && strcmp(rows[k].suite, bench_text(headline, "suite")) != 0)
        k++;
    name_of(comparison, ratio > 1 ? 0 : other, first, sizeof first);
    name_of(comparison, ratio > 1 ? other : 0, second, sizeof second);
    const char *ids[] = {strchr(bench_text(headline, "first_id"), '/'),
                         strchr(bench_text(headline, "id"), '/')},
               *at = ids[ratio <= 1], *there = ids[ratio > 1];
    if (times < 1.005)
        snprintf(number, sizeof number, "%s", "as fast as");
    else
        snprintf(number, sizeof number,
                 times < 100 ? "%.3g times faster than" : "%.0f times faster than", times);
    bench_print(to, size, "%s is %s %s at %s, each of a size that fills it (%s and %s)", first,
                number, second, rows[k].words, at != NULL ? at + 1 : "",
                there != NULL ? there + 1 : "");
}
