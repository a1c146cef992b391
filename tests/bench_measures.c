/* SPDX-License-Identifier: BSD-3-Clause */
/* Times what is measured of images on a device: milliseconds of its kernels and by the wall clock,
 * medians of nine.
 *
 *   bench_measures DEVICE [SIDE [DEPTH]]
 *
 * Regions of a picture of some 20000 blobs, of SIDE (8192) pixels a side; which labels of a volume
 * of cells touch, of DEPTH (512); a batch of 64 frames of 1920 x 1080 pixels, labelled, counted and
 * with their boxes, a frame; and one frame from the host's memory to its boxes there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "bench/measure/picture.h"
#include "cells.h"
#include "clup/batch.h"
#include "clup/contact.h"
#include "clup/region.h"
#include "label/labelling.h"
#include "ocl/context.h"

#define TIMES 9u
#define FRAMES 64u
#define WIDTH 1920u
#define HEIGHT 1080u
#define MOST 1024u /* clusters of a frame */

static int failed(clup_status status)
{
    if (status != CLUP_OK)
        fprintf(stderr, "%s: %s\n", clup_status_text(status), clup_error_detail());
    return status != CLUP_OK;
}

static int ascending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Seconds of one measurement, of all kernels and by the wall clock. */
typedef struct seconds {
    double device[TIMES], wall[TIMES];
} seconds;

static double device_s(const clup_context *context)
{
    double ns = 0;
    for (clup_stage stage = CLUP_SOURCE; stage <= CLUP_MEASURE; stage++)
        ns += (double)context->timer.total_ns[stage];
    return 1e-9 * ns;
}

static void report(const char *what, seconds *s, double unit, const char *name, uint64_t found)
{
    qsort(s->device, TIMES, sizeof(double), ascending);
    qsort(s->wall, TIMES, sizeof(double), ascending);
    printf("%-58s device %9.3f %s  wall %9.3f %s  %llu found\n", what, s->device[TIMES / 2] / unit,
           name, s->wall[TIMES / 2] / unit, name, (unsigned long long)found);
    fflush(stdout);
}

/* ---- regions --------------------------------------------------------------------------------- */

static int time_regions(clup_context *context, uint32_t side, cl_mem labels, cl_mem values,
                        uint32_t most, const char *properties, bool valued)
{
    const clup_region_problem problem = {.size = {side, side, 1},
                                         .axes = 2,
                                         .properties = properties,
                                         .dtype = valued ? CLUP_DTYPE_U8 : CLUP_DTYPE_NONE};
    clup_regions *regions;
    seconds s;
    if (failed(clup_regions_create(context, &problem, &regions)))
        return 1;
    for (unsigned k = 0; k <= TIMES; k++) {
        const double start = clup_now_s();
        clup_timer_reset(&context->timer);
        if (failed(clup_regions_measure(regions, labels, valued ? values : NULL, most)))
            return 1;
        clup_timer_collect(&context->timer);
        if (k > 0) {
            s.wall[k - 1] = clup_now_s() - start;
            s.device[k - 1] = device_s(context);
        }
    }
    report(properties, &s, 1e-3, "ms", clup_regions_rows(regions));
    clup_regions_free(regions);
    return 0;
}

static int time_all_regions(clup_context *context, uint32_t side)
{
    const clup_label_problem problem = {.size = {side, side, 1},
                                        .connectivity = 8,
                                        .dtype = CLUP_DTYPE_U8,
                                        .channels = 1,
                                        .match = CLUP_MATCH_NONZERO};
    const size_t sites = (size_t)side * side;
    uint8_t *pixels = malloc(sites);
    cl_mem image, labels;
    clup_labelling *labelling;
    uint32_t clusters;
    if (pixels == NULL || failed(bench_picture_draw("blobs", problem.size, 0.35, 16, 1, pixels)) ||
        failed(clup_buffer_create(context, sites, "the image", &image)) ||
        failed(clup_buffer_create(context, 4 * sites, "the labels", &labels)) ||
        failed(clup_buffer_write(context, image, 0, sites, pixels)) ||
        failed(clup_labelling_create(context, &problem, &labelling)) ||
        failed(clup_labelling_enqueue(labelling, image, labels, CLUP_LABELS_NUMBERED, 0, NULL,
                                      NULL)) ||
        failed(clup_labelling_count(labelling, &clusters)))
        return 1;
    static const struct {
        const char *properties;
        bool valued;
    } cases[] = {{"area,bbox", false},
                 {"area,bbox,centroid,inertia_tensor", false},
                 {"area,bbox,centroid,moments,moments_central,moments_hu", false},
                 {"euler_number,perimeter", false},
                 {"euler_number,perimeter,perimeter_crofton", false},
                 {"area_convex,feret_diameter_max", false},
                 {"intensity_min,intensity_max", true},
                 {"intensity_mean,intensity_std", true},
                 {"intensity_median", true},
                 {"centroid_weighted,moments_weighted", true},
                 {"all", false},
                 {"all", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (time_regions(context, side, labels, image, clusters, cases[k].properties,
                         cases[k].valued))
            return 1;
    clup_labelling_free(labelling);
    clup_buffer_free(context, image);
    clup_buffer_free(context, labels);
    free(pixels);
    return 0;
}

/* ---- contacts -------------------------------------------------------------------------------- */

static int time_contacts(clup_context *context, uint32_t side)
{
    static const unsigned connectivities[] = {6, 26};
    const size_t sites = (size_t)side * side * side;
    uint32_t *cells = malloc(4 * sites);
    cl_mem labels;
    if (cells == NULL || failed(clup_buffer_create(context, 4 * sites, "the labels", &labels)))
        return 1;
    draw_cells(side, cells);
    if (failed(clup_buffer_write(context, labels, 0, 4 * sites, cells)))
        return 1;
    for (unsigned c = 0; c < 2; c++) {
        const clup_contact_problem problem = {.size = {side, side, side},
                                              .connectivity = connectivities[c]};
        clup_contacts contacts = {0};
        char what[32];
        seconds s;
        for (unsigned k = 0; k <= TIMES; k++) {
            clup_label_timing timing;
            clup_contacts_clear(&contacts);
            if (failed(clup_contacts_find_buffer(context, &problem, labels, &contacts, &timing)))
                return 1;
            if (k > 0) {
                s.wall[k - 1] = timing.wall_s;
                s.device[k - 1] = timing.device_s;
            }
        }
        snprintf(what, sizeof what, "contacts, %u neighbours", connectivities[c]);
        report(what, &s, 1e-3, "ms", contacts.count);
        clup_contacts_clear(&contacts);
    }
    clup_buffer_free(context, labels);
    free(cells);
    return 0;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static int time_frames(clup_context *context)
{
    clup_label_problem problem = {.size = {WIDTH, HEIGHT, 1},
                                  .connectivity = 8,
                                  .dtype = CLUP_DTYPE_U8,
                                  .channels = 1,
                                  .match = CLUP_MATCH_NONZERO,
                                  .batch = FRAMES};
    const size_t frame = (size_t)WIDTH * HEIGHT;
    uint8_t *pixels = malloc(FRAMES * frame);
    uint32_t *numbers = malloc(4 * frame), clusters;
    clup_cluster *out = malloc((size_t)FRAMES * MOST * sizeof *out);
    cl_mem image, labels;
    clup_labelling *labelling;
    seconds s;
    if (pixels == NULL || numbers == NULL || out == NULL ||
        failed(clup_buffer_create(context, FRAMES * frame, "the image", &image)) ||
        failed(clup_buffer_create(context, 4 * FRAMES * frame, "the labels", &labels)))
        return 1;
    for (unsigned k = 0; k < FRAMES; k++)
        if (failed(bench_picture_draw("blobs", problem.size, 0.3, 16, k + 1, pixels + k * frame)))
            return 1;
    if (failed(clup_buffer_write(context, image, 0, FRAMES * frame, pixels)) ||
        failed(clup_labelling_create(context, &problem, &labelling)))
        return 1;
    for (unsigned k = 0; k <= TIMES; k++) {
        const double start = clup_now_s();
        clup_timer_reset(&context->timer);
        if (failed(clup_labelling_enqueue(labelling, image, labels, CLUP_LABELS_NUMBERED, 0, NULL,
                                          NULL)) ||
            failed(clup_labelling_measure_most(labelling, NULL, labels, FRAMES * MOST, out,
                                               &clusters)))
            return 1;
        clup_timer_collect(&context->timer);
        if (k > 0) {
            s.wall[k - 1] = (clup_now_s() - start) / FRAMES;
            s.device[k - 1] = device_s(context) / FRAMES;
        }
    }
    report("64 frames of 1920 x 1080: labels and boxes, a frame", &s, 1e-6, "us", clusters);
    clup_labelling_free(labelling);
    problem.batch = 0;
    if (failed(clup_labelling_create(context, &problem, &labelling)))
        return 1;
    clup_pinned pinned;
    clup_pinned_create(context, frame, NULL, &pinned);
    if (pinned.bytes != NULL)
        memcpy(pinned.bytes, pixels, frame);
    for (unsigned way = pinned.bytes != NULL ? 0 : 1; way < 3; way++) {
        static const char *const ways[] = {"one frame from pinned memory to its boxes on the host",
                                           "one frame from any memory to its boxes on the host",
                                           "one frame from any memory to labels and boxes there"};
        for (unsigned k = 0; k < TIMES + 9; k++) {
            const double start = clup_now_s();
            clup_timer_reset(&context->timer);
            if (way == 2) {
                if (failed(clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, numbers,
                                              &clusters, NULL)) ||
                    failed(clup_labelling_measure_run(labelling, clusters, out)))
                    return 1;
            } else if (failed(way == 0 ? clup_cl_check(clEnqueueWriteBuffer(
                                                           context->queue, image, CL_FALSE, 0,
                                                           frame, pinned.bytes, 0, NULL, NULL),
                                                       "clEnqueueWriteBuffer")
                                       : clup_buffer_write(context, image, 0, frame, pixels)) ||
                       failed(clup_labelling_enqueue(labelling, image, labels, CLUP_LABELS_NUMBERED,
                                                     0, NULL, NULL)) ||
                       failed(clup_labelling_measure_most(labelling, NULL, labels, MOST, out,
                                                          &clusters)))
                return 1;
            if (k >= 9)
                s.wall[k - 9] = clup_now_s() - start;
            clup_timer_collect(&context->timer);
            if (k >= 9)
                s.device[k - 9] = device_s(context);
        }
        report(ways[way], &s, 1e-6, "us", clusters);
    }
    clup_pinned_free(context, &pinned);
    clup_labelling_free(labelling);
    clup_buffer_free(context, image);
    clup_buffer_free(context, labels);
    free(pixels), free(numbers), free(out);
    return 0;
}

int main(int argc, char **argv)
{
    const uint32_t side = argc > 2 ? (uint32_t)atoi(argv[2]) : 8192,
                   depth = argc > 3 ? (uint32_t)atoi(argv[3]) : 512;
    clup_context *context;
    if (failed(clup_context_create(argc > 1 ? argv[1] : NULL, &context)))
        return 1;
    printf("# %s\n", clup_context_device(context)->name);
    if (time_all_regions(context, side) || time_contacts(context, depth) || time_frames(context))
        return 1;
    clup_context_free(context);
    return 0;
}
