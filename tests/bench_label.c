/* Times labelling of random images on a device's own buffers: milliseconds an image, the mean of
 * images that are enqueued one after the other, the least of five such rows; and the device's times
 * of one, for the bonds, labelling of tiles, union, and numbering, and for the sums of clusters'
 * statistics, without those of values and with them.
 *
 *   bench_label DEVICE [SIDE [DEPTH]] */
#include <stdio.h>
#include <stdlib.h>

#include "base/timing.h"
#include "ocl/context.h"

#define IMAGES 20u
#define ROWS 5u

static int failed(clup_status status)
{
    if (status != CLUP_OK)
        fprintf(stderr, "%s: %s\n", clup_status_text(status), clup_error_detail());
    return status != CLUP_OK;
}

static uint32_t noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static int time_case(clup_context *context, const clup_label_problem *problem, double density,
                     const char *what)
{
    const uint64_t sites = (uint64_t)problem->size[0] * problem->size[1] * problem->size[2];
    uint8_t *pixels = malloc(sites);
    uint64_t state = 1;
    cl_mem image = NULL, labels = NULL;
    clup_labelling *labelling = NULL;
    double best[2] = {1e9, 1e9};
    uint32_t clusters = 0;
    for (uint64_t k = 0; k < sites; k++)
        pixels[k] = noise(&state) < density * 4294967296.0;
    if (failed(clup_labelling_create(context, problem, &labelling)) ||
        failed(clup_buffer_create(context, sites, "the image", &image)) ||
        failed(clup_buffer_create(context, 4 * sites, "the labels", &labels)) ||
        failed(clup_buffer_write(context, image, 0, sites, pixels)))
        return 1;
    for (clup_label_form form = CLUP_LABELS_NUMBERED; form <= CLUP_LABELS_CANONICAL; form++)
        for (unsigned row = 0; row <= ROWS; row++) {
            const double start = clup_now_s();
            for (unsigned k = 0; k < IMAGES; k++)
                if (failed(clup_labelling_enqueue(labelling, image, labels, form, 0, NULL, NULL)))
                    return 1;
            if (failed(clup_labelling_count(labelling, &clusters)))
                return 1;
            const double ms = 1e3 * (clup_now_s() - start) / IMAGES;
            if (row > 0 && ms < best[form])
                best[form] = ms;
        }
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
    clup_labelling_free(labelling);
    clup_buffer_free(context, image);
    clup_buffer_free(context, labels);
    free(pixels);
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
    if (time_case(context, &problem, 0.592746, "foreground, 4 neighbours"))
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
