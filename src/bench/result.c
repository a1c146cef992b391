/* Result files. */
#include "bench/result.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BYTES_MOST (64u << 20)
/* Samples have six digits, and what is made of them fifteen, which JSON gives back as they were. */
#define PRECISION JSON_REAL_PRECISION(15)

static _Thread_local char detail[1024];

clup_status bench_fail(clup_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    return status;
}

clup_status bench_library(clup_status status)
{
    return status == CLUP_OK ? status : bench_fail(status, "%s", clup_error_detail());
}

const char *bench_detail(void)
{
    return detail;
}

/* ---- series ---------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values, between which it goes in a straight line. */
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

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* As a file has it. */
static double rounded(double value, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

json_t *bench_series(const char *unit, const double *samples, size_t count)
{
    json_t *array = json_array();
    double *kept = malloc((count + 1) * sizeof *kept), median, spread;
    bool failed = array == NULL || kept == NULL;
    for (size_t k = 0; k < count && !failed; k++) {
        kept[k] = rounded(samples[k], 6);
        failed = json_array_append_new(array, json_real(kept[k])) != 0;
    }
    json_t *series = NULL;
    if (!failed) {
        median = bench_median_of(kept, count, &spread);
        series = json_pack("{s:s s:O s:o s:o}", "unit", unit, "samples", array, "median",
                           number(rounded(median, 9)), "spread", number(rounded(spread, 6)));
    }
    json_decref(array);
    free(kept);
    return series;
}

static const json_t *series_of(const json_t *point, const char *name)
{
    return json_object_get(json_object_get(point, "series"), name);
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

double bench_median(const json_t *point, const char *series)
{
    return number_of(series_of(point, series), "median");
}

double bench_spread(const json_t *point, const char *series)
{
    return number_of(series_of(point, series), "spread");
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
    /* of a suite, and then of any */
    static const struct {
        const char *suite, *series;
        int rate;
    } rows[] = {
        {"tiles", "local", 0},   {"relax", "iterations", 0}, {"sew", "consolidate", 0},
        {"wolff", "updated", 0}, {NULL, "update", 0},        {NULL, "device", 0},
        {NULL, "wall", 0},       {NULL, "copy", 1},          {NULL, "atomics", 1},
        {NULL, "one_atomic", 1}, {NULL, "launch", 0},        {NULL, "wait", 0},
    };
    const char *suite = json_string_value(json_object_get(point, "suite"));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if ((rows[k].suite == NULL || (suite != NULL && strcmp(rows[k].suite, suite) == 0)) &&
            isfinite(bench_median(point, rows[k].series))) {
            *rate = rows[k].rate;
            return rows[k].series;
        }
    return NULL;
}

const json_t *bench_find(const json_t *root, const char *id)
{
    size_t k;
    json_t *point;
    json_array_foreach(json_object_get(root, "points"), k, point)
    {
        const char *other = json_string_value(json_object_get(point, "id"));
        if (other != NULL && strcmp(other, id) == 0)
            return point;
    }
    return NULL;
}

/* ---- what a file must have ------------------------------------------------------------------- */

/* Types by a letter: s text, n number, i whole number, b flag, o object, a array, h 64 hexadecimal
 * digits; in capitals it may be null, and after ? it may be missing. */
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

/* The fields of an object, which messages call where. */
static clup_status check_fields(const char *path, const json_t *object, const char *of,
                                const char *where)
{
    if (!json_is_object(object))
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s is no object", path, where);
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        const json_t *value = json_object_get(object, fields[k].key);
        const bool optional = fields[k].type[0] == '?';
        if (strcmp(fields[k].of, of) != 0 || (optional && value == NULL))
            continue;
        if (value == NULL)
            return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s%s%s is missing", path, where,
                              where[0] != '\0' ? "." : "", fields[k].key);
        if (!fits(value, fields[k].type[optional]))
            return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s%s%s is no %s", path, where,
                              where[0] != '\0' ? "." : "", fields[k].key,
                              type_name(fields[k].type[optional]));
    }
    return CLUP_OK;
}

/* A median and a spread are those of the samples. */
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
        const double median = rounded(bench_median_of(values, count, &spread), 9),
                     said = number_of(series, "median"), spread_said = number_of(series, "spread");
        spread = rounded(spread, 6);
        if (count == 0 || !(fabs(median - said) <= 1e-8 * fabs(median)) ||
            isfinite(spread) != isfinite(spread_said) || fabs(spread - spread_said) > 1e-5)
            status = bench_fail(CLUP_ERROR_RUNTIME,
                                "%s: %s: the median and the spread are not those of its samples",
                                path, where);
    }
    free(values);
    return status;
}

static clup_status check_point(const char *path, const json_t *root, size_t k)
{
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
    if (bench_find(root, id) != point)
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s.id '%s' is there twice", path, where, id);
    json_object_foreach((json_t *)all, name, series)
    {
        snprintf(where, sizeof where, "points[%zu].series.%.100s", k, name);
        if (status == CLUP_OK)
            status = check_series(path, series, where);
    }
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The hash of all but itself. */
static clup_status hash(const json_t *root, char hex[65])
{
    json_t *rest = json_copy((json_t *)root);
    char *text = NULL;
    if (rest != NULL) {
        json_object_del(rest, "sha256");
        text = json_dumps(rest, JSON_COMPACT | JSON_SORT_KEYS | PRECISION);
    }
    json_decref(rest);
    if (text == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for the hash of a result");
    clup_sha256(text, strlen(text), hex);
    free(text);
    return CLUP_OK;
}

static clup_status check(const char *path, const json_t *root)
{
    char hex[65];
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
    for (size_t k = 0; k < json_array_size(json_object_get(root, "points")) && status == CLUP_OK;
         k++)
        status = check_point(path, root, k);
    if (status == CLUP_OK)
        status = hash(root, hex);
    if (status == CLUP_OK && strcmp(hex, json_string_value(json_object_get(root, "sha256"))) != 0)
        status = bench_fail(CLUP_ERROR_RUNTIME,
                            "%s: its sha256 is not that of the rest: something was changed after "
                            "it was measured",
                            path);
    return status;
}

/* What jansson does not read. Where it has no memory it often says no more than that, or nothing.
 */
static clup_status refuse_text(const char *path, const json_error_t *error)
{
    if (error->text[0] == '\0' || json_error_code(error) == json_error_out_of_memory)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for %s", path);
    return bench_fail(CLUP_ERROR_RUNTIME, "%s: is no JSON: %s, line %d", path, error->text,
                      error->line);
}

static clup_status refuse_size(const char *path)
{
    return bench_fail(CLUP_ERROR_RUNTIME, "%s: is larger than %u MiB", path, BYTES_MOST >> 20);
}

/* Reads a file whole, which the caller frees; pipes, which have no size, as far as the limit. */
static clup_status read_whole(const char *path, char **text, size_t *size)
{
    clup_status status = CLUP_OK;
    struct stat found;
    size_t room = 1u << 16;
    FILE *from = fopen(path, "rb");
    *text = NULL;
    *size = 0;
    if (from == NULL || fstat(fileno(from), &found) != 0) {
        status = bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
        goto done;
    }
    if (S_ISREG(found.st_mode) && found.st_size > (off_t)BYTES_MOST) {
        status = refuse_size(path);
        goto done;
    }
    for (; !feof(from) && !ferror(from) && *size <= BYTES_MOST; room *= 2) {
        char *grown = realloc(*text, room);
        if (grown == NULL) {
            status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for %s", path);
            goto done;
        }
        *text = grown;
        *size += fread(*text + *size, 1, room - *size, from);
    }
    if (ferror(from))
        status = bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
    else if (*size > BYTES_MOST)
        status = refuse_size(path);
done:
    if (from != NULL)
        fclose(from);
    return status;
}

clup_status bench_result_load(const char *path, json_t **root)
{
    json_error_t error = {0}; /* jansson sets no code where a buffer is not to be had */
    json_t *read = NULL;
    char *text;
    size_t size;
    *root = NULL;
    clup_status status = read_whole(path, &text, &size);
    if (status == CLUP_OK) {
        read = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
        if (read == NULL)
            status = refuse_text(path, &error);
    }
    free(text);
    if (status == CLUP_OK)
        status = check(path, read);
    if (status == CLUP_OK)
        *root = read;
    else
        json_decref(read);
    return status;
}

/* The file's text: a line for the head, one for each point, one for the hash. NULL without memory;
 * freed by the caller. */
static char *text_of(const json_t *root)
{
    const json_t *points = json_object_get(root, "points");
    char *text = NULL;
    size_t size = 0, k;
    if (!json_is_array(points))
        return json_dumps(root, JSON_COMPACT | PRECISION);
    json_t *head = json_copy((json_t *)root), *point;
    FILE *to = open_memstream(&text, &size);
    bool failed = to == NULL || head == NULL;
    if (!failed) {
        json_object_del(head, "points");
        json_object_del(head, "sha256");
        failed = json_dumpf(head, to, JSON_COMPACT | PRECISION) != 0;
        /* over the brace at its end */
        failed |= fseek(to, -1, SEEK_CUR) != 0;
        fputs(",\n\"points\":[", to);
        json_array_foreach(points, k, point)
        {
            fputs(k > 0 ? ",\n" : "\n", to);
            failed |= json_dumpf(point, to, JSON_COMPACT | PRECISION) != 0;
        }
        fprintf(to, "\n],\n\"sha256\":\"%s\"}\n",
                json_string_value(json_object_get(root, "sha256")));
    }
    json_decref(head);
    if (to != NULL)
        failed |= ferror(to) | fclose(to);
    if (failed)
        free(text);
    return failed ? NULL : text;
}

clup_status bench_result_save(const char *path, json_t *root)
{
    char hex[65], back[65] = "";
    clup_status status = hash(root, hex);
    if (status != CLUP_OK)
        return status;
    if (json_object_set_new(root, "sha256", json_string(hex)) != 0)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for the hash of a result");
    char *text = text_of(root);
    json_t *again = text != NULL ? json_loads(text, 0, NULL) : NULL;
    /* jansson leaves out what it has no memory for */
    if (again == NULL || hash(again, back) != CLUP_OK || strcmp(hex, back) != 0)
        status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for %s", path);
    else
        status = bench_library(clup_file_save(path, text, strlen(text)));
    json_decref(again);
    free(text);
    return status;
}
