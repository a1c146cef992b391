/* SPDX-License-Identifier: BSD-3-Clause */
/* Times labelling of random images on a device's own buffers: milliseconds an image, the mean of
 * images that are enqueued one after the other, the least of five such rows; and the device's times
 * of one, for the bonds, labelling of tiles, union, and numbering, and for the sums of clusters'
 * statistics, without those of values and with them.
 *
 *   bench_label DEVICE [SIDE [DEPTH]]
 *   bench_label DEVICE SIDE --volumes [LAYOUT]
 *   bench_label DEVICE SIDE --pictures [PICTURE]
 *
 * The second times volumes alone, random ones and one of cells, as those of segmentations, by the
 * plan that is best, of that layout. The last times pictures with long chains, of clusters,
 * instead: lines, combs, snakes and spirals, also with x and y in each other's place and from the
 * other end; the device's times are those of canonical labels, and in brackets of the numbering of
 * others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "bench/measure/picture.h"
#include "cells.h"
#include "ocl/context.h"
#include "label/labelling.h"

#define IMAGES 20u
#define ROWS 5u

static int failed(clup_status status)
{
    if (status != CLUP_OK)
        fprintf(stderr, "%s: %s\n", clup_status_text(status), clup_error_detail());
    return status != CLUP_OK;
}

/* Milliseconds of an image in each form. */
static int time_forms(clup_labelling *labelling, cl_mem image, cl_mem labels, double best[2],
                      uint32_t *clusters)
{
    for (clup_label_form form = CLUP_LABELS_NUMBERED; form <= CLUP_LABELS_CANONICAL; form++)
        for (unsigned row = 0; row <= ROWS; row++) {
            const double start = clup_now_s();
            for (unsigned k = 0; k < IMAGES; k++)
                if (failed(clup_labelling_enqueue(labelling, image, labels, form, 0, NULL, NULL)))
                    return 1;
            if (failed(clup_labelling_count(labelling, clusters)))
                return 1;
            const double ms = 1e3 * (clup_now_s() - start) / IMAGES;
            if (row > 0 && ms < best[form])
                best[form] = ms;
        }
    return 0;
}

/* An image of so many bytes, which it frees; the density is told. */
static int time_image(clup_context *context, const clup_label_problem *problem, double density,
                      const char *what, void *pixels, size_t bytes)
{
    const uint64_t sites = (uint64_t)problem->size[0] * problem->size[1] * problem->size[2];
    cl_mem image = NULL, labels = NULL;
    clup_labelling *labelling = NULL;
    double best[2] = {1e9, 1e9};
    uint32_t clusters = 0;
    if (failed(clup_labelling_create(context, problem, &labelling)) ||
        failed(clup_buffer_create(context, bytes, "the image", &image)) ||
        failed(clup_buffer_create(context, 4 * sites, "the labels", &labels)) ||
        failed(clup_buffer_write(context, image, 0, bytes, pixels)))
        return 1;
    if (time_forms(labelling, image, labels, best, &clusters))
        return 1;
    uint32_t *out = malloc(4 * sites);
    if (out == NULL ||
        failed(clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, out, NULL, NULL)))
        return 1;
    free(out);
    clup_cluster *statistics = malloc(((size_t)clusters + 1) * sizeof *statistics);
    if (statistics == NULL || failed(clup_labelling_measure_run(labelling, clusters, statistics)))
        return 1;
    const uint64_t *ns = context->timer.total_ns;
    const double with_values = 1e-6 * (double)ns[CLUP_MEASURE];
    if (failed(clup_labelling_enqueue(labelling, image, labels, CLUP_LABELS_NUMBERED, 0, NULL,
                                      NULL)) ||
        failed(clup_labelling_measure(labelling, NULL, labels, clusters, statistics)))
        return 1;
    free(statistics);
    printf("%-30s %5ux%ux%u  %.4f  canonical %7.3f ms  numbered %7.3f ms = %.3f %.3f %.3f %.3f  "
           "statistics %.3f, with values %.3f  %u clusters\n",
           what, problem->size[0], problem->size[1], problem->size[2], density,
           best[CLUP_LABELS_CANONICAL], best[CLUP_LABELS_NUMBERED], 1e-6 * (double)ns[CLUP_SOURCE],
           1e-6 * (double)ns[CLUP_LOCAL], 1e-6 * (double)ns[CLUP_CONSOLIDATE],
           1e-6 * (double)ns[CLUP_ACTION], 1e-6 * (double)ns[CLUP_MEASURE] - with_values,
           with_values, clusters);
    fflush(stdout);
    clup_labelling_free(labelling);
    clup_buffer_free(context, image);
    clup_buffer_free(context, labels);
    free(pixels);
    return 0;
}

static int time_case(clup_context *context, const clup_label_problem *problem, double density,
                     const char *what)
{
    const uint64_t sites = (uint64_t)problem->size[0] * problem->size[1] * problem->size[2];
    uint8_t *pixels = malloc(sites);
    uint64_t state = 1;
    for (uint64_t k = 0; k < sites; k++)
        pixels[k] = noise(&state) < density * 4294967296.0;
    return time_image(context, problem, density, what, pixels, sites);
}

/* ---- volumes --------------------------------------------------------------------------------- */

static int time_volumes(clup_context *context, uint32_t side)
{
    static const unsigned connectivities[] = {6, 18, 26};
    const size_t sites = (size_t)side * side * side;
    clup_label_problem problem = {.size = {side, side, side},
                                  .dtype = CLUP_DTYPE_U8,
                                  .channels = 1,
                                  .match = CLUP_MATCH_NONZERO};
    problem.connectivity = 26;
    if (time_case(context, &problem, 0.3, "foreground, 26 neighbours") ||
        time_case(context, &problem, 0.09, "foreground, 26 neighbours"))
        return 1;
    problem.connectivity = 6;
    if (time_case(context, &problem, 0.3, "foreground, 6 neighbours") ||
        time_case(context, &problem, 0.3117, "foreground, 6 neighbours"))
        return 1;
    problem.match = CLUP_MATCH_EQUAL;
    problem.dtype = CLUP_DTYPE_U32;
    uint32_t *cells = malloc(4 * sites);
    draw_cells(side, cells);
    for (unsigned k = 0; k < 3; k++) {
        char what[32];
        uint32_t *pixels = malloc(4 * sites);
        memcpy(pixels, cells, 4 * sites);
        problem.connectivity = connectivities[k];
        snprintf(what, sizeof what, "cells, %u neighbours", connectivities[k]);
        if (time_image(context, &problem, 1, what, pixels, 4 * sites))
            return 1;
    }
    free(cells);
    return 0;
}

/* ---- pictures -------------------------------------------------------------------------------- */

typedef struct view {
    const char *name;
    uint32_t width; /* of lines */
    bool turned, reversed;
} view;

static const view views[] = {
    {"random", 1, false, false},  {"stripes", 1, false, false}, {"stripes", 1, true, false},
    {"stripes", 16, true, false}, {"comb", 1, false, false},    {"comb", 1, true, false},
    {"comb", 1, false, true},     {"comb", 1, true, true},      {"snake", 1, false, false},
    {"snake", 1, true, false},    {"spiral", 1, false, false},  {"spiral", 1, true, true},
    {"spiral", 2, false, false},  {"spiral", 4, false, true},   {"spiral", 16, false, false},
    {"checker", 1, false, false},
};

static const struct {
    unsigned connectivity;
    clup_match match;
    const char *name;
} kinds[] = {{8, CLUP_MATCH_NONZERO, "8 neighbours"},
             {4, CLUP_MATCH_NONZERO, "4 neighbours"},
             {4, CLUP_MATCH_EQUAL, "4, equality"}};

static int draw(const view *view, uint32_t side, uint8_t *pixels)
{
    const uint32_t lines = (side - 1) / view->width + 1;
    uint8_t *drawn = malloc((size_t)lines * lines);
    if (drawn == NULL ||
        failed(bench_picture_draw(view->name, (uint32_t[3]){lines, lines, 1}, 0.5, 1, 1, drawn)))
        return 1;
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            const uint32_t at_x = view->reversed ? side - 1 - x : x,
                           at_y = view->reversed ? side - 1 - y : y,
                           column = (view->turned ? at_y : at_x) / view->width,
                           row = (view->turned ? at_x : at_y) / view->width;
            pixels[(size_t)side * y + x] = drawn[(size_t)lines * row + column];
        }
    free(drawn);
    return 0;
}

static int time_picture(clup_context *context, const clup_label_problem *problem, const view *view,
                        const char *kind, const uint8_t *pixels, cl_mem image, cl_mem labels,
                        uint32_t *out)
{
    const uint64_t *ns = context->timer.total_ns;
    clup_labelling *labelling = NULL;
    double best[2] = {1e9, 1e9}, stages[CLUP_MEASURE], numbering;
    uint32_t clusters = 0;
    if (failed(clup_labelling_create(context, problem, &labelling)) ||
        time_forms(labelling, image, labels, best, &clusters) ||
        failed(clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, out, &clusters, NULL)))
        return 1;
    numbering = 1e-6 * (double)ns[CLUP_ACTION];
    if (failed(clup_labelling_run(labelling, pixels, CLUP_LABELS_CANONICAL, out, NULL, NULL)))
        return 1;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        stages[stage] = 1e-6 * (double)ns[stage];
    printf("%-7s %2u %-7s%-9s%-13s%-9s canonical %7.3f ms = %.3f %.3f %.3f %.3f  numbered %7.3f ms "
           "(%.3f)  %u clusters\n",
           view->name, view->width, view->turned ? "turned" : "", view->reversed ? "reversed" : "",
           kind, problem->periodic[0] ? "periodic" : "open", best[CLUP_LABELS_CANONICAL],
           stages[CLUP_SOURCE], stages[CLUP_LOCAL], stages[CLUP_CONSOLIDATE], stages[CLUP_ACTION],
           best[CLUP_LABELS_NUMBERED], numbering, clusters);
    fflush(stdout);
    clup_labelling_free(labelling);
    return 0;
}

/* Periodic axes for random pictures and the first spiral alone. */
static int time_pictures(clup_context *context, uint32_t side, const char *only)
{
    const size_t sites = (size_t)side * side;
    uint8_t *pixels = malloc(sites);
    uint32_t *out = malloc(4 * sites);
    cl_mem image = NULL, labels = NULL;
    if (pixels == NULL || out == NULL ||
        failed(clup_buffer_create(context, sites, "the image", &image)) ||
        failed(clup_buffer_create(context, 4 * sites, "the labels", &labels)))
        return 1;
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        const bool wraps = v == 0 || (strcmp(views[v].name, "spiral") == 0 && views[v].width == 1);
        if (only != NULL && strcmp(only, views[v].name) != 0)
            continue;
        if (draw(&views[v], side, pixels) ||
            failed(clup_buffer_write(context, image, 0, sites, pixels)))
            return 1;
        for (unsigned k = 0; k < 6; k++) {
            const clup_label_problem problem = {.size = {side, side, 1},
                                                .connectivity = kinds[k % 3].connectivity,
                                                .periodic = {k > 2, k > 2},
                                                .dtype = CLUP_DTYPE_U8,
                                                .channels = 1,
                                                .match = kinds[k % 3].match};
            if ((k < 3 || wraps) && time_picture(context, &problem, &views[v], kinds[k % 3].name,
                                                 pixels, image, labels, out))
                return 1;
        }
    }
    clup_buffer_free(context, image);
    clup_buffer_free(context, labels);
    free(pixels), free(out);
    return 0;
}

int main(int argc, char **argv)
{
    const uint32_t side = argc > 2 ? (uint32_t)atoi(argv[2]) : 8192,
                   depth = argc > 3 ? (uint32_t)atoi(argv[3]) : 512;
    static const double densities[] = {0.5, 0.592746, 0.407254};
    clup_context *context;
    if (failed(clup_context_create(argc > 1 ? argv[1] : NULL, &context)))
        return 1;
    printf("# %s\n", clup_context_device(context)->name);
    if (argc > 3 && strcmp(argv[3], "--pictures") == 0)
        return time_pictures(context, side, argc > 4 ? argv[4] : NULL);
    if (argc > 3 && strcmp(argv[3], "--volumes") == 0) {
        clup_label_layout = argc > 4 ? argv[4] : NULL;
        return time_volumes(context, side);
    }
    clup_label_problem problem = {.size = {side, side, 1}, .dtype = CLUP_DTYPE_U8, .channels = 1};
    for (unsigned k = 0; k < 3; k++) {
        problem.connectivity = 4;
        problem.match = CLUP_MATCH_EQUAL;
        if (time_case(context, &problem, densities[k], "equality, 4 neighbours"))
            return 1;
        problem.connectivity = 8;
        problem.match = CLUP_MATCH_NONZERO;
        if (time_case(context, &problem, densities[k], "foreground, 8 neighbours"))
            return 1;
    }
    problem.connectivity = 4;
    if (time_case(context, &problem, 0.5, "foreground, 4 neighbours") ||
        time_case(context, &problem, 0.592746, "foreground, 4 neighbours"))
        return 1;
    const clup_label_problem volume = {.size = {depth, depth, depth},
                                       .connectivity = 26,
                                       .dtype = CLUP_DTYPE_U8,
                                       .channels = 1,
                                       .match = CLUP_MATCH_NONZERO};
    if (time_case(context, &volume, 0.3, "foreground, 26 neighbours") ||
        time_case(context, &volume, 0.09, "foreground, 26 neighbours"))
        return 1;
    clup_context_free(context);
    return 0;
}
