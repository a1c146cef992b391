/* What a table and a page of a comparison say in the same words. */
#include "bench/compare_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/cut.h"
#include "bench/point.h"

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
