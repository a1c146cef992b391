/* Comparing results. */
#include "bench/compare.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/page.h"
#include "bench/point.h"
#include "bench/result.h"
#include "bench/status.h"
#include "bench/suite.h"

/* The name of a file, which may be any bytes, as JSON and pages can have it. */
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

/* Numbers are compared by value, as 1 and 1.0 are the same. */
static bool is_same(const json_t *a, const json_t *b)
{
    return json_is_number(a) && json_is_number(b) ? json_number_value(a) == json_number_value(b)
                                                  : json_equal(a, b);
}

/* The first field of a that is another one in b; NULL for none. */
static const char *other_field(const json_t *a, const json_t *b)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)a, key, value)
    {
        if (!is_same(value, json_object_get(b, key)))
            return key;
    }
    return NULL;
}

/* That two points are of one problem; else the field by which they differ. */
static clup_status check_problems(const char *id, const json_t *a, const json_t *b,
                                  const char *const names[2])
{
    enum { FLAGS = JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) | JSON_COMPACT };
    const char *key = other_field(a, b);
    if (key == NULL && (key = other_field(b, a)) == NULL)
        return CLUP_OK;
    const json_t *one = json_object_get(a, key), *other = json_object_get(b, key);
    char *one_text = json_dumps(one, FLAGS), *other_text = json_dumps(other, FLAGS);
    const clup_status status = bench_fail(
        CLUP_ERROR_USAGE, "%s and %s: points '%s': problem.%s is %s and %s", names[0], names[1], id,
        key, one_text != NULL ? one_text : "missing", other_text != NULL ? other_text : "missing");
    free(one_text);
    free(other_text);
    return status;
}

/* The hash of what a point gave; NULL for none. */
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
    json_t *different; /* hashes */
    unsigned equal;
} comparer;

/* What one result has of a point; first is the first result's. */
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

/* Whether two results have the same spins, and labels, where their points are of the same problem:
 * a quick run begins from other spins than one that is not. */
static bool can_agree(const json_t *a, const json_t *b, bool spins)
{
    const json_t *one = json_object_get(a, "options"), *other = json_object_get(b, "options");
    return is_same(json_object_get(one, "seed"), json_object_get(other, "seed")) &&
           (!spins || json_equal(json_object_get(one, "quick"), json_object_get(other, "quick")));
}

/* Holds the hash of each result against that of the first before it that can have the same. */
static void compare_hashes(comparer *c, const char *id)
{
    unsigned compared = 0;
    json_t *files = NULL;
    for (size_t r = 0; r < c->count; r++) {
        const json_t *point = bench_find(c->results[r], id);
        const char *hash = point != NULL ? hash_of(point) : NULL;
        for (size_t before = 0; before < r && hash != NULL; before++) {
            const json_t *first = bench_find(c->results[before], id);
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

/* A point of any result, in all of them. */
static clup_status compare_point(comparer *c, const json_t *any, json_t *points)
{
    const char *id = bench_text(any, "id"), *series = NULL, *unit = NULL, *from = NULL;
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
        const char *unit_here = series != NULL ? bench_unit(point, series) : NULL;
        if (problem != NULL)
            status = check_problems(id, problem, here, names);
        /* a device that tells no times has not all series */
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
        if (bench_find(c->results[r], id) != NULL)
            return true;
    return false;
}

static clup_status compare_suite(comparer *c, const char *name, const char *about, json_t *suites)
{
    json_t *points = json_array(), *point;
    clup_status status = CLUP_OK;
    for (size_t r = 0; r < c->count; r++) {
        size_t k;
        json_array_foreach(json_object_get(c->results[r], "points"), k, point)
        {
            if (status == CLUP_OK && strcmp(bench_text(point, "suite"), name) == 0 &&
                !in_earlier(c, r, bench_text(point, "id")))
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

static bool is_listed(const json_t *suites, const char *name)
{
    for (size_t k = 0; k < json_array_size(suites); k++)
        if (strcmp(bench_text(json_array_get(suites, k), "suite"), name) == 0)
            return true;
    return false;
}

/* The suites of this clup in their order, and then those of others. */
static clup_status compare_suites(comparer *c, json_t *suites)
{
    const bench_suite *suite;
    clup_status status = CLUP_OK;
    for (size_t k = 0; (suite = bench_suite_row(k)) != NULL && status == CLUP_OK; k++)
        status = compare_suite(c, suite->name, suite->about, suites);
    for (size_t r = 0; r < c->count; r++) {
        const json_t *points = json_object_get(c->results[r], "points");
        for (size_t k = 0; k < json_array_size(points) && status == CLUP_OK; k++) {
            const char *name = bench_text(json_array_get(points, k), "suite");
            if (!is_known(name) && !is_listed(suites, name))
                status = compare_suite(c, name, "of another version", suites);
        }
    }
    return status;
}

/* What a reader should know of the results, by their numbers, a text each. */
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

clup_status bench_compare(json_t *const *results, const char *const *names, size_t count,
                          json_t **comparison)
{
    comparer c = {results, names, count, json_array(), 0};
    json_t *heads = json_array(), *suites = json_array();
    for (size_t r = 0; r < count; r++)
        json_array_append_new(heads, head_of(results[r], names[r]));
    clup_status status = compare_suites(&c, suites);
    *comparison = status == CLUP_OK
                      ? json_pack("{s:s s:s s:O s:O s:{s:i s:O} s:o}", "schema", "clup/compare/1",
                                  "version", clup_version(), "results", heads, "suites", suites,
                                  "hashes", "equal", (int)c.equal, "different", c.different,
                                  "notes", notes_of(&c))
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
    const char *slash = strchr(bench_text(point, "id"), '/');
    return slash != NULL ? slash + 1 : bench_text(point, "id");
}

static const char *unit_of(const json_t *point)
{
    const char *unit = bench_text(point, "unit");
    return strcmp(unit, "1") == 0 ? "iterations" : unit;
}

/* The median, as in "6.12" or "failed". */
static void median_text(const json_t *value, char *to, size_t size)
{
    const double median = bench_number(value, "median");
    if (isfinite(median))
        snprintf(to, size, median < 1000 ? "%.3g" : "%.0f", median);
    else
        snprintf(to, size, "%s", json_is_null(value) ? "-" : "failed");
}

/* The ratio with its error in the last digit, as in "1.234(5)"; "" where there is none. */
static void ratio_text(const json_t *value, char *to, size_t size)
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

/* ---- a table --------------------------------------------------------------------------------- */

/* The columns that are left for ids where several results fill a line. */
#define LINE 100
#define ID_LEAST 12
/* Of a result: its median, spread and bandwidth, and in between the ratio to the first. */
#define CELL 17
#define CELL_RATIO 28

/* Characters of a text, in UTF-8. */
static int width(const char *of)
{
    int count = 0;
    for (; *of != '\0'; of++)
        count += ((unsigned char)*of & 0xC0) != 0x80;
    return count;
}

/* Prints a text from a file, in which terminals find nothing to obey, and spaces up to a width. */
static void print_plain(const char *of, int columns, FILE *to)
{
    const int printed = width(of);
    for (; *of != '\0'; of++) {
        /* the controls U+0080 to U+009F are two bytes */
        const bool second = (unsigned char)of[0] == 0xC2 && (unsigned char)of[1] < 0xA0;
        fputc((unsigned char)*of < 0x20 || *of == 0x7F || second ? '?' : *of, to);
        of += second;
    }
    fprintf(to, "%*s", columns > printed ? columns - printed : 0, "");
}

/* A part as a percentage in at most four characters; "" for none. */
static void percent_text(double part, char *to, size_t size)
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

static void print_value(const json_t *value, bool first, FILE *to)
{
    char median[64], spread[16], ratio[64], bandwidth[16];
    median_text(value, median, sizeof median);
    ratio_text(value, ratio, sizeof ratio);
    percent_text(bench_number(value, "spread"), spread, sizeof spread);
    percent_text(bench_number(value, "bandwidth_fraction"), bandwidth, sizeof bandwidth);
    if (first)
        fprintf(to, " %6s %4s %4s", median, spread, bandwidth);
    else
        fprintf(to, "  %6s %4s %9s %4s", median, spread, ratio, bandwidth);
}

/* Whether all points of a suite have the same text under key. */
static bool is_common(const json_t *points, const char *key)
{
    const char *first = NULL;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const char *here = bench_text(json_array_get(points, k), key);
        /* a point that failed everywhere has none */
        if (here[0] != '\0' && first != NULL && strcmp(here, first) != 0)
            return false;
        first = here[0] != '\0' ? here : first;
    }
    return true;
}

/* What is measured: the series and the unit, those of the two that are asked for. */
static void quantity_text(const json_t *point, bool series, bool unit, char *to, size_t size)
{
    const bool has_series = series && strcmp(bench_text(point, "series"), short_id(point)) != 0 &&
                            bench_text(point, "series")[0] != '\0',
               has_unit = unit && bench_text(point, "unit")[0] != '\0' &&
                          !(has_series && strcmp(bench_text(point, "series"), unit_of(point)) == 0);
    snprintf(to, size, "%s%s%s", has_series ? bench_text(point, "series") : "",
             has_series && has_unit ? ", " : "", has_unit ? unit_of(point) : "");
}

/* The id of a point and what the head of its table does not say of it. */
static void name_text(const json_t *point, bool series, bool unit, char *to, size_t size)
{
    char quantity[128];
    quantity_text(point, series, unit, quantity, sizeof quantity);
    snprintf(to, size, "%s%s%s", short_id(point), quantity[0] != '\0' ? ", " : "", quantity);
}

static void print_point(const json_t *point, bool series, bool unit, int columns, FILE *to)
{
    const json_t *values = json_object_get(point, "values");
    char name[512];
    name_text(point, series, unit, name, sizeof name);
    print_plain(name, columns, to);
    if (width(name) > columns)
        fprintf(to, "\n%*s", columns, "");
    for (size_t r = 0; r < json_array_size(values); r++)
        print_value(json_array_get(values, r), r == 0, to);
    fputc('\n', to);
}

static void print_head(const char *quantity, size_t count, int columns, FILE *to)
{
    print_plain(quantity, columns, to);
    for (size_t r = 0; r < count; r++) {
        char cell[24];
        snprintf(cell, sizeof cell, "[%zu]", r + 1);
        if (r == 0)
            fprintf(to, " %6s %4s %4s", cell, "+-", "bw");
        else
            fprintf(to, "  %6s %4s %9s %4s", cell, "+-", "ratio", "bw");
    }
    fputc('\n', to);
}

static void print_suite(const json_t *suite, size_t count, FILE *to)
{
    const json_t *points = json_object_get(suite, "points"),
                 *ratios = json_object_get(suite, "ratios");
    const bool series = !is_common(points, "series"), unit = !is_common(points, "unit");
    const int left = LINE - CELL - CELL_RATIO * (int)(count - 1);
    char quantity[128] = "", name[512];
    int columns = ID_LEAST;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k);
        name_text(point, series, unit, name, sizeof name);
        if (quantity[0] == '\0')
            quantity_text(point, !series, !unit, quantity, sizeof quantity);
        columns = width(name) > columns ? width(name) : columns;
        columns = width(quantity) > columns ? width(quantity) : columns;
    }
    if (columns > left)
        columns = left > ID_LEAST ? left : ID_LEAST;
    fputc('\n', to);
    print_plain(bench_text(suite, "suite"), 0, to);
    fprintf(to, ": %s\n", bench_text(suite, "about"));
    print_head(quantity, count, columns, to);
    for (size_t k = 0; k < json_array_size(points); k++)
        print_point(json_array_get(points, k), series, unit, columns, to);
    if (count < 2)
        return;
    print_plain("mean", columns + CELL, to);
    for (size_t r = 1; r < count; r++) {
        const json_t *ratio = json_array_get(ratios, r);
        if (json_is_number(ratio))
            fprintf(to, "%23.3g%5s", json_number_value(ratio), "");
        else
            fprintf(to, "%23s%5s", "-", "");
    }
    fputc('\n', to);
}

void bench_compare_print(const json_t *comparison, FILE *to)
{
    const json_t *heads = json_object_get(comparison, "results"),
                 *different = json_object_get(json_object_get(comparison, "hashes"), "different"),
                 *notes = json_object_get(comparison, "notes");
    const size_t count = json_array_size(heads);
    char line[512];
    for (size_t r = 0; r < count; r++) {
        const json_t *head = json_array_get(heads, r);
        snprintf(line, sizeof line, "%.200s, %.100s, clup %.40s, %.40s", bench_text(head, "name"),
                 bench_text(head, "driver"), bench_text(head, "version"),
                 bench_text(head, "created"));
        fprintf(to, "[%zu] ", r + 1);
        print_plain(line, 0, to);
        fputs(": ", to);
        print_plain(bench_text(head, "file"), 0, to);
        fputc('\n', to);
    }
    for (size_t k = 0; k < json_array_size(json_object_get(comparison, "suites")); k++)
        print_suite(json_array_get(json_object_get(comparison, "suites"), k), count, to);
    fputs("\nmedians; +-: half the distance of the quartiles; bw: part of the device's copy "
          "bandwidth",
          to);
    if (count > 1)
        fputs(
            ";\nratio: of times to [1], of rates the other way round, above 1 is slower; mean: the "
            "geometric one\nof points that all have",
            to);
    hashes_text(comparison, line, sizeof line);
    fprintf(to, "\n%s\n", line);
    for (size_t k = 0; k < json_array_size(different); k++) {
        const json_t *point = json_array_get(different, k),
                     *files = json_object_get(point, "files");
        fputs("different: ", to);
        print_plain(bench_text(point, "id"), 0, to);
        for (size_t f = 0; f < json_array_size(files); f++) {
            fputs(f == 0 ? " in " : f + 1 < json_array_size(files) ? ", " : " and ", to);
            print_plain(json_string_value(json_array_get(files, f)), 0, to);
        }
        fputc('\n', to);
    }
    for (size_t k = 0; k < json_array_size(notes); k++) {
        fputs("note: ", to);
        print_plain(json_string_value(json_array_get(notes, k)), 0, to);
        fputc('\n', to);
    }
}

/* ---- pages ----------------------------------------------------------------------------------- */

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
        bench_page_cell(page, 1, "%s", bench_text(one, "name"));
        bench_page_cell(page, 2, "%s", bench_text(one, "vendor"));
        bench_page_cell(page, 3, "%s, %s", bench_text(one, "platform"), bench_text(one, "driver"));
        bench_page_cell(page, 4, "%s", bench_text(one, "host"));
        bench_page_cell(page, 5, "%s", bench_text(one, "version"));
        bench_page_cell(page, 6, "%.10s", bench_text(one, "created"));
        bench_page_cell(page, 7, "%s%s", bench_text(one, "suite"),
                        json_is_true(json_object_get(one, "quick")) ? ", quick" : "");
    }
    bench_page_table_end(page);
}

/* The columns of a result. */
enum { MEDIAN, SPREAD, RATIO, BANDWIDTH, COLUMNS };

static void write_point(const json_t *point, size_t count, bench_page *page)
{
    const json_t *values = json_object_get(point, "values");
    char cell[64], quantity[128];
    double fastest = INFINITY;
    quantity_text(point, true, true, quantity, sizeof quantity);
    for (size_t r = 0; r < count; r++)
        fastest = fmin(fastest, bench_number(json_array_get(values, r), "ratio"));
    bench_page_cell(page, 0, "%s", short_id(point));
    bench_page_cell(page, 1, "%s", quantity);
    for (size_t r = 0; r < count; r++) {
        const json_t *value = json_array_get(values, r);
        const size_t column = COLUMNS * r + 2;
        median_text(value, cell, sizeof cell);
        bench_page_cell(page, column + MEDIAN, "%s", cell);
        percent_text(bench_number(value, "spread"), cell, sizeof cell);
        bench_page_cell(page, column + SPREAD, "%s", cell);
        ratio_text(value, cell, sizeof cell);
        bench_page_bar(page, column + RATIO, fastest / bench_number(value, "ratio"), "%s", cell);
        percent_text(bench_number(value, "bandwidth_fraction"), cell, sizeof cell);
        bench_page_cell(page, column + BANDWIDTH, "%s", cell);
    }
}

static void write_suite(const json_t *suite, size_t count, bench_page *page)
{
    char title[160];
    const json_t *points = json_object_get(suite, "points");
    snprintf(title, sizeof title, "%.60s: %.90s", bench_text(suite, "suite"),
             bench_text(suite, "about"));
    bench_page_heading(page, 2, title);
    bench_page_table(page, COLUMNS * count + 2);
    bench_page_cell(page, 0, "point");
    bench_page_cell(page, 1, "quantity");
    for (size_t r = 0; r < count; r++) {
        bench_page_cell(page, COLUMNS * r + 2 + MEDIAN, "[%zu]", r + 1);
        bench_page_cell(page, COLUMNS * r + 2 + SPREAD, "spread");
        bench_page_cell(page, COLUMNS * r + 2 + RATIO, "ratio");
        bench_page_cell(page, COLUMNS * r + 2 + BANDWIDTH, "bandwidth");
    }
    for (size_t k = 0; k < json_array_size(points); k++)
        write_point(json_array_get(points, k), count, page);
    bench_page_table_end(page);
}

/* Means of ratios, a line a suite. */
static void write_summary(const json_t *comparison, size_t count, bench_page *page)
{
    const json_t *suites = json_object_get(comparison, "suites");
    bench_page_table(page, count + 1);
    bench_page_cell(page, 0, "suite");
    for (size_t r = 0; r < count; r++)
        bench_page_cell(page, r + 1, "[%zu]", r + 1);
    for (size_t s = 0; s < json_array_size(suites); s++) {
        const json_t *suite = json_array_get(suites, s), *ratios = json_object_get(suite, "ratios");
        double fastest = INFINITY;
        for (size_t r = 0; r < count; r++)
            if (json_is_number(json_array_get(ratios, r)))
                fastest = fmin(fastest, json_number_value(json_array_get(ratios, r)));
        bench_page_cell(page, 0, "%s", bench_text(suite, "suite"));
        for (size_t r = 0; r < count; r++) {
            const json_t *ratio = json_array_get(ratios, r);
            if (json_is_number(ratio))
                bench_page_bar(page, r + 1, fastest / json_number_value(ratio), "%.3g",
                               json_number_value(ratio));
            else
                bench_page_cell(page, r + 1, "-");
        }
    }
    bench_page_table_end(page);
}

static void write_hashes(const json_t *comparison, bench_page *page)
{
    const json_t *different = json_object_get(json_object_get(comparison, "hashes"), "different"),
                 *notes = json_object_get(comparison, "notes");
    char line[512];
    hashes_text(comparison, line, sizeof line);
    bench_page_text(page, "In these results %s.", line);
    for (size_t k = 0; k < json_array_size(different); k++) {
        const json_t *point = json_array_get(different, k),
                     *files = json_object_get(point, "files");
        char list[2048] = "";
        for (size_t f = 0; f < json_array_size(files); f++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.200s", f > 0 ? ", " : "",
                     json_string_value(json_array_get(files, f)));
        bench_page_item(page, "different:", "%s: %s", bench_text(point, "id"), list);
    }
    for (size_t k = 0; k < json_array_size(notes); k++)
        bench_page_item(page, "note:", "%s", json_string_value(json_array_get(notes, k)));
}

clup_status bench_compare_write(const json_t *comparison, const char *md, const char *html)
{
    const json_t *heads = json_object_get(comparison, "results"),
                 *suites = json_object_get(comparison, "suites");
    const size_t count = json_array_size(heads);
    bench_page page;
    const clup_status status = bench_page_open(&page, "clup on several devices");
    if (status != CLUP_OK)
        return status;
    write_devices(heads, &page);
    write_hashes(comparison, &page);
    bench_page_heading(&page, 2, "Suites");
    bench_page_text(&page,
                    "Times over those of [1], the geometric mean over the points that all have: "
                    "above 1 is slower.");
    /* Markdown has none */
    fputs("<p>Bars are speeds, the fastest has the longest.</p>\n", page.html);
    write_summary(comparison, count, &page);
    bench_page_text(&page,
                    "Below: medians; half the distance of the quartiles over them; ratios of times "
                    "to [1], of rates the other way round, with standard errors in their last "
                    "digits; and the part of the device's copy bandwidth that is "
                    "used, if buffers are moved once.");
    for (size_t k = 0; k < json_array_size(suites); k++)
        write_suite(json_array_get(suites, k), count, &page);
    return bench_page_close(&page, md, html);
}
