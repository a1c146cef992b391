/* SPDX-License-Identifier: BSD-3-Clause */
/* Percolation: samples in rounds, and their means. */
#include "run/engine.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "clup/graph.h"
#include "base/watch.h"
#include "estimate/series.h"
#include "program.h"

/* Sites of a round for each compute unit: enough to keep it busy, few enough for short rounds. */
#define UNIT_SITES ((uint64_t)1 << 20)

struct clup_percolation {
    bool on_device;
    clup_plan plan; /* on a device */
    clup_engine *engine;
    double sites;
    uint64_t holes; /* sites of no lattice site that samples count as clusters */
    unsigned axes, replicas;
    unsigned classes;                 /* of sizes that clusters of the lattice can have */
    clup_percolation_sample *samples; /* of a round */
};

static const struct {
    const char *name, *about;
} observables[CLUP_PERCOLATION_OBSERVABLES] = {
#define SAMPLED(NAME, TEXT, ABOUT, VALUE) [CLUP_PERCOLATION_##NAME] = {TEXT, ABOUT},
#include "estimate/observables.def"
};
enum {
#define SAMPLED(NAME, TEXT, ABOUT, VALUE) ROW_##NAME,
#include "estimate/observables.def"
    ROWS
};
_Static_assert((int)ROWS == (int)CLUP_PERCOLATION_OBSERVABLES,
               "each observable of clup.h has a row");

const char *clup_percolation_observable_name(clup_percolation_observable observable)
{
    return (unsigned)observable < CLUP_PERCOLATION_OBSERVABLES ? observables[observable].name
                                                               : NULL;
}

const char *clup_percolation_observable_about(clup_percolation_observable observable)
{
    return (unsigned)observable < CLUP_PERCOLATION_OBSERVABLES ? observables[observable].about
                                                               : NULL;
}

uint32_t clup_percolation_batch(clup_context *context, const clup_problem *problem,
                                uint64_t samples)
{
    const uint64_t sites = clup_problem_sites(problem);
    if (context == NULL || samples == 0 || sites == 0)
        return 1;
    /* of labels, and of links between the clusters of a graph (windings.clh) */
    const uint64_t site_bytes = problem->graph != NULL ? sizeof(cl_ulong) : sizeof(cl_uint),
                   room = context->max_alloc / (site_bytes * sites);
    uint64_t most = UNIT_SITES * context->device.info.compute_units / sites;
    most = most < room ? most : room;
    most = most > CLUP_REPLICAS_MAX ? CLUP_REPLICAS_MAX : most > 0 ? most : 1;
    const clup_ranks *ranks = context->ranks;
    const uint32_t processes = ranks != NULL ? ranks->count : 1;
    if (processes > 1) {
        /* the samples that all processes have room for. If one has no room for a sample, or there
         * are fewer samples than processes, each process has a subdomain of each sample */
        most = room > 0 && samples >= processes ? most : 0;
        if (ranks->least(ranks, &most, 1) != CLUP_OK || most == 0)
            return 1;
        most = most < CLUP_REPLICAS_MAX / processes ? most * processes : CLUP_REPLICAS_MAX;
    }
    /* rounds of equal size */
    const uint64_t rounds = (samples - 1) / most + 1, each = (samples - 1) / rounds + 1;
    return (uint32_t)(each > processes ? each : processes);
}

clup_status clup_percolation_create(clup_context *context, const clup_problem *problem,
                                    const clup_plan *plan, uint64_t seed, clup_percolation **out)
{
    clup_status status = CLUP_OK;
    clup_percolation *percolation = NULL;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_TRY(clup_problem_check(problem));
    CLUP_TRY(clup_model_check_runner(problem, CLUP_RUNNER_percolation));
    CLUP_TRY(clup_problem_check_device(problem));
    if ((percolation = calloc(1, sizeof *percolation)) == NULL)
        return clup_fail_memory("the percolation");
    percolation->on_device = context != NULL;
    percolation->sites = (double)clup_problem_real_sites(problem);
    percolation->holes = problem->model == CLUP_BOND_PERCOLATION ? clup_problem_holes(problem) : 0;
    percolation->axes = problem->graph != NULL ? clup_graph_axes(problem->graph)
                                               : clup_lattice_axes(problem->lattice);
    while (percolation->classes < CLUP_SIZE_CLASSES &&
           clup_problem_sites(problem) >> percolation->classes > 0)
        percolation->classes++;
    percolation->replicas = context != NULL ? clup_problem_replicas(problem) : 1;
    percolation->samples = calloc(percolation->replicas, sizeof *percolation->samples);
    if (percolation->samples == NULL)
        CLUP_TRY(clup_fail_memory("the samples"));
    CLUP_TRY(clup_engine_create(context, problem, NULL, plan, seed, &percolation->plan,
                                &percolation->engine));
    *out = percolation;
done:
    if (status != CLUP_OK)
        clup_percolation_free(percolation);
    return status;
}

const clup_plan *clup_percolation_plan(const clup_percolation *percolation)
{
    return percolation != NULL && percolation->on_device ? &percolation->plan : NULL;
}

void clup_percolation_free(clup_percolation *percolation)
{
    if (percolation == NULL)
        return;
    if (percolation->engine != NULL)
        percolation->engine->kind->free(percolation->engine);
    free(percolation->samples);
    free(percolation);
}

/* Computes the observables of a sample. */
static void values_of(const clup_percolation *percolation, const clup_percolation_sample *sample,
                      double values[CLUP_PERCOLATION_OBSERVABLES])
{
    const size_record *sizes = &sample->sizes;
    const unsigned axes = percolation->axes, wraps = sample->wraps;
    const double sites = percolation->sites, occupied = sizes->sites > 0 ? (double)sizes->sites : 1;
#define SAMPLED(NAME, TEXT, ABOUT, VALUE) values[CLUP_PERCOLATION_##NAME] = VALUE;
#include "estimate/observables.def"
}

/* Called with one sample after the other, number k from 0 on. */
typedef void take_sample(const clup_percolation *percolation, const clup_percolation_sample *sample,
                         uint64_t k, void *to);

/* Takes the holes of the lattice, which bond percolation counts as clusters of one site, from a
 * sample. */
static void take_holes(const clup_percolation *percolation, size_record *sizes)
{
    const uint64_t holes = percolation->holes;
    sizes->clusters -= holes;
    sizes->sites -= holes;
    sizes->squares -= holes;
    sizes->classes[0] -= (uint32_t)holes;
}

/* Draws samples number first to first + count - 1. *drawn is how many were taken, fewer than count
 * after a failure. */
static clup_status draw_samples(clup_percolation *percolation, double p, uint64_t first,
                                uint64_t count, clup_progress *progress, void *user,
                                take_sample *take, void *to, uint64_t *drawn)
{
    clup_status status = CLUP_OK;
    char text[32];
    unsigned done;
    *drawn = 0;
    if (!(p >= 0 && p <= 1))
        return clup_fail(CLUP_ERROR_USAGE, "p = %s is not between 0 and 1",
                         clup_number_text(p, text));
    if (first > CLUP_SWEEPS_ALL || count > CLUP_SWEEPS_ALL - first)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%llu samples: there are random numbers for 2^48 of a seed",
                         (unsigned long long)count);
    const clup_task outer = clup_task_begin("draw", "samples", count);
    while (*drawn < count) {
        percolation->engine->kind->go_to(percolation->engine, first + *drawn, p);
        CLUP_TRY(percolation->engine->kind->batch(percolation->engine, 1, 0, percolation->samples,
                                                  &done));
        /* the last round may have more samples than are needed */
        for (unsigned r = 0; r < percolation->replicas; r++)
            take_holes(percolation, &percolation->samples[r].sizes);
        for (unsigned r = 0; r < percolation->replicas && *drawn < count; r++)
            take(percolation, &percolation->samples[r], (*drawn)++, to);
        clup_task_done(*drawn);
        bool ends = progress != NULL && progress(*drawn, count, user) && *drawn < count;
        CLUP_TRY(clup_engine_any(percolation->engine, ends, &ends));
        if (ends)
            CLUP_TRY(clup_watch_end());
    }
done:
    clup_task_end(outer);
    return status;
}

/* ---- means ----------------------------------------------------------------------------------- */

typedef struct point_sums {
    clup_sums observables[CLUP_PERCOLATION_OBSERVABLES], classes[CLUP_SIZE_CLASSES];
} point_sums;

static void add_sample(const clup_percolation *percolation, const clup_percolation_sample *sample,
                       uint64_t k, void *to)
{
    point_sums *sums = to;
    double values[CLUP_PERCOLATION_OBSERVABLES], classes[CLUP_SIZE_CLASSES];
    (void)k;
    values_of(percolation, sample, values);
    clup_sums_add_each(sums->observables, values, CLUP_PERCOLATION_OBSERVABLES);
    for (unsigned c = 0; c < percolation->classes; c++)
        classes[c] = sample->sizes.classes[c] / percolation->sites;
    clup_sums_add_each(sums->classes, classes, percolation->classes);
}

clup_status clup_percolation_run(clup_percolation *percolation, double p, uint64_t samples,
                                 clup_progress *progress, void *user, clup_percolation_point *point)
{
    const double start = clup_now_s();
    point_sums sums = {0};
    CLUP_NEED(percolation);
    CLUP_NEED(point);
    *point = (clup_percolation_point){.p = p};
    const clup_status status = draw_samples(percolation, p, 0, samples, progress, user, add_sample,
                                            &sums, &point->samples);
    for (unsigned k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++)
        point->estimates[k] = clup_sums_estimate(&sums.observables[k]);
    /* no cluster is as large as those of the classes that were not added up */
    for (unsigned k = percolation->classes; k < CLUP_SIZE_CLASSES; k++)
        sums.classes[k].count = point->samples;
    for (unsigned k = 0; k < CLUP_SIZE_CLASSES; k++)
        point->classes[k] = clup_sums_estimate(&sums.classes[k]);
    point->wall_s = clup_now_s() - start;
    return status;
}

/* ---- single samples -------------------------------------------------------------------------- */

/* series[observable*count + k]. */
typedef struct sample_series {
    double *values;
    uint64_t count;
} sample_series;

static void keep_sample(const clup_percolation *percolation, const clup_percolation_sample *sample,
                        uint64_t k, void *to)
{
    const sample_series *series = to;
    double values[CLUP_PERCOLATION_OBSERVABLES];
    values_of(percolation, sample, values);
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
        series->values[o * series->count + k] = values[o];
}

clup_status clup_percolation_series(clup_percolation *percolation, double p, uint64_t first,
                                    uint64_t count, clup_progress *progress, void *user,
                                    double *values)
{
    sample_series series = {values, count};
    uint64_t drawn;
    CLUP_NEED(percolation);
    CLUP_NEED(values);
    const clup_status status = draw_samples(percolation, p, first, count, progress, user,
                                            keep_sample, &series, &drawn);
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES && status != CLUP_ERROR_USAGE; o++)
        for (uint64_t k = drawn; k < count; k++)
            values[o * count + k] = NAN;
    return status;
}
