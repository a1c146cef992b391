/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of each suite. The paper's points are the critical q = 2 model on a square torus, with
 * bonds in words, which all of the paper's kernels can use. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/picture.h"
#include "bench/measure/serial.h"
#include "bench/status.h"
#include "bench/measure/suite.h"
#include "program.h"

/* ---- lists ----------------------------------------------------------------------------------- */

/* Adds a copy of point with this id after the suite's name. Without memory, marks the list as
 * failed. */
static bench_point *add(bench_list *list, const bench_point *point, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bench_point *add(bench_list *list, const bench_point *point, const char *format, ...)
{
    if (list->count == list->room) {
        const size_t room = list->room > 0 ? 2 * list->room : 64;
        bench_point *points = realloc(list->points, room * sizeof *points);
        if (points == NULL) {
            list->failed = true;
            return NULL;
        }
        list->points = points;
        list->room = room;
    }
    bench_point *added = &list->points[list->count];
    *added = *point;
    added->suite = list->suite;
    const int used = snprintf(added->id, sizeof added->id, "%s/", list->suite);
    va_list args;
    va_start(args, format);
    vsnprintf(added->id + used, sizeof added->id - (size_t)used, format, args);
    va_end(args);
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->points[k].id, added->id) == 0)
            return NULL;
    return &list->points[list->count++];
}

/* ---- what points have ------------------------------------------------------------------------ */

/* The L of a suite: those asked for, else powers of two from least to most; quick runs use smaller
 * ones. */
static size_t sizes(const bench_list *list, uint64_t least, uint64_t most, uint64_t quick_least,
                    uint64_t quick_most, uint64_t to[BENCH_SIZES_MOST])
{
    const bench_order *order = list->order;
    size_t count = 0;
    if (order->size_count > 0) {
        memcpy(to, order->sizes, sizeof order->sizes);
        return order->size_count;
    }
    const uint64_t from = order->quick ? quick_least : least;
    const uint64_t end = order->quick ? quick_most : most;
    for (uint64_t size = from; size <= end && count < BENCH_SIZES_MOST; size *= 2)
        to[count++] = size;
    return count;
}

/* The L of a suite with a single L: the largest asked for. */
static uint64_t one_size(const bench_list *list, uint64_t size, uint64_t quick)
{
    uint64_t all[BENCH_SIZES_MOST], most = 0;
    const size_t count = sizes(list, size, size, quick, quick, all);
    for (size_t k = 0; k < count; k++)
        most = all[k] > most ? all[k] : most;
    return most;
}

/* A point: a sweep of the square torus at beta = ratio beta_c, with the plan that request asks
 * for. */
static bench_point sweep_of(uint64_t size, unsigned q, double ratio, clup_plan_request request)
{
    const uint32_t edge = (uint32_t)size;
    return (bench_point){.measure = bench_measure_sweep,
                         .x = (double)size,
                         .request = request,
                         .problem = {.lattice = CLUP_LATTICE_SQUARE,
                                     .size = {edge, edge, 1},
                                     .periodic = {1, 1, 1},
                                     .q = q,
                                     .beta = ratio * clup_critical_beta(CLUP_LATTICE_SQUARE, q),
                                     .replicas = 1}};
}

/* A point: the same update by a serial code. */
static bench_point serial_of(uint64_t size, unsigned q, double ratio, const char *program)
{
    bench_point point = sweep_of(size, q, ratio, (clup_plan_request){0});
    point.measure = bench_measure_serial;
    while (bench_serial_name(point.program) != NULL &&
           strcmp(bench_serial_name(point.program), program) != 0)
        point.program++;
    snprintf(point.curve, sizeof point.curve, "%s", program);
    return point;
}

/* The paper's plan: self-labelling in tiles of B x B; B = 0 for the planner's choice. */
static clup_plan_request paper_plan(const char *consolidate, unsigned tile)
{
    return (clup_plan_request){
        .bonds = "word", .local = "selflabel", .consolidate = consolidate, .tile = tile};
}

/* Whether a kernel takes the word layout of the square lattice, with any tile. */
static bool is_for_words(clup_stage stage, size_t row)
{
    clup_kernel_scope scope;
    return clup_kernel_scope_of(stage, row, &scope) && (scope.models >> CLUP_POTTS & 1) != 0 &&
           (scope.lattices >> CLUP_LATTICE_SQUARE & 1) != 0 &&
           (scope.bonds == NULL || strcmp(scope.bonds, "word") == 0);
}

static const unsigned tiles[] = {4, 8, 16, 32, 64};
#define TILES (sizeof tiles / sizeof *tiles)

/* ---- the suites ------------------------------------------------------------------------------ */

static void bench_points_bandwidth(bench_list *list)
{
    for (clup_limit limit = 0; limit < CLUP_LIMITS; limit++) {
        bench_point point = {.measure = bench_measure_limit, .limit = limit};
        snprintf(point.curve, sizeof point.curve, "%s", clup_limit_name(limit));
        add(list, &point, "%s", point.curve);
    }
}

static void bench_points_tiles(bench_list *list)
{
    const uint64_t size = one_size(list, 4096, 256);
    for (size_t row = 0; clup_kernel_name(CLUP_LOCAL, row) != NULL; row++)
        for (size_t t = 0; t < TILES; t++) {
            const char *local = clup_kernel_name(CLUP_LOCAL, row);
            if (!is_for_words(CLUP_LOCAL, row) || !clup_kernel_has_tiles(CLUP_LOCAL, row))
                continue;
            bench_point point = sweep_of(
                size, 2, 1,
                (clup_plan_request){
                    .bonds = "word", .local = local, .consolidate = "union", .tile = tiles[t]});
            point.x = tiles[t];
            snprintf(point.curve, sizeof point.curve, "%s", local);
            add(list, &point, "%s/B=%u/L=%u", local, tiles[t], (unsigned)size);
        }
}

static void bench_points_relax(bench_list *list)
{
    uint64_t all[BENCH_SIZES_MOST];
    const size_t count = sizes(list, 256, 4096, 128, 512, all);
    for (size_t k = 0; k < count; k++)
        for (unsigned tile = 8; tile <= 32; tile *= 2) {
            bench_point point = sweep_of(all[k], 2, 1, paper_plan("relax_multithread", tile));
            /* leaves out sweeps of hundreds of iterations; other tiles have these L/B as well */
            if (all[k] / tile < 8 || all[k] / tile > 256)
                continue;
            point.x = (double)all[k] / tile;
            point.all_samples = true;
            snprintf(point.curve, sizeof point.curve, "B = %u", tile);
            add(list, &point, "B=%u/L=%u", tile, (unsigned)all[k]);
        }
}

static void bench_points_sew(bench_list *list)
{
    uint64_t all[BENCH_SIZES_MOST];
    const size_t count = sizes(list, 256, 16384, 128, 512, all);
    for (size_t k = 0; k < count; k++)
        for (size_t t = 1; t < TILES; t++) {
            bench_point point = sweep_of(all[k], 2, 1, paper_plan("sew", tiles[t]));
            if (all[k] < 2 * tiles[t])
                continue;
            snprintf(point.curve, sizeof point.curve, "B = %u", tiles[t]);
            add(list, &point, "B=%u/L=%u", tiles[t], (unsigned)all[k]);
        }
}

static void bench_points_optimal(bench_list *list)
{
    static const char *const ways[] = {"sew", "relax_multithread"};
    uint64_t all[BENCH_SIZES_MOST];
    const size_t count = sizes(list, 256, 4096, 128, 512, all);
    for (size_t k = 0; k < count; k++)
        for (size_t w = 0; w < 2; w++)
            for (size_t t = 0; t < TILES; t++) {
                bench_point point = sweep_of(all[k], 2, 1, paper_plan(ways[w], tiles[t]));
                snprintf(point.curve, sizeof point.curve, "%s", ways[w]);
                add(list, &point, "%s/B=%u/L=%u", ways[w], tiles[t], (unsigned)all[k]);
            }
}

/* Adds a sweep with the planner's plan. */
static void add_default(bench_list *list, uint64_t size)
{
    bench_point point = sweep_of(size, 2, 1, (clup_plan_request){0});
    snprintf(point.curve, sizeof point.curve, "default");
    add(list, &point, "default/L=%u", (unsigned)size);
}

static void add_paper(bench_list *list, const char *consolidate, unsigned tile, uint64_t size)
{
    bench_point point = sweep_of(size, 2, 1, paper_plan(consolidate, tile));
    snprintf(point.curve, sizeof point.curve, "%s", consolidate);
    add(list, &point, "%s/L=%u", consolidate, (unsigned)size);
}

static void bench_points_breakdown(bench_list *list)
{
    uint64_t all[BENCH_SIZES_MOST];
    const size_t count = sizes(list, 256, 16384, 64, 512, all);
    for (size_t k = 0; k < count; k++) {
        add_paper(list, "sew", 16, all[k]);
        add_default(list, all[k]);
    }
}

static void bench_points_size(bench_list *list)
{
    uint64_t all[BENCH_SIZES_MOST];
    const size_t count = sizes(list, 128, 16384, 64, 512, all);
    for (size_t k = 0; k < count; k++) {
        for (size_t row = 0; clup_kernel_name(CLUP_CONSOLIDATE, row) != NULL; row++)
            if (is_for_words(CLUP_CONSOLIDATE, row))
                add_paper(list, clup_kernel_name(CLUP_CONSOLIDATE, row), 0, all[k]);
        add_default(list, all[k]);
    }
}

static void bench_points_beta(bench_list *list)
{
    static const double ratios[] = {0.2,  0.4,  0.6, 0.8, 0.9, 0.95, 0.98, 1,
                                    1.02, 1.05, 1.1, 1.2, 1.4, 1.7,  2};
    static const struct {
        const char *consolidate;
        unsigned tile;
    } ways[] = {{"sew", 16}, {"relax_multithread", 16}, {"relax_multithread", 32}, {NULL, 0}};
    const uint64_t size = one_size(list, 4096, 256);
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            bench_point point = sweep_of(size, 2, ratios[r],
                                         ways[w].consolidate != NULL
                                             ? paper_plan(ways[w].consolidate, ways[w].tile)
                                             : (clup_plan_request){0});
            if (list->order->quick && r % 2 == 0 && ratios[r] != 1)
                continue;
            point.x = ratios[r];
            if (ways[w].consolidate != NULL)
                snprintf(point.curve, sizeof point.curve, "%s B = %u", ways[w].consolidate,
                         ways[w].tile);
            else
                snprintf(point.curve, sizeof point.curve, "default");
            add(list, &point, "%s/B=%u/ratio=%g/L=%u",
                ways[w].consolidate != NULL ? ways[w].consolidate : "default", ways[w].tile,
                ratios[r], (unsigned)size);
        }
}

static void add_serial(bench_list *list, const char *program, uint64_t size)
{
    const bench_point point = serial_of(size, 2, 1, program);
    add(list, &point, "%s/L=%u", program, (unsigned)size);
}

static void bench_points_speedup(bench_list *list)
{
    uint64_t all[BENCH_SIZES_MOST];
    const size_t count = sizes(list, 128, 8192, 64, 512, all);
    for (size_t k = 0; k < count; k++) {
        add_serial(list, "breadth-first", all[k]);
        add_serial(list, "union-find", all[k]);
        add_default(list, all[k]);
        add_paper(list, "sew", 16, all[k]);
        add_paper(list, "relax_multithread", 0, all[k]);
    }
}

/* Lattices with a known critical temperature; cubes have edges of L/16. */
static void bench_points_lattices(bench_list *list)
{
    static const clup_lattice_kind kinds[] = {CLUP_LATTICE_SQUARE, CLUP_LATTICE_TRIANGULAR,
                                              CLUP_LATTICE_CUBIC};
    uint64_t all[BENCH_SIZES_MOST];
    const size_t count = sizes(list, 512, 2048, 128, 256, all);
    for (size_t k = 0; k < count; k++)
        for (size_t l = 0; l < sizeof kinds / sizeof *kinds; l++) {
            const bool space = clup_lattice_axes(kinds[l]) > 2;
            const uint64_t edge = !space ? all[k] : all[k] > 32 ? all[k] / 16 : 2;
            bench_point points[] = {serial_of(edge, 2, 1, "measured union-find"),
                                    sweep_of(edge, 2, 1, (clup_plan_request){0})};
            for (size_t p = 0; p < 2; p++) {
                clup_problem *problem = &points[p].problem;
                problem->lattice = kinds[l];
                problem->beta = clup_critical_beta(kinds[l], 2);
                problem->size[2] = space ? (uint32_t)edge : 1;
                points[p].measured = true;
                points[p].x = (double)all[k];
                snprintf(points[p].curve, sizeof points[p].curve, "%s, %s",
                         clup_lattice_name(kinds[l]), p == 0 ? "serial" : "default");
                add(list, &points[p], "%s/%s/L=%u", clup_lattice_name(kinds[l]),
                    p == 0 ? "measured union-find" : "default", (unsigned)edge);
            }
        }
}

static void bench_points_wolff(bench_list *list)
{
    uint64_t all[BENCH_SIZES_MOST];
    const size_t count = sizes(list, 128, 2048, 64, 256, all);
    for (size_t k = 0; k < count; k++) {
        add_serial(list, "single cluster", all[k]);
        for (unsigned seeds = 2; seeds <= 8 && seeds <= all[k]; seeds *= 2) {
            bench_point point = sweep_of(all[k], 2, 1, (clup_plan_request){0});
            point.method = (clup_method){
                .algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = seeds, .p_flip = 0.9};
            snprintf(point.curve, sizeof point.curve, "few-cluster S = %u", seeds);
            add(list, &point, "few-cluster/S=%u/L=%u", seeds, (unsigned)all[k]);
        }
    }
}

/* Adds an image, whose foreground is labelled. */
static void add_picture(bench_list *list, const char *picture, double density, unsigned grain,
                        unsigned connectivity, uint64_t size)
{
    const bool space = connectivity == 6 || connectivity == 18 || connectivity == 26;
    const uint32_t edge = (uint32_t)size;
    char drawn[48];
    bench_point point = {.measure = bench_measure_picture,
                         .picture = picture,
                         .density = density,
                         .grain = grain,
                         .x = (double)edge * edge * (space ? edge : 1),
                         .image = {.size = {edge, edge, space ? edge : 1},
                                   .connectivity = connectivity,
                                   .dtype = CLUP_DTYPE_U8,
                                   .channels = 1,
                                   .match = CLUP_MATCH_NONZERO}};
    const int used = snprintf(drawn, sizeof drawn, "%s", picture);
    if (density > 0 && grain > 1)
        snprintf(drawn + used, sizeof drawn - (size_t)used, " p = %g, grain %u", density, grain);
    else if (density > 0)
        snprintf(drawn + used, sizeof drawn - (size_t)used, " p = %g", density);
    snprintf(point.curve, sizeof point.curve, "%s", drawn);
    add(list, &point, "%s/neighbours=%u/L=%u", drawn, connectivity, edge);
}

static void bench_points_label(bench_list *list)
{
    static const double densities[] = {0.1, 0.3, 0.5, 0.5927, 0.7, 0.9};
    const uint64_t size = one_size(list, 8192, 512), edge = list->order->quick ? 48 : 256;
    const unsigned plane[] = {4, 8}, space[] = {6, 26};
    for (unsigned c = 0; c < 2; c++) {
        for (size_t d = 0; d < sizeof densities / sizeof *densities; d++)
            if (!list->order->quick || densities[d] == 0.5)
                add_picture(list, "random", densities[d], 1, plane[c], size);
        for (unsigned grain = 4; grain <= 16; grain *= 4)
            add_picture(list, "random", 0.5, grain, plane[c], size);
        for (size_t row = 0; bench_picture_name(row) != NULL; row++)
            if (strcmp(bench_picture_name(row), "random") != 0)
                add_picture(list, bench_picture_name(row),
                            strcmp(bench_picture_name(row), "blobs") == 0 ? 0.5 : 0, 0, plane[c],
                            size);
    }
    for (unsigned c = 0; c < 2; c++) {
        for (double density = 0.1; density < 0.6; density += 0.2)
            if (!list->order->quick || density > 0.2)
                add_picture(list, "random", density, 1, space[c], edge);
        add_picture(list, "random", 0.5, 8, space[c], edge);
        add_picture(list, "blobs", 0.5, 0, space[c], edge);
        add_picture(list, "stripes", 0, 0, space[c], edge);
    }
}

/* The rows of the paper's Table I that differ on one device. A quick run has lattices with L/16. */
static void bench_points_table(bench_list *list)
{
    static const struct {
        unsigned row, q;
        double ratio;
        uint32_t size;
        const char *consolidate;
    } rows[] = {
        {1, 2, 1, 512, "relax_multithread"},
        {2, 2, 1, 512, "sew"},
        {3, 2, 1, 8192, "sew"},
        {8, 2, 1, 16384, "sew"},
        {9, 2, 1, 8192, "relax_multithread"},
        {10, 2, 0.6, 8192, "sew"},
        {11, 2, 1.4, 8192, "sew"},
        {12, 3, 1, 8192, "sew"},
        {13, 4, 1, 8192, "sew"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const uint32_t size = list->order->quick ? rows[k].size / 16 : rows[k].size;
        const unsigned q = rows[k].q, tile = strcmp(rows[k].consolidate, "sew") == 0 ? 16 : 0;
        const double ratio = rows[k].ratio;
        bench_point points[] = {serial_of(size, q, ratio, "breadth-first"),
                                sweep_of(size, q, ratio, paper_plan(rows[k].consolidate, tile)),
                                sweep_of(size, q, ratio, (clup_plan_request){0})};
        snprintf(points[1].curve, sizeof points[1].curve, "%s", rows[k].consolidate);
        snprintf(points[2].curve, sizeof points[2].curve, "default");
        for (size_t p = 0; p < 3; p++) {
            points[p].x = rows[k].row;
            add(list, &points[p], "%s/q=%u/ratio=%g/L=%u", points[p].curve, q, ratio, size);
        }
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static const bench_suite suites[] = {
#define SUITE(NAME, ABOUT) {#NAME, ABOUT, bench_points_##NAME},
#include "bench/measure/suites.def"
    {"paper", "all of these, and the paper beside them", NULL},
};
#define SUITES (sizeof suites / sizeof *suites)

const bench_suite *bench_suite_row(size_t row)
{
    return row < SUITES ? &suites[row] : NULL;
}

clup_status bench_points(const bench_order *order, bench_list *list)
{
    const bench_point copy = {
        .measure = bench_measure_limit, .limit = CLUP_LIMIT_COPY, .curve = "copy"};
    size_t found = 0;
    while (found < SUITES && strcmp(suites[found].name, order->suite) != 0)
        found++;
    *list = (bench_list){.order = order, .suite = "bandwidth"};
    if (found == SUITES)
        return bench_fail(CLUP_ERROR_USAGE, "there is no suite '%s'", order->suite);
    add(list, &copy, "copy");
    for (size_t k = 0; k < SUITES; k++)
        if (suites[k].points != NULL && (k == found || suites[found].points == NULL)) {
            list->suite = suites[k].name;
            suites[k].points(list);
        }
    return list->failed ? bench_fail(CLUP_ERROR_MEMORY, "out of memory for the points") : CLUP_OK;
}
