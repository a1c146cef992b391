/* Comparing results. */
#include "bench/compare.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/page.h"
#include "bench/result.h"
#include "bench/suite.h"

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL ? value : "";
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- what can be compared -------------------------------------------------------------------- */

/* The field by which two problems differ. */
static clup_status refuse_unlike(const char *id, const json_t *a, const json_t *b,
                                 const char *const names[2])
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)a, key, value)
    {
        if (json_equal(value, json_object_get(b, key)))
            continue;
        char *one = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) | JSON_COMPACT),
             *other = json_dumps(json_object_get(b, key),
                                 JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) | JSON_COMPACT);
        const clup_status status = bench_fail(
            CLUP_ERROR_USAGE, "%s and %s: the problems of %s are not alike: %s is %s and %s",
            names[0], names[1], id, key, one != NULL ? one : "?",
            other != NULL ? other : "missing");
        free(one);
        free(other);
        return status;
    }
    return bench_fail(CLUP_ERROR_USAGE, "%s and %s: the problems of %s are not alike", names[0],
                      names[1], id);
}

/* The hash of what a point gave; NULL for none. */
static const char *hash_of(const json_t *point)
{
    const char *spins = text(point, "spins_sha256"), *labels = text(point, "labels_sha256");
    return spins[0] != '\0' ? spins : labels[0] != '\0' ? labels : NULL;
}

/* ---- points ---------------------------------------------------------------------------------- */

typedef struct comparer {
    json_t *const *results;
    const char *const *names;
    size_t count;
    json_t *different; /* hashes */
    unsigned equal;
} comparer;

/* What one result has of a point; first is the first result's. */
static json_t *value_of(const json_t *point, const json_t *first, const char *series, int rate)
{
    if (point == NULL)
        return json_null();
    if (json_object_get(point, "error") != NULL)
        return json_pack("{s:s}", "failed", text(point, "error"));
    const double median = bench_median(point, series),
                 ratio = first == NULL ? NAN
                         : rate        ? bench_median(first, series) / median
                                       : median / bench_median(first, series),
                 error = first == point
                             ? 0
                             : ratio * hypot(bench_error(point, series),
                                             first != NULL ? bench_error(first, series) : NAN);
    return json_pack("{s:o s:o s:o s:o s:o}", "median", number(median), "spread",
                     number(bench_spread(point, series)), "ratio", number(ratio), "error",
                     number(error), "bandwidth_fraction",
                     number(number_of(point, "bandwidth_fraction")));
}

static void compare_hashes(comparer *c, const char *id)
{
    const char *known = NULL;
    bool same = true;
    unsigned count = 0;
    json_t *files = json_array();
    for (size_t r = 0; r < c->count; r++) {
        const json_t *point = bench_find(c->results[r], id);
        const char *hash = point != NULL ? hash_of(point) : NULL;
        if (hash == NULL)
            continue;
        known = known != NULL ? known : hash;
        same = same && strcmp(hash, known) == 0;
        json_array_append_new(files, json_string(c->names[r]));
        count++;
    }
    c->equal += same && count > 1;
    if (!same)
        json_array_append_new(c->different, json_pack("{s:s s:O}", "id", id, "files", files));
    json_decref(files);
}

/* A point of any result, in all of them. */
static clup_status compare_point(comparer *c, const json_t *any, json_t *points)
{
    const char *id = text(any, "id"), *series = NULL, *unit = NULL, *from = NULL;
    const json_t *problem = NULL, *first = bench_find(c->results[0], id);
    int rate = 0;
    json_t *values = json_array();
    clup_status status = CLUP_OK;
    for (size_t r = 0; r < c->count && status == CLUP_OK; r++) {
        const json_t *point = bench_find(c->results[r], id);
        if (point == NULL || json_object_get(point, "error") != NULL)
            continue;
        const json_t *here = json_object_get(point, "problem");
        const char *const names[] = {from, c->names[r]};
        int rate_here;
        const char *leading = bench_leading(point, &rate_here);
        if (problem != NULL && !json_equal(problem, here))
            status = refuse_unlike(id, problem, here, names);
        else if (series != NULL && leading != NULL &&
                 strcmp(unit, bench_unit(point, series) != NULL ? bench_unit(point, series) : "") !=
                     0)
            status = bench_fail(CLUP_ERROR_USAGE, "%s and %s: the units of %s are not alike", from,
                                c->names[r], id);
        if (series == NULL && leading != NULL) {
            series = leading;
            rate = rate_here;
            unit = bench_unit(point, series);
            problem = here;
            from = c->names[r];
        }
    }
    for (size_t r = 0; r < c->count && status == CLUP_OK; r++)
        json_array_append_new(values, value_of(bench_find(c->results[r], id), first,
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
                all = all && isfinite(number_of(json_array_get(values, j), "ratio"));
            if (!all)
                continue;
            sum += log(number_of(json_array_get(values, r), "ratio"));
            used++;
        }
        json_array_append_new(ratios, number(used > 0 ? exp(sum / used) : NAN));
    }
    return ratios;
}

static bool in_earlier(const comparer *c, size_t result, const char *id)
{
    for (size_t r = 0; r < result; r++)
        if (bench_find(c->results[r], id) != NULL)
            return true;
    return false;
}

static clup_status compare_suite(comparer *c, const bench_suite *suite, json_t *suites)
{
    json_t *points = json_array(), *point;
    clup_status status = CLUP_OK;
    for (size_t r = 0; r < c->count; r++) {
        size_t k;
        json_array_foreach(json_object_get(c->results[r], "points"), k, point)
        {
            if (status == CLUP_OK && strcmp(text(point, "suite"), suite->name) == 0 &&
                !in_earlier(c, r, text(point, "id")))
                status = compare_point(c, point, points);
        }
    }
    if (status == CLUP_OK && json_array_size(points) > 0)
        json_array_append_new(suites, json_pack("{s:s s:s s:o s:O}", "suite", suite->name, "about",
                                                suite->about, "ratios",
                                                mean_ratios(points, c->count), "points", points));
    json_decref(points);
    return status;
}

static json_t *head_of(const json_t *root, const char *name)
{
    const json_t *device = json_object_get(root, "device"), *host = json_object_get(root, "host"),
                 *options = json_object_get(root, "options");
    return json_pack("{s:s s:s s:s s:s s:s s:s s:s s:s s:s s:O s:s}", "file", name, "name",
                     text(device, "name"), "vendor", text(device, "vendor"), "platform",
                     text(device, "platform"), "driver", text(device, "driver"), "host",
                     text(host, "processor"), "version", text(root, "version"), "created",
                     text(root, "created"), "suite", text(options, "suite"), "quick",
                     json_object_get(options, "quick"), "sha256", text(root, "sha256"));
}

clup_status bench_compare(json_t *const *results, const char *const *names, size_t count,
                          json_t **comparison)
{
    comparer c = {results, names, count, json_array(), 0};
    json_t *heads = json_array(), *suites = json_array();
    const bench_suite *suite;
    clup_status status = CLUP_OK;
    for (size_t r = 0; r < count; r++)
        json_array_append_new(heads, head_of(results[r], names[r]));
    for (size_t k = 0; (suite = bench_suite_row(k)) != NULL && status == CLUP_OK; k++)
        status = compare_suite(&c, suite, suites);
    *comparison = status == CLUP_OK
                      ? json_pack("{s:s s:O s:O s:{s:i s:O}}", "schema", "clup/compare/1",
                                  "results", heads, "suites", suites, "hashes", "equal",
                                  (int)c.equal, "different", c.different)
                      : NULL;
    json_decref(heads);
    json_decref(suites);
    json_decref(c.different);
    if (status == CLUP_OK && *comparison == NULL)
        status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for the comparison");
    return status;
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* The end of a point's id, after its suite. */
static const char *short_id(const json_t *point)
{
    const char *slash = strchr(text(point, "id"), '/');
    return slash != NULL ? slash + 1 : text(point, "id");
}

static const char *unit_of(const json_t *point)
{
    const char *unit = text(point, "unit");
    return strcmp(unit, "1") == 0 ? "iterations" : unit;
}

/* The median, as in "6.12" or "failed". */
static void median_text(const json_t *value, char *to, size_t size)
{
    const double median = number_of(value, "median");
    if (isfinite(median))
        snprintf(to, size, median < 1000 ? "%.3g" : "%.0f", median);
    else
        snprintf(to, size, "%s", json_is_null(value) ? "-" : "failed");
}

/* The ratio with its error in the last digit, as in "1.234(5)"; "" where there is none. */
static void ratio_text(const json_t *value, char *to, size_t size)
{
    const double ratio = number_of(value, "ratio"), error = number_of(value, "error");
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

static void hashes_text(const json_t *comparison, char *to, size_t size)
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

void bench_compare_print(const json_t *comparison, FILE *to)
{
    const json_t *heads = json_object_get(comparison, "results");
    const size_t count = json_array_size(heads);
    size_t s, k;
    json_t *suite, *point;
    char line[512], cell[64];
    for (size_t r = 0; r < count; r++) {
        const json_t *head = json_array_get(heads, r);
        fprintf(to, "[%zu] %s, %s, clup %s, %s: %s\n", r + 1, text(head, "name"),
                text(head, "driver"), text(head, "version"), text(head, "created"),
                text(head, "file"));
    }
    json_array_foreach(json_object_get(comparison, "suites"), s, suite)
    {
        fprintf(to, "\n%s: %s\n%-44s%-11s", text(suite, "suite"), text(suite, "about"), "", "");
        for (size_t r = 0; r < count; r++) {
            snprintf(cell, sizeof cell, "[%zu]", r + 1);
            fprintf(to, r == 0 ? "%9s" : "%9s    ratio    ", cell);
        }
        fputc('\n', to);
        json_array_foreach(json_object_get(suite, "points"), k, point)
        {
            fprintf(to, "%-44.43s%-11s", short_id(point), unit_of(point));
            for (size_t r = 0; r < count; r++) {
                const json_t *value = json_array_get(json_object_get(point, "values"), r);
                median_text(value, cell, sizeof cell);
                fprintf(to, "%9s", cell);
                ratio_text(value, cell, sizeof cell);
                if (r > 0)
                    fprintf(to, "  %-11s", cell);
            }
            fputc('\n', to);
        }
        if (count > 1) {
            fprintf(to, "%-55s%9s", "geometric mean of the ratios", "");
            for (size_t r = 1; r < count; r++) {
                const json_t *ratio = json_array_get(json_object_get(suite, "ratios"), r);
                if (json_is_number(ratio))
                    fprintf(to, "%9s  %-11.3g", "", json_number_value(ratio));
            }
            fputc('\n', to);
        }
    }
    hashes_text(comparison, line, sizeof line);
    fprintf(to, "\n%s\n", line);
    json_array_foreach(json_object_get(json_object_get(comparison, "hashes"), "different"), k,
                       point) fprintf(to, "different: %s\n", text(point, "id"));
}

static void write_devices(const json_t *heads, bench_page *page)
{
    static const char *const head[] = {"",     "device", "vendor", "platform and driver",
                                       "host", "clup",   "date",   "suite"};
    bench_page_table(page, 8);
    for (size_t c = 0; c < 8; c++)
        bench_page_cell(page, c, "%s", head[c]);
    for (size_t r = 0; r < json_array_size(heads); r++) {
        const json_t *one = json_array_get(heads, r);
        bench_page_cell(page, 0, "[%zu]", r + 1);
        bench_page_cell(page, 1, "%s", text(one, "name"));
        bench_page_cell(page, 2, "%s", text(one, "vendor"));
        bench_page_cell(page, 3, "%s, %s", text(one, "platform"), text(one, "driver"));
        bench_page_cell(page, 4, "%s", text(one, "host"));
        bench_page_cell(page, 5, "%s", text(one, "version"));
        bench_page_cell(page, 6, "%.10s", text(one, "created"));
        bench_page_cell(page, 7, "%s%s", text(one, "suite"),
                        json_is_true(json_object_get(one, "quick")) ? ", quick" : "");
    }
    bench_page_table_end(page);
}

static void write_suite(const json_t *suite, size_t count, bench_page *page)
{
    char title[160], cell[64];
    size_t k;
    json_t *point;
    snprintf(title, sizeof title, "%s: %s", text(suite, "suite"), text(suite, "about"));
    bench_page_heading(page, 2, title);
    bench_page_table(page, 3 * count + 1);
    bench_page_cell(page, 0, "point");
    for (size_t r = 0; r < count; r++) {
        bench_page_cell(page, 3 * r + 1, "[%zu]", r + 1);
        bench_page_cell(page, 3 * r + 2, r == 0 ? "unit" : "ratio");
        bench_page_cell(page, 3 * r + 3, "bandwidth");
    }
    json_array_foreach(json_object_get(suite, "points"), k, point)
    {
        bench_page_cell(page, 0, "%s", short_id(point));
        for (size_t r = 0; r < count; r++) {
            const json_t *value = json_array_get(json_object_get(point, "values"), r);
            const double fraction = number_of(value, "bandwidth_fraction");
            median_text(value, cell, sizeof cell);
            bench_page_cell(page, 3 * r + 1, "%s", cell);
            ratio_text(value, cell, sizeof cell);
            bench_page_cell(page, 3 * r + 2, "%s", r == 0 ? unit_of(point) : cell);
            if (isfinite(fraction))
                bench_page_cell(page, 3 * r + 3, "%.2g %%", 100 * fraction);
            else
                bench_page_cell(page, 3 * r + 3, "-");
        }
    }
    bench_page_table_end(page);
}

/* Means of ratios, a line a suite. */
static void write_summary(const json_t *comparison, size_t count, bench_page *page)
{
    size_t s;
    json_t *suite;
    bench_page_table(page, count + 1);
    bench_page_cell(page, 0, "suite");
    for (size_t r = 0; r < count; r++)
        bench_page_cell(page, r + 1, "[%zu]", r + 1);
    json_array_foreach(json_object_get(comparison, "suites"), s, suite)
    {
        bench_page_cell(page, 0, "%s", text(suite, "suite"));
        for (size_t r = 0; r < count; r++) {
            const json_t *ratio = json_array_get(json_object_get(suite, "ratios"), r);
            if (json_is_number(ratio))
                bench_page_cell(page, r + 1, "%.3g", json_number_value(ratio));
            else
                bench_page_cell(page, r + 1, "-");
        }
    }
    bench_page_table_end(page);
}

clup_status bench_compare_write(const json_t *comparison, const char *md, const char *html)
{
    const json_t *heads = json_object_get(comparison, "results");
    const size_t count = json_array_size(heads);
    bench_page page;
    size_t k;
    json_t *item;
    char line[512];
    const clup_status status = bench_page_open(&page, "clup on several devices");
    if (status != CLUP_OK)
        return status;
    write_devices(heads, &page);
    hashes_text(comparison, line, sizeof line);
    bench_page_text(&page, "In these results %s.", line);
    json_array_foreach(json_object_get(json_object_get(comparison, "hashes"), "different"), k, item)
        bench_page_item(&page, "different:", "%s", text(item, "id"));
    bench_page_heading(&page, 2, "Suites");
    bench_page_text(&page,
                    "Times over those of [1], the geometric mean over the points that all have: "
                    "above 1 is slower.");
    write_summary(comparison, count, &page);
    bench_page_text(&page,
                    "Below: medians; ratios of times to [1], of rates the other way round, with "
                    "standard errors in their last digits; and the part of the device's copy "
                    "bandwidth that is used, if buffers are moved once.");
    json_array_foreach(json_object_get(comparison, "suites"), k, item)
        write_suite(item, count, &page);
    return bench_page_close(&page, md, html);
}
