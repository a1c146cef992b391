/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares results. */
#include "bench/draw/compare.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/draw/compare_plans.h"
#include "bench/draw/headline.h"
#include "bench/index.h"
#include "bench/point.h"
#include "bench/same.h"
#include "bench/status.h"
#include "bench/measure/suite.h"

/* The name of a file, which may have any bytes, as text for JSON and pages. */
static json_t *file_name(const char *name)
{
    json_t *as_it_is = json_string(name);
    char *shown = as_it_is == NULL ? strdup(name) : NULL;
    for (char *at = shown; at != NULL && *at != '\0'; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    if (shown != NULL)
        as_it_is = json_string(shown);
    free(shown);
    return as_it_is;
}

/* ---- what can be compared -------------------------------------------------------------------- */

/* The hash of the spins or labels of a point; NULL for none. */
static const char *hash_of(const json_t *point)
{
    const char *spins = bench_text(point, "spins_sha256"),
               *labels = bench_text(point, "labels_sha256");
    return spins[0] != '\0' ? spins : labels[0] != '\0' ? labels : NULL;
}

/* ---- points ---------------------------------------------------------------------------------- */

typedef struct comparer {
    json_t *const *results;
    const char *const *names;
    size_t count;
    json_t **indices;  /* of the results */
    json_t *different; /* points whose hashes differ */
    unsigned equal;
} comparer;

/* The values of a point in one result; first is the point in the first result. */
static json_t *value_of(const json_t *point, const json_t *first, const char *series, int rate)
{
    if (point == NULL)
        return json_null();
    if (json_object_get(point, "error") != NULL)
        return json_pack("{s:s}", "failed", bench_text(point, "error"));
    if (!isfinite(bench_median(point, series)))
        return json_null();
    const double median = bench_median(point, series),
                 ratio = first == NULL ? NAN
                         : rate        ? bench_median(first, series) / median
                                       : median / bench_median(first, series),
                 error = first == point
                             ? 0
                             : ratio * hypot(bench_error(point, series),
                                             first != NULL ? bench_error(first, series) : NAN);
    return json_pack("{s:o s:o s:o s:o s:o}", "median", bench_json(median), "spread",
                     bench_json(bench_spread(point, series)), "ratio", bench_json(ratio), "error",
                     bench_json(error), "bandwidth_fraction",
                     bench_json(bench_number(point, "bandwidth_fraction")));
}

/* Whether two results must have equal spins, or labels, at points with equal problems. Quick runs
 * begin from other spins than full runs. */
static bool can_agree(const json_t *a, const json_t *b, bool spins)
{
    const json_t *one = json_object_get(a, "options"), *other = json_object_get(b, "options");
    return bench_same(json_object_get(one, "seed"), json_object_get(other, "seed")) &&
           (!spins || json_equal(json_object_get(one, "quick"), json_object_get(other, "quick")));
}

/* Compares the hash of each result with that of the first earlier result that must have an equal
 * one. */
static void compare_hashes(comparer *c, const char *id)
{
    unsigned compared = 0;
    json_t *files = NULL;
    for (size_t r = 0; r < c->count; r++) {
        const json_t *point = bench_index_point(c->indices[r], id);
        const char *hash = point != NULL ? hash_of(point) : NULL;
        for (size_t before = 0; before < r && hash != NULL; before++) {
            const json_t *first = bench_index_point(c->indices[before], id);
            const char *known = first != NULL ? hash_of(first) : NULL;
            if (known == NULL || !can_agree(c->results[before], c->results[r],
                                            json_object_get(point, "spins_sha256") != NULL))
                continue;
            compared++;
            if (strcmp(hash, known) != 0) {
                if (files == NULL)
                    files = json_pack("[o]", file_name(c->names[before]));
                json_array_append_new(files, file_name(c->names[r]));
            }
            break;
        }
    }
    c->equal += compared > 0 && files == NULL;
    if (files != NULL)
        json_array_append_new(c->different, json_pack("{s:s s:o}", "id", id, "files", files));
}

/* Compares one point, of any result, in all results. */
static clup_status compare_point(comparer *c, const json_t *any, json_t *points)
{
    const char *id = bench_text(any, "id"), *series = NULL, *unit = NULL, *from = NULL;
    const json_t *problem = NULL, *first = bench_index_point(c->indices[0], id);
    char differ[512];
    int rate = 0;
    json_t *values = json_array();
    clup_status status = CLUP_OK;
    for (size_t r = 0; r < c->count && status == CLUP_OK; r++) {
        const json_t *point = bench_index_point(c->indices[r], id);
        if (point == NULL || json_object_get(point, "error") != NULL)
            continue;
        const json_t *here = json_object_get(point, "problem");
        int rate_here;
        const char *leading = bench_leading(point, &rate_here);
        const char *unit_here = series != NULL ? bench_unit(point, series) : NULL;
        if (problem != NULL &&
            bench_differ(problem, here, "problem", " and ", differ, sizeof differ))
            status = bench_fail(CLUP_ERROR_USAGE, "%s and %s: points '%s': %s", from, c->names[r],
                                id, differ);
        /* a device without event times has not all series */
        if (status == CLUP_OK && unit_here != NULL && strcmp(unit, unit_here) != 0)
            status = bench_fail(CLUP_ERROR_USAGE,
                                "%s and %s: points '%s': the unit of %s is %s and %s", from,
                                c->names[r], id, series, unit, unit_here);
        if (series == NULL && leading != NULL) {
            series = leading;
            rate = rate_here;
            unit = bench_unit(point, series);
            problem = here;
            from = c->names[r];
        }
    }
    for (size_t r = 0; r < c->count && status == CLUP_OK; r++)
        json_array_append_new(values, value_of(bench_index_point(c->indices[r], id), first,
                                               series != NULL ? series : "", rate));
    if (status == CLUP_OK) {
        compare_hashes(c, id);
        json_array_append_new(points, json_pack("{s:s s:s? s:s? s:O}", "id", id, "series", series,
                                                "unit", unit, "values", values));
    }
    json_decref(values);
    return status;
}

/* Geometric means of ratios over the points that all results have. */
static json_t *mean_ratios(const json_t *points, size_t count)
{
    json_t *ratios = json_array();
    for (size_t r = 0; r < count; r++) {
        double sum = 0;
        unsigned used = 0;
        for (size_t k = 0; k < json_array_size(points); k++) {
            const json_t *values = json_object_get(json_array_get(points, k), "values");
            bool all = true;
            for (size_t j = 0; j < count; j++)
                all = all && isfinite(bench_number(json_array_get(values, j), "ratio"));
            if (!all)
                continue;
            sum += log(bench_number(json_array_get(values, r), "ratio"));
            used++;
        }
        json_array_append_new(ratios, bench_json(used > 0 ? exp(sum / used) : NAN));
    }
    return ratios;
}

static bool in_earlier(const comparer *c, size_t result, const char *id)
{
    for (size_t r = 0; r < result; r++)
        if (bench_index_point(c->indices[r], id) != NULL)
            return true;
    return false;
}

static clup_status compare_suite(comparer *c, const char *name, const char *about, json_t *suites)
{
    json_t *points = json_array(), *point;
    clup_status status = CLUP_OK;
    for (size_t r = 0; r < c->count; r++) {
        size_t k;
        json_array_foreach(bench_index_points(c->indices[r], name, NULL), k, point)
        {
            if (status == CLUP_OK && !in_earlier(c, r, bench_text(point, "id")))
                status = compare_point(c, point, points);
        }
    }
    if (status == CLUP_OK && json_array_size(points) > 0)
        json_array_append_new(suites,
                              json_pack("{s:s s:s s:o s:O}", "suite", name, "about", about,
                                        "ratios", mean_ratios(points, c->count), "points", points));
    json_decref(points);
    return status;
}

static bool is_known(const char *name)
{
    const bench_suite *suite;
    for (size_t k = 0; (suite = bench_suite_row(k)) != NULL; k++)
        if (strcmp(suite->name, name) == 0)
            return true;
    return false;
}

/* Compares the suites of this clup in their order, then other suites. */
static clup_status compare_suites(comparer *c, json_t *suites)
{
    const bench_suite *suite;
    clup_status status = CLUP_OK;
    for (size_t k = 0; (suite = bench_suite_row(k)) != NULL && status == CLUP_OK; k++)
        status = compare_suite(c, suite->name, suite->about, suites);
    json_t *listed = json_object(), *points;
    for (size_t r = 0; r < c->count && status == CLUP_OK; r++) {
        const char *name;
        json_object_foreach(json_object_get(c->indices[r], "suites"), name, points)
        {
            if (status != CLUP_OK || is_known(name) || json_object_get(listed, name) != NULL)
                continue;
            status = json_object_set_new(listed, name, json_true()) == 0
                         ? compare_suite(c, name, "of another version", suites)
                         : bench_fail(CLUP_ERROR_MEMORY, "out of memory for the comparison");
        }
    }
    json_decref(listed);
    return status;
}

/* Notes for the reader about the results, which are numbered. */
static json_t *notes_of(const comparer *c)
{
    json_t *notes = json_array();
    for (size_t r = 1; r < c->count; r++) {
        const json_t *first = c->results[0], *here = c->results[r];
        if (strcmp(bench_text(first, "version"), bench_text(here, "version")) != 0)
            json_array_append_new(notes, json_sprintf("[1] is of clup %s, [%zu] of clup %s",
                                                      bench_text(first, "version"), r + 1,
                                                      bench_text(here, "version")));
        if (!can_agree(first, here, true))
            json_array_append_new(
                notes, json_sprintf("the spins of [1] and [%zu] are not held against each other: "
                                    "they began from others, options.quick or options.seed differs",
                                    r + 1));
    }
    return notes;
}

static json_t *head_of(const json_t *root, const char *name)
{
    const json_t *device = json_object_get(root, "device"), *host = json_object_get(root, "host"),
                 *options = json_object_get(root, "options");
    return json_pack("{s:o s:s s:s s:s s:s s:s s:s s:s s:s s:O s:s}", "file", file_name(name),
                     "name", bench_text(device, "name"), "vendor", bench_text(device, "vendor"),
                     "platform", bench_text(device, "platform"), "driver",
                     bench_text(device, "driver"), "host", bench_text(host, "processor"), "version",
                     bench_text(root, "version"), "created", bench_text(root, "created"), "suite",
                     bench_text(options, "suite"), "quick", json_object_get(options, "quick"),
                     "sha256", bench_text(root, "sha256"));
}

static json_t *headlines_of(const comparer *c)
{
    json_t *headlines = json_array();
    for (size_t r = 1; r < c->count; r++)
        json_array_append_new(headlines, bench_headline(c->indices[0], c->indices[r], r));
    return headlines;
}

clup_status bench_compare(json_t *const *results, const char *const *names, size_t count,
                          json_t **comparison)
{
    json_t *indices[BENCH_COMPARED_MOST], *heads = json_array(), *suites = json_array();
    comparer c = {results, names, count, indices, json_array(), 0};
    clup_status status = CLUP_OK;
    for (size_t r = 0; r < count; r++)
        if ((indices[r] = bench_index(results[r])) == NULL)
            status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for the comparison");
    for (size_t r = 0; r < count; r++)
        json_array_append_new(heads, head_of(results[r], names[r]));
    if (status == CLUP_OK)
        status = compare_suites(&c, suites);
    *comparison = status == CLUP_OK
                      ? json_pack("{s:s s:s s:o s:O s:O s:{s:i s:O} s:o s:o s:o}", "schema",
                                  "clup/compare/1", "version", clup_version(), "headlines",
                                  headlines_of(&c), "results", heads, "suites", suites, "hashes",
                                  "equal", (int)c.equal, "different", c.different, "notes",
                                  notes_of(&c), "plans", bench_plans(indices, count), "fastest",
                                  bench_fastest(indices, count))
                      : NULL;
    for (size_t r = 0; r < count; r++)
        json_decref(indices[r]);
    json_decref(heads);
    json_decref(suites);
    json_decref(c.different);
    if (status == CLUP_OK && *comparison == NULL)
        status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for the comparison");
    return status;
}
