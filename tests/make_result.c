/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a result file whose numbers follow laws that are known, for tests of what is made of
 * results:
 *
 *   make_result FILE [paper|opposite] [quick] [only=SUITE] [factor=F] [name=DEVICE]
 *               [spins] [fail]
 *
 * paper: what the paper found, on a device about as fast as its GTX 480; opposite: what contradicts
 * each of its conclusions. factor multiplies all times. spins: one point has other spins than those
 * of its system; fail: one point has an error. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/point.h"
#include "bench/result.h"
#include "bench/status.h"

#define DMIN 1.08
/* self-labelling, ns a site: C_LOCAL B^DMIN */
#define C_LOCAL 0.054
/* relaxation, ns a site: C_RELAX L^DMIN/B^(DMIN + 1) */
#define C_RELAX 0.58
/* sewing, ns a site: SEW_A/L + SEW_B/B; both with C_LOCAL have B_opt = 14.2, and n_eff = 110 */
#define SEW_A 6162.
#define SEW_B 14.5

static bool opposite, quick, other_spins, failing;
static double factor = 1;
static const char *only, *device_name = "Model of a GPU";
static json_t *points;

static void *need(void *made)
{
    if (made == NULL) {
        fputs("make_result: out of memory\n", stderr);
        exit(1);
    }
    return made;
}

static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, need(value)) != 0)
        need(NULL);
}

/* A point without series; NULL where its suite is not wanted. */
static json_t *add(const char *suite, const char *curve, double x, const char *rest)
{
    char id[160];
    if (only != NULL && strcmp(only, suite) != 0)
        return NULL;
    snprintf(id, sizeof id, "%s/%s%s", suite, curve, rest);
    json_t *point = need(json_object());
    set(point, "suite", json_string(suite));
    set(point, "id", json_string(id));
    set(point, "curve", json_string(curve));
    set(point, "x", json_real(x));
    set(point, "plan", json_null());
    set(point, "bytes", json_null());
    set(point, "bandwidth_fraction", json_null());
    set(point, "series", json_object());
    need(json_array_append_new(points, point) == 0 ? point : NULL);
    return point;
}

/* A series of a point, of three samples that differ by one in a hundred. */
static void series(json_t *point, const char *name, const char *unit, double value)
{
    const double samples[] = {0.99 * value, value, 1.01 * value};
    if (point != NULL)
        set(json_object_get(point, "series"), name, bench_series(unit, samples, 3));
}

/* A time in ns a site. */
static void time_of(json_t *point, const char *name, double ns)
{
    series(point, name, "ps/site", 1000 * factor * ns);
}

/* The square torus, and for a plan its tile; the spins follow from the system. */
static json_t *sweep(json_t *point, unsigned size, unsigned q, double ratio, unsigned tile,
                     const char *local, const char *consolidate)
{
    static const unsigned char of[] = "0123456789abcdef";
    const double beta = ratio * log(1 + sqrt(q));
    if (point == NULL)
        return NULL;
    set(point, "problem",
        json_pack("{s:s s:s s:[iii] s:[iii] s:i s:f s:s}", "model", "Potts", "lattice", "square",
                  "size", (int)size, (int)size, 1, "periodic", 1, 1, 1, "q", (int)q, "beta", beta,
                  "algorithm", "sw"));
    if (tile == 0)
        return point;
    set(point, "plan",
        json_pack("{s:s s:s s:s s:s s:s s:[iii]}", "bonds", "word", "source", "fk", "local", local,
                  "consolidate", consolidate, "action", "flip", "tile", (int)tile, (int)tile, 1));
    char text[80], hash[65] = "";
    snprintf(text, sizeof text, "%u %u %g", size, q, ratio);
    unsigned state = 2166136261u;
    for (const char *c = text; *c != '\0'; c++)
        state = (state ^ (unsigned char)*c) * 16777619u;
    if (other_spins) {
        state ^= 1;
        other_spins = false;
    }
    for (int k = 0; k < 64; k++) {
        state = state * 1664525u + 1013904223u;
        hash[k] = (char)of[state >> 28];
    }
    set(point, "spins_sha256", json_string(hash));
    return point;
}

static const char *at_size(unsigned size)
{
    static char text[40];
    snprintf(text, sizeof text, "/L=%u", size);
    return text;
}

static const char *at_tile(unsigned tile, unsigned size)
{
    static char text[40];
    snprintf(text, sizeof text, "/B=%u/L=%u", tile, size);
    return text;
}

/* ---- laws, ns a site ------------------------------------------------------------------------- */

static double local_ns(double tile)
{
    return opposite ? 2 * pow(tile, 0.2) : C_LOCAL * pow(tile, DMIN);
}

static double sew_ns(double size, double tile)
{
    return opposite ? 0.002 * size / tile : SEW_A / size + SEW_B / tile;
}

static double relax_ns(double size, double tile)
{
    return opposite ? 40 * pow(tile / 16, size < 1000 ? -0.5 : 0.5) + 4000 / size
                    : C_RELAX * pow(size, DMIN) / pow(tile, DMIN + 1);
}

/* The tile of least time by the paper's formula. */
static double relax_tile(double size)
{
    return pow(C_RELAX * (DMIN + 1) / (C_LOCAL * DMIN) * pow(size, DMIN), 1 / (2 * DMIN + 1));
}

/* Sweeps. */
static double sew_sweep(double size)
{
    return 0.6 + local_ns(16) + sew_ns(size, 16);
}

static double relax_sweep(double size)
{
    const double tile = relax_tile(size);
    return 0.6 + local_ns(tile) + relax_ns(size, tile);
}

/* ---- suites ---------------------------------------------------------------------------------- */

static void limits(void)
{
    static const struct {
        const char *name, *unit;
        double value;
    } rows[] = {{"copy", "GB/s", 177},
                {"atomics", "G/s", 40},
                {"one_atomic", "G/s", 1.2},
                {"launch", "us", 5},
                {"wait", "us", 12}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        json_t *point = add("bandwidth", rows[k].name, 0, "");
        if (point != NULL)
            set(point, "problem", json_pack("{s:s}", "model", "device"));
        series(point, rows[k].name, rows[k].unit, rows[k].value);
    }
}

static void tiles(unsigned size)
{
    static const struct {
        const char *name;
        double ns, power, opposite_ns, opposite_power;
    } rows[] = {{"selflabel", C_LOCAL, DMIN, 6, 0.5},
                {"selflabel_small", 1.05 * C_LOCAL, DMIN, 12, 0.5},
                {"selflabel_block", 1.1 * C_LOCAL, DMIN, 18, 0.5},
                {"bfs", 13.4, 0, 4, 0},
                {"unionfind", 8.6, 0, 5, 0},
                {"unionfind_compress", 9.5, 0, 3, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (unsigned tile = 4; tile <= 64; tile *= 2) {
            json_t *point = sweep(add("tiles", rows[k].name, tile, at_tile(tile, size)), size, 2, 1,
                                  tile, rows[k].name, "union");
            time_of(point, "local",
                    opposite ? rows[k].opposite_ns * pow(tile, rows[k].opposite_power)
                             : rows[k].ns * pow(tile, rows[k].power));
        }
}

static void relaxation(unsigned size)
{
    for (unsigned tile = 8; tile <= 32; tile *= 2) {
        char curve[40];
        const double l = (double)size / tile;
        snprintf(curve, sizeof curve, "B = %u", tile);
        if (l < 8 || l > 256)
            continue;
        json_t *point = sweep(add("relax", curve, l, at_size(size)), size, 2, 1, tile, "selflabel",
                              "relax_multithread");
        series(point, "iterations", "1", 1.5 * pow(l, opposite ? 0.5 : DMIN));
    }
}

static void sewing(unsigned size)
{
    for (unsigned tile = 8; tile <= 64; tile *= 2) {
        char curve[40];
        snprintf(curve, sizeof curve, "B = %u", tile);
        json_t *point = sweep(add("sew", curve, size, at_size(size)), size, 2, 1, tile, "selflabel",
                              "sew");
        time_of(point, "consolidate", sew_ns(size, tile));
        time_of(point, "update", 0.6 + local_ns(tile) + sew_ns(size, tile));
    }
}

static void optimal(unsigned size)
{
    static const char *const ways[] = {"sew", "relax_multithread"};
    for (int way = 0; way < 2; way++)
        for (unsigned tile = 4; tile <= 64; tile *= 2) {
            const double merge = way == 0 ? sew_ns(size, tile) : relax_ns(size, tile);
            json_t *point = sweep(add("optimal", ways[way], size, at_tile(tile, size)), size, 2, 1,
                                  tile, "selflabel", ways[way]);
            time_of(point, "local", local_ns(tile));
            time_of(point, "consolidate", merge);
            time_of(point, "update", 0.6 + local_ns(tile) + merge);
        }
}

static void breakdown(unsigned size)
{
    json_t *point = sweep(add("breakdown", "sew", size, at_size(size)), size, 2, 1, 16, "selflabel",
                          "sew");
    time_of(point, "source", 0.3);
    time_of(point, "local", local_ns(16));
    time_of(point, "consolidate", sew_ns(size, 16));
    time_of(point, "action", 0.3);
    time_of(point, "update", sew_sweep(size));
    point = sweep(add("breakdown", "default", size, at_size(size)), size, 2, 1, 32, "runs",
                  "union");
    time_of(point, "local", 0.1);
    time_of(point, "consolidate", 0.05 + 20. / size);
    time_of(point, "action", 0.08);
    time_of(point, "update", 0.23 + 20. / size);
}

static void by_size(unsigned size)
{
    const struct {
        const char *name;
        double ns;
    } rows[] = {{"sew", sew_sweep(size)},
                {"relax", 1.6 * relax_sweep(size)},
                {"relax_multithread", relax_sweep(size)},
                {"union", 1.9 + 60. / size},
                {"default", 0.23 + 20. / size}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        time_of(sweep(add("size", rows[k].name, size, at_size(size)), size, 2, 1, 16, "selflabel",
                      rows[k].name),
                "update", rows[k].ns);
}

static void by_beta(unsigned size)
{
    static const double ratios[] = {0.2, 0.6, 0.9, 1, 1.1, 1.4, 2};
    static const struct {
        const char *curve, *way;
        unsigned tile;
    } rows[] = {{"sew B = 16", "sew", 16},
                {"relax_multithread B = 16", "relax_multithread", 16},
                {"relax_multithread B = 32", "relax_multithread", 32},
                {"default", "union", 64}};
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            const double x = ratios[r], peak = exp(-pow((x - 1) / 0.2, 2));
            char rest[60];
            snprintf(rest, sizeof rest, "/ratio=%g/L=%u", x, size);
            const double ns = k == 3     ? 0.25 + 0.1 * x
                              : opposite ? 3 + (k == 0 ? 2 / x : x)
                              : k == 0   ? 0.2 + 3 * x
                                         : 2 + x + 20 * peak / rows[k].tile * 16;
            time_of(sweep(add("beta", rows[k].curve, x, rest), size, 2, x, rows[k].tile,
                          "selflabel", rows[k].way),
                    "update", ns);
        }
}

static void speedups(unsigned size)
{
    const double serial = opposite ? 30 : 120 + 5 * log2(size);
    const struct {
        const char *name;
        double ns;
        bool serial;
    } rows[] = {{"breadth-first", serial, true},
                {"union-find", 0.6 * serial, true},
                {"default", 0.3 + 200. / size, false},
                {"sew", 1.05 * sew_sweep(size), false},
                {"relax_multithread", 1.05 * relax_sweep(size), false}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        time_of(sweep(add("speedup", rows[k].name, size, at_size(size)), size, 2, 1,
                      rows[k].serial ? 0 : 16, "selflabel", rows[k].name),
                "wall", rows[k].ns);
}

static void lattices(unsigned size)
{
    static const char *const curves[] = {"square, serial", "square, default", "cubic, serial",
                                         "cubic, default"};
    for (unsigned k = 0; k < 4; k++)
        time_of(sweep(add("lattices", curves[k], size, at_size(size)), size, 2, 1, 0, NULL, NULL),
                "wall", k % 2 == 0 ? 20 : 6);
}

static void clusters(unsigned size)
{
    time_of(sweep(add("wolff", "single cluster", size, at_size(size)), size, 2, 1, 0, NULL, NULL),
            "updated", 40);
    for (unsigned seeds = 2; seeds <= 8; seeds *= 2) {
        char curve[40];
        snprintf(curve, sizeof curve, "few-cluster S = %u", seeds);
        json_t *point = sweep(add("wolff", curve, size, at_size(size)), size, 2, 1, 16, "selflabel",
                              "union");
        if (point != NULL)
            set(json_object_get(point, "problem"), "algorithm", json_string("few-cluster"));
        time_of(point, "updated", opposite ? 0.05 : 9 + 4000. / size / seeds);
    }
}

static void pictures(void)
{
    static const double densities[] = {0, 0.1, 0.3, 0.5, 0.5927, 0.7, 0.9};
    const double edge = quick ? 512 : 8192;
    for (int neighbours = 4; neighbours <= 8; neighbours += 4)
        for (size_t k = 0; k < sizeof densities / sizeof *densities; k++) {
            char curve[60], rest[60];
            if (k == 0)
                snprintf(curve, sizeof curve, "spiral");
            else
                snprintf(curve, sizeof curve, "random p = %g", densities[k]);
            snprintf(rest, sizeof rest, "/neighbours=%d/L=%g", neighbours, edge);
            json_t *point = add("label", curve, edge * edge, rest);
            if (point != NULL)
                set(point, "problem",
                    json_pack("{s:s s:s s:f s:i s:[iii] s:i s:s s:s}", "model", "image", "picture",
                              k == 0 ? "spiral" : "random", "density", densities[k], "grain", 1,
                              "size", (int)edge, (int)edge, 1, "connectivity", neighbours, "match",
                              "nonzero", "dtype", "u8"));
            series(point, "device", "ms",
                   factor * 1e-6 * edge * edge / (40 - 40 * densities[k] * (1 - densities[k])));
        }
}

static void table(void)
{
    static const struct {
        unsigned row, q;
        double ratio;
        unsigned size;
        const char *way;
        double serial, ns;
    } rows[] = {
#define TABLE(ROW, Q, RATIO, SIZE, WAY, PROCESSOR, SERIAL, GPU, NS, SPEEDUP) \
    {ROW, Q, RATIO, SIZE, WAY, SERIAL, NS},
#include "bench/draw/paper.def"
#undef TABLE
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const unsigned size = quick ? rows[k].size / 16 : rows[k].size;
        const char *const curves[] = {"breadth-first", rows[k].way, "default"};
        char rest[60];
        bool before = false;
        for (size_t j = 0; j < k; j++)
            before = before || (rows[j].q == rows[k].q && rows[j].ratio == rows[k].ratio &&
                                rows[j].size == rows[k].size && rows[j].way == rows[k].way);
        snprintf(rest, sizeof rest, "/q=%u/ratio=%g/L=%u", rows[k].q, rows[k].ratio, size);
        for (int c = 0; c < 3 && !before; c++) {
            const double ns = c == 0 ? rows[k].serial : c == 1 ? rows[k].ns : 0.5;
            char id[160];
            snprintf(id, sizeof id, "table/%s%s", curves[c], rest);
            for (size_t j = 0; j < json_array_size(points); j++)
                if (strcmp(json_string_value(json_object_get(json_array_get(points, j), "id")),
                           id) == 0)
                    id[0] = '\0';
            if (id[0] == '\0')
                continue;
            json_t *point = sweep(add("table", curves[c], rows[k].row, rest), size, rows[k].q,
                                  rows[k].ratio, c == 0 ? 0 : 16, "selflabel", curves[c]);
            if (c > 0)
                time_of(point, "update", ns);
            time_of(point, "wall", 1.1 * ns);
        }
    }
}

static void fail_last(void)
{
    json_t *point = json_array_get(points, json_array_size(points) - 1);
    json_object_del(point, "series");
    set(point, "error", json_string("out of <memory> & time"));
}

static bool read_word(const char *word)
{
    if (strcmp(word, "opposite") == 0)
        opposite = true;
    else if (strcmp(word, "quick") == 0)
        quick = true;
    else if (strcmp(word, "spins") == 0)
        other_spins = true;
    else if (strcmp(word, "fail") == 0)
        failing = true;
    else if (strncmp(word, "only=", 5) == 0)
        only = word + 5;
    else if (strncmp(word, "name=", 5) == 0)
        device_name = word + 5;
    else if (strncmp(word, "factor=", 7) == 0)
        factor = atof(word + 7);
    else
        return strcmp(word, "paper") == 0;
    return true;
}

int main(int argc, char **argv)
{
    points = need(json_array());
    for (int k = 2; k < argc; k++)
        if (!read_word(argv[k])) {
            fprintf(stderr, "make_result: what is '%s'?\n", argv[k]);
            return 2;
        }
    const unsigned least = quick ? 64 : 128, most = quick ? 512 : 16384;
    limits();
    tiles(quick ? 256 : 4096);
    for (unsigned size = least; size <= most; size *= 2) {
        relaxation(size);
        if (size >= 128)
            sewing(size);
        optimal(size);
        breakdown(size);
        by_size(size);
        speedups(size);
        lattices(size);
        if (size <= 2048)
            clusters(size);
    }
    by_beta(quick ? 256 : 4096);
    pictures();
    table();
    if (failing)
        fail_last();
    json_t *root = need(json_pack(
        "{s:s s:s s:s s:{s:s s:s s:s s:s s:s s:i s:i} s:{s:s s:s s:s s:i} s:{s:s s:b s:n s:i} s:O}",
        "schema", BENCH_SCHEMA, "version", "0.1.0", "created", "2026-01-02T03:04:05Z", "device",
        "name", device_name, "platform", "a platform", "vendor", "a vendor", "driver", "1.0",
        "type", "GPU", "compute_units", 15, "local_mem_bytes", 49152, "host", "system", "Linux",
        "machine", "x86_64", "processor", "a processor", "cores", 4, "options", "suite",
        only != NULL ? only : "paper", "quick", quick, "sizes", "seed", 1, "points", points));
    const clup_status status = argc > 1 ? bench_result_save(argv[1], root) : CLUP_ERROR_USAGE;
    if (status != CLUP_OK)
        fprintf(stderr, "make_result: %s\n", argc > 1 ? bench_detail() : "FILE is missing");
    json_decref(root);
    json_decref(points);
    return (int)status;
}
