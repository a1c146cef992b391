/* SPDX-License-Identifier: BSD-3-Clause */
/* The headline of a comparison. */
#include "bench/draw/headline.h"

#include <math.h>
#include <string.h>

#include "bench/index.h"
#include "bench/point.h"

/* A size fills a device when the time a site is at most FILLED times the least time a site. */
#define FILLED 1.1

/* Suites, in the order of preference. */
static const char *const suites[] = {"size", "lattices", "table", "breakdown", "beta", "label"};

/* The time a site, in a unit that all points of a suite share; NAN for none. */
static double time_of(const json_t *point)
{
    int rate = 0;
    const char *series = json_object_get(point, "error") == NULL ? bench_leading(point, &rate)
                                                                 : NULL;
    const char *unit = series != NULL ? bench_unit(point, series) : "";
    if (series == NULL || rate)
        return NAN;
    if (strstr(unit, "/site") != NULL)
        return bench_median(point, series);
    /* for images, x is the number of pixels */
    return strcmp(bench_text(point, "suite"), "label") == 0
               ? bench_median(point, series) / bench_number(point, "x")
               : NAN;
}

/* The point of least x that fills a device; NULL for none. */
static const json_t *filled(const json_t *index, const char *suite, const char *curve)
{
    const json_t *points = bench_index_points(index, suite, curve), *found = NULL;
    double least = INFINITY;
    for (size_t k = 0; k < json_array_size(points); k++)
        least = fmin(least, time_of(json_array_get(points, k)));
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k);
        if (time_of(point) <= FILLED * least &&
            (found == NULL || bench_number(point, "x") < bench_number(found, "x")))
            found = point;
    }
    return found;
}

/* The curve of a suite for which both results have times: the planner's choice, else the first.
 * NULL for none. */
static const char *common_curve(const json_t *first, const json_t *other, const char *suite)
{
    const json_t *names = bench_index_curves(first, suite);
    if (filled(first, suite, "default") != NULL && filled(other, suite, "default") != NULL)
        return "default";
    for (size_t k = 0; k < json_array_size(names); k++) {
        const char *curve = json_string_value(json_array_get(names, k));
        if (filled(first, suite, curve) != NULL && filled(other, suite, curve) != NULL)
            return curve;
    }
    return NULL;
}

json_t *bench_headline(const json_t *first, const json_t *other, size_t r)
{
    for (size_t s = 0; s < sizeof suites / sizeof *suites; s++) {
        const char *curve = common_curve(first, other, suites[s]);
        if (curve == NULL)
            continue;
        const json_t *from = filled(first, suites[s], curve), *to = filled(other, suites[s], curve);
        return json_pack("{s:i s:s s:s s:s s:s s:o}", "result", (int)r, "suite", suites[s], "curve",
                         curve, "id", bench_text(to, "id"), "first_id", bench_text(from, "id"),
                         "ratio", bench_json(time_of(to) / time_of(from)));
    }
    return json_null();
}
