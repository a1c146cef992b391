/* SPDX-License-Identifier: BSD-3-Clause */
/* Result files: reading returns what was written, and an invalid file is refused with the reason.
 * With the arguments "sign FROM TO" the program gives a document its hash, which makes results for
 * tests/compare.sh. */
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/point.h"
#include "bench/result.h"
#include "bench/status.h"
#include "tap.h"

static const char template[] =
    "{\"schema\":\"clup/result/1\",\"version\":\"0.1.0\",\"created\":\"2026-11-22T21:10:00Z\","
    "\"device\":{\"name\":\"A\",\"platform\":\"P\",\"vendor\":\"V\",\"driver\":\"1\",\"type\":"
    "\"gpu\",\"compute_units\":4,\"local_mem_bytes\":32768},"
    "\"host\":{\"system\":\"Linux 6\",\"machine\":\"x86_64\",\"processor\":\"C\",\"cores\":2},"
    "\"options\":{\"suite\":\"size\",\"quick\":true,\"sizes\":null,\"seed\":1},"
    "\"points\":[{\"suite\":\"size\",\"id\":\"size/sew/L=64\",\"curve\":\"sew\",\"x\":64.0,"
    "\"problem\":{\"model\":\"Potts\",\"lattice\":\"square\",\"size\":[64,64,1],\"periodic\":"
    "[1,1,1],\"q\":2,\"beta\":0.881373587019543,\"algorithm\":\"sw\"},\"plan\":{"
    "\"bonds\":\"word\",\"source\":null,\"local\":\"runs\",\"consolidate\":\"union\",\"action\":"
    "\"flip\",\"tile\":[64,64,1]},"
    "\"series\":{\"update\":{\"unit\":\"ps/site\",\"samples\":[4.0,1.0,3.0,2.0],\"median\":2.5,"
    "\"spread\":0.3}},\"bytes\":13.0,\"bandwidth_fraction\":0.125},"
    "{\"suite\":\"size\",\"id\":\"size/sew/L=128\",\"curve\":\"sew\",\"x\":128.0,\"problem\":"
    "{\"model\":\"device\"},\"plan\":null,\"bytes\":null,\"bandwidth_fraction\":null,"
    "\"error\":\"no memory\"}]}";

static char path[4096], other[4096];

static json_t *document(void)
{
    json_t *root = json_loads(template, 0, NULL);
    if (root == NULL) {
        puts("Bail out! the template is no JSON");
        exit(1);
    }
    return root;
}

static json_t *point(json_t *root, size_t k)
{
    return json_array_get(json_object_get(root, "points"), k);
}

static json_t *update(json_t *root)
{
    return json_object_get(json_object_get(point(root, 0), "series"), "update");
}

static void write_text(const char *text, size_t size)
{
    FILE *to = fopen(path, "wb");
    if (to == NULL || fwrite(text, 1, size, to) != size || fclose(to) != 0) {
        puts("Bail out! the folder for the test cannot be written");
        exit(1);
    }
}

/* The file at path must be refused; the detail must have the file's name and what. */
static void refused(clup_status wanted, const char *what, const char *name)
{
    json_t *root = NULL;
    const clup_status status = bench_result_load(path, &root);
    ok(status == wanted && root == NULL && strstr(bench_detail(), path) != NULL &&
           strstr(bench_detail(), what) != NULL,
       "%s: %s", name, status == CLUP_OK ? "it was read" : bench_detail());
    json_decref(root);
}

/* ---- statistics ------------------------------------------------------------------------------ */

static bool near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}

/* Makes a point with a series called s. */
static json_t *point_of(const double *samples, size_t count)
{
    return json_pack("{s:{s:o}}", "series", "s", bench_series("ps/site", samples, count));
}

static void check_known_answers(void)
{
    static const struct {
        double samples[5];
        size_t count;
        double median, spread;
    } known[] = {
        {{5}, 1, 5, NAN},
        {{1, 4}, 2, 2.5, NAN},
        {{3, 1, 2}, 3, 2, 0.25},
        {{4, 1, 3, 2}, 4, 2.5, 0.3},
        {{10, 10, 10, 10, 1000}, 5, 10, 0},
        {{1e-3, 2e-3, 3e-3, 4e-3, 5e-3}, 5, 3e-3, 1.0 / 3},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        json_t *p = point_of(known[k].samples, known[k].count);
        const double median = bench_median(p, "s"), spread = bench_spread(p, "s");
        ok(near(median, known[k].median, 1e-8) &&
               (isnan(known[k].spread) ? isnan(spread) : fabs(spread - known[k].spread) < 1e-6),
           "median %g and spread %g of %zu samples", median, spread, known[k].count);
        json_decref(p);
    }
    json_t *p = point_of(known[3].samples, 4);
    ok(isnan(bench_median(p, "t")) && isnan(bench_spread(p, "t")) && isnan(bench_error(p, "t")) &&
           isnan(bench_mean(p, "t")) && bench_count(p, "t") == 0 && bench_unit(p, "t") == NULL,
       "a series that is not there has no numbers");
    ok(bench_count(p, "s") == 4 && bench_mean(p, "s") == 2.5 &&
           strcmp(bench_unit(p, "s"), "ps/site") == 0,
       "count, mean and unit");
    json_decref(p);
}

/* A normally distributed number, of mean 100 and standard deviation 5. */
static double normal(uint64_t *state)
{
    double uniform[2];
    for (int k = 0; k < 2; k++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        uniform[k] = ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
    }
    return 100 + 5 * sqrt(-2 * log(uniform[0])) * cos(2 * acos(-1) * uniform[1]);
}

/* The error equals the standard deviation of medians. */
static void check_error(void)
{
    enum { SETS = 4000, COUNT = 41 };
    uint64_t state = 1;
    double sum = 0, squares = 0, errors = 0;
    for (size_t set = 0; set < SETS; set++) {
        double samples[COUNT];
        for (size_t k = 0; k < COUNT; k++)
            samples[k] = normal(&state);
        json_t *p = point_of(samples, COUNT);
        const double median = bench_median(p, "s");
        sum += median;
        squares += median * median;
        errors += median * bench_error(p, "s");
        json_decref(p);
    }
    const double deviation = sqrt(squares / SETS - sum / SETS * sum / SETS);
    ok(near(errors / SETS, deviation, 0.06), "the error of a median is %.4g, its deviation %.4g",
       errors / SETS, deviation);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void check_round_trip(void)
{
    json_t *root = document(), *read = NULL;
    ok(bench_result_save(path, root) == CLUP_OK, "a result is written");
    ok(bench_result_load(path, &read) == CLUP_OK && json_equal(root, read),
       "and read as it was: %s", read != NULL ? "ok" : bench_detail());
    ok(read != NULL && bench_find(read, "size/sew/L=128") == point(read, 1) &&
           bench_find(read, "size/sew") == NULL,
       "points are found by their whole ids");
    ok(bench_result_save(path, read) == CLUP_OK && json_equal(root, read),
       "written again it has the same hash");
    json_decref(read);
    ok(bench_result_save("/dev/full", root) == CLUP_ERROR_RUNTIME &&
           strstr(bench_detail(), "/dev/full") != NULL,
       "a full disk: %s", bench_detail());
    json_decref(root);
}

/* Writes the file with one change and the old hash. */
static void tampered(const char *from, const char *to, const char *what)
{
    char *text = NULL;
    json_t *root = document();
    bench_result_save(path, root);
    json_decref(root);
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    if (file == NULL || getdelim(&text, &size, '\0', file) < 0) {
        puts("Bail out! what was written cannot be read");
        exit(1);
    }
    fclose(file);
    char *at = strstr(text, from);
    if (at != NULL)
        memcpy(at, to, strlen(to));
    ok(at != NULL && strlen(from) == strlen(to), "the file has '%s'", from);
    write_text(text, strlen(text));
    refused(CLUP_ERROR_RUNTIME, what, "changed by hand");
    free(text);
}

/* Finds the object that the table of fields calls by a name. */
static json_t *part_of(json_t *root, const char *of)
{
    json_t *first = point(root, 0);
    return of[0] == '\0'                        ? root
           : strcmp(of, "point") == 0           ? first
           : strcmp(of, "series") == 0          ? update(root)
           : strcmp(of, "quantities") == 0      ? json_object_get(first, "series")
           : json_object_get(first, of) != NULL ? json_object_get(first, of)
                                                : json_object_get(root, of);
}

/* Removes, replaces and adds fields; computes the hash anew, so that it is right. */
static void check_fields(void)
{
    static const struct {
        const char *of, *key, *value, *what;
    } changes[] = {
        {"", "version", NULL, "version is missing"},
        {"", "version", "1", "version is no text"},
        {"", "created", NULL, "created is missing"},
        {"", "points", "{}", "points is no array"},
        {"", "device", NULL, "device is missing"},
        {"device", "name", NULL, "device.name is missing"},
        {"device", "compute_units", "1.5", "device.compute_units is no whole number"},
        {"device", "compute_units", "-1", "device.compute_units is no whole number"},
        {"host", "cores", "\"2\"", "host.cores is no whole number"},
        {"options", "quick", "1", "options.quick is no flag"},
        {"options", "sizes", "7", "options.sizes is no array"},
        {"point", "id", NULL, "points[0].id is missing"},
        {"point", "id", "\"size/sew/L=128\"", "points[1].id 'size/sew/L=128' is there twice"},
        {"point", "id", "\"size\"", "points[0].id 'size' does not begin with its suite"},
        {"point", "suite", "\"siz\"", "points[0].id 'size/sew/L=64' does not begin with its suite"},
        {"point", "x", "null", "points[0].x is no number"},
        {"point", "plan", "[]", "points[0].plan is no object"},
        {"point", "series", NULL, "points[0]"},
        {"point", "series", "[]", "points[0].series is no object"},
        {"point", "error", "\"both\"", "points[0]"},
        {"point", "bytes", "\"13\"", "points[0].bytes is no number"},
        {"point", "spins_sha256", "\"abc\"", "points[0].spins_sha256 is no SHA-256"},
        {"point", "labels_sha256", "null", "points[0].labels_sha256 is no SHA-256"},
        {"series", "unit", NULL, "points[0].series.update.unit is missing"},
        {"series", "median", "\"2.5\"", "points[0].series.update.median is no number"},
        {"series", "median", "2.6", "points[0].series.update"},
        {"series", "median", "null", "points[0].series.update"},
        {"series", "spread", "0.31", "points[0].series.update"},
        {"series", "spread", "null", "points[0].series.update"},
        {"series", "samples", "[]", "points[0].series.update"},
        {"series", "samples", "[1,\"2\",3]", "points[0].series.update.samples[1] is no number"},
        {"problem", "model", NULL, "points[0].problem.model is missing"},
        {"problem", "beta", "\"0.4\"", "points[0].problem.beta is no number"},
        {"plan", "tile", NULL, "points[0].plan.tile is missing"},
        {"plan", "local", "1", "points[0].plan.local is no text"},
        {"", "other", "1", ": other is no field of clup/result/1"},
        {"device", "other", "1", "device.other is no field of clup/result/1"},
        {"host", "other", "1", "host.other is no field"},
        {"options", "device", "{}", "options.device is no field"},
        {"point", "other", "null", "points[0].other is no field"},
        {"problem", "seeds", "1", "points[0].problem.seeds is no field"},
        {"plan", "other", "1", "points[0].plan.other is no field"},
        {"quantities", "other", "{}", "points[0].series.other is no field"},
        {"quantities", "wall", "1", "points[0].series.wall is no object"},
        {"series", "other", "1", "points[0].series.update.other is no field"},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        json_t *root = document(), *part = part_of(root, changes[k].of);
        char name[128];
        if (changes[k].value == NULL)
            json_object_del(part, changes[k].key);
        else
            json_object_set_new(part, changes[k].key,
                                json_loads(changes[k].value, JSON_DECODE_ANY, NULL));
        bench_result_save(path, root);
        snprintf(name, sizeof name, "%s.%s %s", changes[k].of, changes[k].key,
                 changes[k].value != NULL ? changes[k].value : "removed");
        refused(CLUP_ERROR_RUNTIME, changes[k].what, name);
        json_decref(root);
    }
}

static void check_schema(const char *schema, const char *what)
{
    json_t *root = document();
    json_object_set_new(root, "schema", json_string(schema));
    bench_result_save(path, root);
    json_decref(root);
    refused(CLUP_ERROR_RUNTIME, what, schema);
}

static void check_what_is_none(void)
{
    write_text("", 0);
    refused(CLUP_ERROR_RUNTIME, "JSON", "an empty file");
    write_text(template, sizeof template / 2);
    refused(CLUP_ERROR_RUNTIME, "JSON", "half a file");
    write_text("[1, 2]", 6);
    refused(CLUP_ERROR_RUNTIME, "is no result", "another document");
    write_text("{\"schema\": 1}", 13);
    refused(CLUP_ERROR_RUNTIME, "is no result", "a schema that is no text");
    check_schema("clup/devices/1", "is no result");
    check_schema("clup/result/2", "clup/result/1");
    char *deep = malloc(100001);
    memset(deep, '[', 100000);
    write_text(deep, 100000);
    free(deep);
    refused(CLUP_ERROR_RUNTIME, "JSON", "brackets without an end");
    write_text("{\"schema\":\"clup/result/1\",\"schema\":\"clup/result/1\"}", 51);
    refused(CLUP_ERROR_RUNTIME, "JSON", "a key that is there twice");
    if (truncate(path, (64 << 20) + 1) == 0)
        refused(CLUP_ERROR_RUNTIME, "64 MiB", "a file that is too large");
    unlink(path);
    refused(CLUP_ERROR_RUNTIME, "No such file", "no file");
    mkdir(path, 0700);
    refused(CLUP_ERROR_RUNTIME, "irectory", "a folder");
    rmdir(path);
}

/* A pipe has no size, and may have no end. */
static void check_endless(void)
{
    char saved[sizeof path];
    strcpy(saved, path);
    strcpy(path, "/dev/zero");
    refused(CLUP_ERROR_RUNTIME, "64 MiB", "a device without an end");
    strcpy(path, saved);
}

/* ---- without memory -------------------------------------------------------------------------- */

static long left; /* allocations before one fails */

static void *scarce(size_t size)
{
    return left-- == 0 ? NULL : malloc(size);
}

/* Whether path has a result that can be read. */
static bool is_whole(void)
{
    json_t *root = NULL;
    const bool whole = bench_result_load(path, &root) == CLUP_OK;
    json_decref(root);
    return whole;
}

/* Without memory, a file is written whole or not at all, although jansson omits what it has no
 * memory for. */
static void check_memory_of_writing(void)
{
    json_t *root = document();
    size_t refused_count = 0, wrong = 0;
    json_object_set_new(root, "sha256", json_string(""));
    left = -1;
    for (long k = 0; left < 0; k++) {
        json_t *copy = json_deep_copy(root);
        struct stat found;
        write_text("before", 6);
        left = k;
        json_set_alloc_funcs(scarce, free);
        const clup_status status = bench_result_save(path, copy);
        json_set_alloc_funcs(malloc, free);
        refused_count += status == CLUP_ERROR_MEMORY;
        if (status == CLUP_ERROR_MEMORY)
            wrong += stat(path, &found) != 0 || found.st_size != 6;
        else
            wrong += status != CLUP_OK || !is_whole();
        json_decref(copy);
    }
    ok(wrong == 0 && refused_count > 5,
       "without memory for jansson a file is as it was, %zu times, or right: %zu are not",
       refused_count, wrong);
    json_decref(root);
}

/* Without memory, jansson does not always distinguish that from a text that is not JSON. */
static void check_memory_of_reading(void)
{
    size_t failed = 0, wrong = 0;
    left = -1;
    for (long k = 0; left < 0; k++) {
        json_t *read = NULL;
        left = k;
        json_set_alloc_funcs(scarce, free);
        const clup_status status = bench_result_load(path, &read);
        json_set_alloc_funcs(malloc, free);
        failed += status != CLUP_OK;
        wrong += (status == CLUP_OK) != (read != NULL);
        wrong += status != CLUP_OK && status != CLUP_ERROR_MEMORY && status != CLUP_ERROR_RUNTIME;
        json_decref(read);
    }
    ok(failed > 100 && wrong == 0, "without memory a file is not read, %zu times: %zu are wrong",
       failed, wrong);
}

static void check_memory_of_series(void)
{
    const double samples[] = {1, 2, 3};
    size_t none = 0, wrong = 0;
    left = -1;
    for (long k = 0; left < 0; k++) {
        left = k;
        json_set_alloc_funcs(scarce, free);
        json_t *series = bench_series("ms", samples, 3);
        json_set_alloc_funcs(malloc, free);
        none += series == NULL;
        wrong += series != NULL && (json_object_size(series) != 4 ||
                                    json_array_size(json_object_get(series, "samples")) != 3);
        json_decref(series);
    }
    ok(none > 3 && wrong == 0, "a series is whole, or none, %zu times: %zu are not", none, wrong);
}

static int sign(const char *from, const char *to)
{
    json_error_t error;
    json_t *root = json_load_file(from, 0, &error);
    const clup_status status = root != NULL ? bench_result_save(to, root)
                                            : bench_fail(CLUP_ERROR_RUNTIME, "%s", error.text);
    if (status != CLUP_OK)
        fprintf(stderr, "%s: %s\n", from, bench_detail());
    json_decref(root);
    return (int)status;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR");
    if (argc == 4 && strcmp(argv[1], "sign") == 0)
        return sign(argv[2], argv[3]);
    snprintf(other, sizeof other, "%s/clup-result-XXXXXX", folder != NULL ? folder : "/tmp");
    if (mkdtemp(other) == NULL) {
        puts("Bail out! no folder for the test");
        return 1;
    }
    snprintf(path, sizeof path, "%.4000s/result.json", other);
    check_known_answers();
    check_error();
    check_round_trip();
    tampered("2.5", "2.6", "update");
    tampered("0.125", "0.126", "changed after it was measured");
    tampered("\"A\"", "\"B\"", "changed after it was measured");
    check_fields();
    check_what_is_none();
    check_endless();
    check_memory_of_writing();
    check_memory_of_reading();
    check_memory_of_series();
    unlink(path);
    rmdir(other);
    return done_testing();
}
