/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the plans and the fastest kernels of several devices. */
#include "bench/draw/compare_plans.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "bench/cut.h"
#include "bench/index.h"
#include "bench/point.h"
#include "clup.h"

/* ---- plans ----------------------------------------------------------------------------------- */

/* Medians of the stages that a point tells. */
static json_t *stages_of(const json_t *point)
{
    json_t *found = json_object();
    for (clup_stage stage = CLUP_SOURCE; stage <= CLUP_ACTION; stage++) {
        const char *name = clup_stage_name(stage);
        if (isfinite(bench_median(point, name)))
            json_object_set_new(found, name, bench_json(bench_median(point, name)));
    }
    return found;
}

static json_t *plan_of(const json_t *point)
{
    int rate = 0;
    const char *series = point != NULL ? bench_leading(point, &rate) : NULL;
    json_t *plan = json_object_get(point, "plan");
    if (series == NULL || !json_is_object(plan))
        return json_null();
    return json_pack("{s:O s:o s:o s:o}", "plan", plan, "median",
                     bench_json(bench_median(point, series)), "stages", stages_of(point),
                     "bandwidth_fraction", bench_json(bench_number(point, "bandwidth_fraction")));
}

/* Whether a point shows what the planner takes. */
static bool is_planned(const json_t *point, const char *suite)
{
    return strcmp(suite, "label") == 0 || strstr(bench_text(point, "curve"), "default") != NULL;
}

/* What a row is found by: the id, or of an image its size and neighbourhood. */
static void key_of(const json_t *point, const char *suite, char *to, size_t size)
{
    const json_t *problem = json_object_get(point, "problem"),
                 *sides = json_object_get(problem, "size");
    if (strcmp(suite, "label") != 0) {
        bench_print(to, size, "%s", bench_text(point, "id"));
        return;
    }
    bench_print(to, size, "%g", bench_number(problem, "connectivity"));
    for (size_t k = 0; k < json_array_size(sides); k++)
        bench_print(to + strlen(to), size - strlen(to), " %g",
                    json_number_value(json_array_get(sides, k)));
}

static void add_plan(json_t *const *indices, size_t count, const json_t *point, json_t *rows)
{
    int rate = 0;
    const char *id = bench_text(point, "id"), *series = bench_leading(point, &rate);
    json_t *values = json_array();
    for (size_t r = 0; r < count; r++)
        json_array_append_new(values, plan_of(bench_index_point(indices[r], id)));
    json_array_append_new(rows,
                          json_pack("{s:s s:s? s:O s:o}", "id", id, "unit",
                                    series != NULL ? bench_unit(point, series) : NULL, "problem",
                                    json_object_get(point, "problem"), "values", values));
}

json_t *bench_plans(json_t *const *indices, size_t count)
{
    static const char *const suites[] = {"size", "lattices", "label"};
    json_t *rows = json_array(), *listed = json_object(), *point;
    char key[1024];
    size_t k;
    for (size_t s = 0; s < sizeof suites / sizeof *suites; s++)
        for (size_t r = 0; r < count; r++)
            json_array_foreach(bench_index_points(indices[r], suites[s], NULL), k, point)
            {
                if (!is_planned(point, suites[s]) || json_object_get(point, "error") != NULL ||
                    !json_is_object(json_object_get(point, "plan")))
                    continue;
                key_of(point, suites[s], key, sizeof key);
                if (json_object_get(listed, key) != NULL)
                    continue;
                json_object_set_new(listed, key, json_true());
                add_plan(indices, count, point, rows);
            }
    json_decref(listed);
    return rows;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* What is in the id of a point after its suite and curve: tile and size. NULL for the planner's
 * choice, and for a point that failed or has no time. */
static const char *place_of(const json_t *point, const char *suite)
{
    const char *id = bench_text(point, "id"), *curve = bench_text(point, "curve");
    const size_t before = strlen(suite) + strlen(curve) + 2;
    int rate = 0;
    if (strcmp(curve, "default") == 0 || strlen(id) <= before || id[before - 1] != '/' ||
        strncmp(id + strlen(suite) + 1, curve, strlen(curve)) != 0 ||
        json_object_get(point, "error") != NULL || bench_leading(point, &rate) == NULL ||
        !isfinite(bench_median(point, bench_leading(point, &rate))))
        return NULL;
    return id + before;
}

/* The fastest point of a result at each place of a suite: {place: point}. */
static json_t *fastest_of(const json_t *index, const char *suite)
{
    json_t *found = json_object(), *point;
    size_t k;
    int rate = 0;
    json_array_foreach(bench_index_points(index, suite, NULL), k, point)
    {
        const char *at = place_of(point, suite);
        const json_t *before = at != NULL ? json_object_get(found, at) : NULL;
        if (at != NULL &&
            (before == NULL || bench_median(point, bench_leading(point, &rate)) <
                                   bench_median(before, bench_leading(before, &rate))))
            json_object_set(found, at, point);
    }
    return found;
}

static json_t *kernel_of(const json_t *point)
{
    int rate = 0;
    if (point == NULL)
        return json_null();
    return json_pack("{s:s s:o s:o}", "kernel", bench_text(point, "curve"), "median",
                     bench_json(bench_median(point, bench_leading(point, &rate))),
                     "bandwidth_fraction", bench_json(bench_number(point, "bandwidth_fraction")));
}

/* Adds a row for each place of a suite, in the order in which results have them. */
static void add_fastest(json_t *const *indices, size_t count, const char *suite, json_t *rows)
{
    json_t *fastest = json_array(), *listed = json_object(), *point;
    size_t k;
    int rate = 0;
    for (size_t r = 0; r < count; r++)
        json_array_append_new(fastest, fastest_of(indices[r], suite));
    for (size_t r = 0; r < count; r++)
        json_array_foreach(bench_index_points(indices[r], suite, NULL), k, point)
        {
            const char *at = place_of(point, suite);
            if (at == NULL || json_object_get(listed, at) != NULL)
                continue;
            json_object_set_new(listed, at, json_true());
            json_t *values = json_array();
            for (size_t other = 0; other < count; other++)
                json_array_append_new(
                    values, kernel_of(json_object_get(json_array_get(fastest, other), at)));
            json_array_append_new(
                rows, json_pack("{s:s s:s s:s s:o}", "suite", suite, "at", at, "unit",
                                bench_unit(point, bench_leading(point, &rate)), "values", values));
        }
    json_decref(fastest);
    json_decref(listed);
}

json_t *bench_fastest(json_t *const *indices, size_t count)
{
    json_t *rows = json_array();
    add_fastest(indices, count, "tiles", rows);
    add_fastest(indices, count, "size", rows);
    return rows;
}
