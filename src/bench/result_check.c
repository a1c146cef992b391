/* SPDX-License-Identifier: BSD-3-Clause */
/* Validates results. */
#include "bench/result_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cut.h"
#include "bench/point.h"
#include "bench/result.h"
#include "bench/status.h"

/* All fields of a result. A point's series are "quantities", each of which is a "series". A letter
 * gives the type: s text, n number, i whole number, b flag, o object, a array, h 64 hexadecimal
 * digits. A capital letter also allows null; after ? the field may be missing. */
static const struct {
    const char *of, *key, *type;
} fields[] = {
    {"", "schema", "s"},
    {"", "version", "s"},
    {"", "created", "s"},
    {"", "device", "o"},
    {"", "host", "o"},
    {"", "options", "o"},
    {"", "points", "a"},
    {"", "sha256", "h"},
    {"device", "name", "s"},
    {"device", "platform", "s"},
    {"device", "vendor", "s"},
    {"device", "driver", "s"},
    {"device", "type", "s"},
    {"device", "compute_units", "i"},
    {"device", "local_mem_bytes", "i"},
    {"host", "system", "s"},
    {"host", "machine", "s"},
    {"host", "processor", "s"},
    {"host", "cores", "i"},
    {"options", "suite", "s"},
    {"options", "quick", "b"},
    {"options", "sizes", "A"},
    {"options", "seed", "i"},
    {"point", "suite", "s"},
    {"point", "id", "s"},
    {"point", "curve", "s"},
    {"point", "x", "n"},
    {"point", "problem", "o"},
    {"point", "plan", "O"},
    {"point", "series", "?o"},
    {"point", "bytes", "N"},
    {"point", "bandwidth_fraction", "N"},
    {"point", "clusters", "?i"},
    {"point", "spins_sha256", "?h"},
    {"point", "labels_sha256", "?h"},
    {"point", "error", "?s"},
    {"problem", "model", "s"},
    {"problem", "lattice", "?s"},
    {"problem", "size", "?a"},
    {"problem", "periodic", "?a"},
    {"problem", "q", "?i"},
    {"problem", "beta", "?n"},
    {"problem", "algorithm", "?s"},
    {"problem", "program", "?s"},
    {"problem", "picture", "?s"},
    {"problem", "density", "?n"},
    {"problem", "grain", "?i"},
    {"problem", "connectivity", "?i"},
    {"problem", "match", "?s"},
    {"problem", "dtype", "?s"},
    {"plan", "bonds", "S"},
    {"plan", "source", "S"},
    {"plan", "local", "S"},
    {"plan", "consolidate", "S"},
    {"plan", "action", "S"},
    {"plan", "tile", "a"},
    {"quantities", "update", "?o"},
    {"quantities", "wall", "?o"},
    {"quantities", "source", "?o"},
    {"quantities", "local", "?o"},
    {"quantities", "consolidate", "?o"},
    {"quantities", "action", "?o"},
    {"quantities", "updated", "?o"},
    {"quantities", "local_iterations", "?o"},
    {"quantities", "iterations", "?o"},
    {"quantities", "device", "?o"},
    {"quantities", "copy", "?o"},
    {"quantities", "atomics", "?o"},
    {"quantities", "one_atomic", "?o"},
    {"quantities", "launch", "?o"},
    {"quantities", "wait", "?o"},
    {"series", "unit", "s"},
    {"series", "samples", "a"},
    {"series", "median", "N"},
    {"series", "spread", "N"},
};

static bool is_hash(const json_t *value)
{
    const char *text = json_string_value(value);
    return text != NULL && strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static bool fits(const json_t *value, char type)
{
    const char lower = (char)(type | 0x20);
    if (type != lower && json_is_null(value))
        return true;
    return lower == 's'   ? json_is_string(value)
           : lower == 'n' ? json_is_number(value)
           : lower == 'i' ? json_is_integer(value) && json_integer_value(value) >= 0
           : lower == 'b' ? json_is_boolean(value)
           : lower == 'o' ? json_is_object(value)
           : lower == 'a' ? json_is_array(value)
                          : is_hash(value);
}

static const char *type_name(char type)
{
    static const struct {
        char type;
        const char *name;
    } names[] = {{'s', "text"},   {'n', "number"}, {'i', "whole number"}, {'b', "flag"},
                 {'o', "object"}, {'a', "array"},  {'h', "SHA-256"}};
    size_t k = 0;
    while (names[k].type != (type | 0x20))
        k++;
    return names[k].name;
}

static bool is_field(const char *of, const char *key)
{
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        if (strcmp(fields[k].of, of) == 0 && strcmp(fields[k].key, key) == 0)
            return true;
    return false;
}

/* Validates the fields of an object, called where in messages: all that it must have, and no
 * others. */
static clup_status check_fields(const char *path, const json_t *object, const char *of,
                                const char *where)
{
    const char *dot = where[0] != '\0' ? "." : "", *key;
    json_t *value;
    if (!json_is_object(object))
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s is no object", path, where);
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        value = json_object_get(object, fields[k].key);
        const bool optional = fields[k].type[0] == '?';
        if (strcmp(fields[k].of, of) != 0 || (optional && value == NULL))
            continue;
        if (value == NULL)
            return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s%s%s is missing", path, where, dot,
                              fields[k].key);
        if (!fits(value, fields[k].type[optional]))
            return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s%s%s is no %s", path, where, dot,
                              fields[k].key, type_name(fields[k].type[optional]));
    }
    json_object_foreach((json_t *)object, key, value)
    {
        if (!is_field(of, key))
            return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s%s%.*s is no field of %s", path, where,
                              dot, bench_cut(key, 100), key, BENCH_SCHEMA);
    }
    return CLUP_OK;
}

/* Validates that the median and the spread follow from the samples. */
static clup_status check_series(const char *path, const json_t *series, const char *where)
{
    const json_t *samples = json_object_get(series, "samples");
    const size_t count = json_array_size(samples);
    clup_status status = check_fields(path, series, "series", where);
    if (status != CLUP_OK)
        return status;
    double *values = malloc((count + 1) * sizeof *values), spread;
    if (values == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for the samples");
    for (size_t k = 0; k < count && status == CLUP_OK; k++) {
        values[k] = json_number_value(json_array_get(samples, k));
        if (!json_is_number(json_array_get(samples, k)))
            status = bench_fail(CLUP_ERROR_RUNTIME, "%s: %s.samples[%zu] is no number", path, where,
                                k);
    }
    if (status == CLUP_OK) {
        const double median = bench_rounded(bench_median_of(values, count, &spread), 9),
                     said = bench_number(series, "median"),
                     spread_said = bench_number(series, "spread");
        spread = bench_rounded(spread, 6);
        if (count == 0 || !(fabs(median - said) <= 1e-8 * fabs(median)) ||
            isfinite(spread) != isfinite(spread_said) || fabs(spread - spread_said) > 1e-5)
            status = bench_fail(CLUP_ERROR_RUNTIME,
                                "%s: %s: the median and the spread are not those of its samples",
                                path, where);
    }
    free(values);
    return status;
}

/* Validates a point; ids has the ids of the points before it. */
static clup_status check_point(const char *path, const json_t *root, size_t k, json_t *ids)
{
    static const struct {
        const char *key, *of;
    } parts[] = {{"problem", "problem"}, {"plan", "plan"}, {"series", "quantities"}};
    const json_t *point = json_array_get(json_object_get(root, "points"), k);
    char where[256];
    const char *name;
    json_t *series;
    snprintf(where, sizeof where, "points[%zu]", k);
    clup_status status = check_fields(path, point, "point", where);
    if (status != CLUP_OK)
        return status;
    const json_t *all = json_object_get(point, "series");
    if ((all == NULL) == (json_object_get(point, "error") == NULL))
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s has neither series nor an error, or both",
                          path, where);
    const char *id = json_string_value(json_object_get(point, "id")),
               *suite = json_string_value(json_object_get(point, "suite"));
    if (strncmp(id, suite, strlen(suite)) != 0 || id[strlen(suite)] != '/')
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s.id '%s' does not begin with its suite, '%s/'",
                          path, where, id, suite);
    if (json_object_get(ids, id) != NULL)
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s.id '%s' is there twice", path, where, id);
    if (json_object_set_new(ids, id, json_true()) != 0)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for the points of %s", path);
    for (size_t part = 0; part < sizeof parts / sizeof *parts && status == CLUP_OK; part++) {
        const json_t *value = json_object_get(point, parts[part].key);
        snprintf(where, sizeof where, "points[%zu].%s", k, parts[part].key);
        if (value != NULL && !json_is_null(value))
            status = check_fields(path, value, parts[part].of, where);
    }
    json_object_foreach((json_t *)all, name, series)
    {
        snprintf(where, sizeof where, "points[%zu].series.%.*s", k, bench_cut(name, 100), name);
        if (status == CLUP_OK)
            status = check_series(path, series, where);
    }
    return status;
}

clup_status bench_result_check(const char *path, const json_t *root)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (schema == NULL || strncmp(schema, "clup/result/", 12) != 0)
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: is no result of clup bench", path);
    if (strcmp(schema, BENCH_SCHEMA) != 0)
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: has the schema %s; this clup knows %s", path,
                          schema, BENCH_SCHEMA);
    clup_status status = check_fields(path, root, "", "");
    static const char *const parts[] = {"device", "host", "options"};
    for (size_t k = 0; k < 3 && status == CLUP_OK; k++)
        status = check_fields(path, json_object_get(root, parts[k]), parts[k], parts[k]);
    json_t *ids = json_object();
    for (size_t k = 0; k < json_array_size(json_object_get(root, "points")) && status == CLUP_OK;
         k++)
        status = check_point(path, root, k, ids);
    json_decref(ids);
    return status;
}
