/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of a result: {"ids": {id: point}, "suites": {suite: {"points": [point], "names":
 * [curve], "curves": {curve: [point]}}}}. */
#include "bench/index.h"

#include <stdbool.h>

#include "bench/point.h"

/* Returns the value of key; makes one when there is none. NULL without memory. */
static json_t *need(json_t *object, const char *key, json_t *(*make)(void))
{
    json_t *value = json_object_get(object, key);
    if (value == NULL && json_object_set_new(object, key, make()) == 0)
        value = json_object_get(object, key);
    return value;
}

static bool add_to_suite(json_t *suites, json_t *point)
{
    const char *curve = bench_text(point, "curve");
    json_t *suite = need(suites, bench_text(point, "suite"), json_object),
           *points = need(suite, "points", json_array), *names = need(suite, "names", json_array),
           *curves = need(suite, "curves", json_object);
    if (points == NULL || names == NULL || curves == NULL)
        return false;
    if (json_object_get(curves, curve) == NULL &&
        json_array_append_new(names, json_string(curve)) != 0)
        return false;
    json_t *of_curve = need(curves, curve, json_array);
    return of_curve != NULL && json_array_append(points, point) == 0 &&
           json_array_append(of_curve, point) == 0;
}

json_t *bench_index(const json_t *root)
{
    json_t *index = json_pack("{s:{}, s:{}}", "ids", "suites"), *point;
    json_t *ids = json_object_get(index, "ids"), *suites = json_object_get(index, "suites");
    bool failed = index == NULL;
    size_t k;
    json_array_foreach(json_object_get(root, "points"), k, point)
    {
        const char *id = bench_text(point, "id");
        /* the first of several points with one id */
        if (!failed && json_object_get(ids, id) == NULL)
            failed = json_object_set(ids, id, point) != 0;
        failed = failed || !add_to_suite(suites, point);
    }
    if (failed) {
        json_decref(index);
        index = NULL;
    }
    return index;
}

json_t *bench_index_point(const json_t *index, const char *id)
{
    return json_object_get(json_object_get(index, "ids"), id);
}

static const json_t *suite_of(const json_t *index, const char *suite)
{
    return json_object_get(json_object_get(index, "suites"), suite);
}

const json_t *bench_index_points(const json_t *index, const char *suite, const char *curve)
{
    const json_t *found = suite_of(index, suite);
    return curve != NULL ? json_object_get(json_object_get(found, "curves"), curve)
                         : json_object_get(found, "points");
}

const json_t *bench_index_curves(const json_t *index, const char *suite)
{
    return json_object_get(suite_of(index, suite), "names");
}
