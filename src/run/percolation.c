/* SPDX-License-Identifier: BSD-3-Clause */
/* Percolation: samples in rounds, and their means. */
#include "run/percolation.h"
#include "core/model.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "clup/graph.h"
#include "base/watch.h"
#include "base/workers.h"
#include "estimate/series.h"
#include "program.h"

/* Sites of a round for each compute unit: enough to keep it busy, few enough for short rounds. */
#define UNIT_SITES ((uint64_t)1 << 20)

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

/* Returns the bytes of the largest buffer of a sample, about: its labels, and of a graph the links
 * of its clusters (windings.clh) or the edges that cross boundaries. */
static uint64_t sample_bytes(const clup_problem *problem)
{
    const uint64_t sites = clup_problem_sites(problem);
    clup_boundary boundary;
    if (problem->graph == NULL)
        return sizeof(cl_uint) * sites;
    clup_boundary_describe(problem->graph, &boundary);
    const uint64_t most = sites > boundary.edges ? sites : boundary.edges,
                   words = clup_boundary_inner_bytes(&boundary);
    return sizeof(cl_ulong) * most > words ? sizeof(cl_ulong) * most : words;
}

uint32_t clup_percolation_batch(clup_context *context, const clup_problem *problem,
                                uint64_t samples)
{
    const uint64_t sites = clup_problem_sites(problem);
    if (context == NULL || samples == 0 || sites == 0)
        return 1;
    const uint64_t room = context->max_alloc / sample_bytes(problem),
                   edges = clup_graph_edges(problem), unit = sites > edges ? sites : edges;
    uint64_t most = UNIT_SITES * context->device.info.compute_units / unit;
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
    percolation->problem = *problem;
    percolation->problem.betas = NULL;
    percolation->seed = seed;
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

void clup_percolation_values(const clup_percolation *percolation,
                             const clup_percolation_sample *sample,
                             double values[CLUP_PERCOLATION_OBSERVABLES])
{
    const size_record *sizes = &sample->sizes;
    const unsigned axes = percolation->axes, wraps = sample->wraps;
    const double sites = percolation->sites, occupied = sizes->sites > 0 ? (double)sizes->sites : 1;
#define SAMPLED(NAME, TEXT, ABOUT, VALUE) values[CLUP_PERCOLATION_##NAME] = VALUE;
#include "estimate/observables.def"
}

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

clup_status clup_percolation_draw(clup_percolation *percolation, double p, uint64_t first,
                                  uint64_t count, clup_progress *progress, void *user,
                                  clup_take_samples *take, void *to, uint64_t *drawn)
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
        const uint64_t left = count - *drawn;
        /* the last round may have more samples than are needed */
        const uint32_t round = left < percolation->replicas ? (uint32_t)left
                                                            : percolation->replicas;
        percolation->engine->kind->go_to(percolation->engine, first + *drawn, p);
        percolation->engine->goes_on = left > round;
        CLUP_TRY(percolation->engine->kind->batch(percolation->engine, 1, 0, percolation->samples,
                                                  &done));
        for (uint32_t r = 0; r < round && percolation->holes > 0; r++)
            take_holes(percolation, &percolation->samples[r].sizes);
        CLUP_TRY(take(percolation, percolation->samples, *drawn, round, to));
        *drawn += round;
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

/* ---- single samples -------------------------------------------------------------------------- */

/* series[observable*count + k]. */
typedef struct sample_series {
    double *values;
    uint64_t count;
} sample_series;

static clup_status keep_samples(const clup_percolation *percolation,
                                const clup_percolation_sample *samples, uint64_t first,
                                uint32_t count, void *to)
{
    const sample_series *series = to;
    double values[CLUP_PERCOLATION_OBSERVABLES];
    for (uint32_t k = 0; k < count; k++) {
        clup_percolation_values(percolation, &samples[k], values);
        for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
            series->values[o * series->count + first + k] = values[o];
    }
    return CLUP_OK;
}

clup_status clup_percolation_series(clup_percolation *percolation, double p, uint64_t first,
                                    uint64_t count, clup_progress *progress, void *user,
                                    double *values)
{
    sample_series series = {values, count};
    uint64_t drawn;
    CLUP_NEED(percolation);
    CLUP_NEED(values);
    const clup_status status = clup_percolation_draw(percolation, p, first, count, progress, user,
                                                     keep_samples, &series, &drawn);
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES && status != CLUP_ERROR_USAGE; o++)
        for (uint64_t k = drawn; k < count; k++)
            values[o * count + k] = NAN;
    return status;
}
