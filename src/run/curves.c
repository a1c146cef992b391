/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of percolation by the method of Newman and Ziff: what samples have after each step, and
 * from there at any probability. Errors come from blocks of samples. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "base/timing.h"
#include "base/watch.h"
#include "base/workers.h"
#include "core/lattice.h"
#include "core/model.h"
#include "core/state.h"
#include "estimate/binomial.h"
#include "estimate/series.h"
#include "graph/growing.h"
#include "program.h"

/* Blocks of samples, at most. A block has as many samples as another one, up to 7 times a power of
 * two; the last may have fewer. */
#define BLOCKS_MOST 64u

/* Observables that are kept for each step. Whether clusters wrap follows from the steps at which
 * each sample first does. */
enum { CLUSTERS, LARGEST, MEAN_SIZE, MEAN_SIZE_REST, KEPT };
static const clup_percolation_observable kept[KEPT] = {
    CLUP_PERCOLATION_CLUSTERS, CLUP_PERCOLATION_LARGEST, CLUP_PERCOLATION_MEAN_SIZE,
    CLUP_PERCOLATION_MEAN_SIZE_REST};

struct clup_percolation_curves {
    clup_context *context;
    clup_network network;
    random_key key;
    uint64_t samples; /* that were drawn, in whole blocks */
    uint64_t block_samples;
    /* [KEPT][steps + 1]: the values of the first block; and sums over samples of how far the mean
     * of a sample's block is from there, and of its square */
    double *first, *sums, *squares;
    uint32_t *wrapped; /* [samples][axes] */
};

static clup_status create(clup_context *context, random_key key, clup_percolation_curves **out)
{
    clup_percolation_curves *curves = calloc(1, sizeof *curves);
    if (curves == NULL)
        return clup_fail_memory("the curves");
    curves->context = context;
    curves->key = key;
    *out = curves;
    return context != NULL && context->ranks != NULL && context->ranks->count > 1
               ? clup_fail(CLUP_ERROR_USAGE, "curves of percolation are drawn by one process")
               : CLUP_OK;
}

clup_status clup_percolation_curves_create(clup_context *context, const clup_problem *problem,
                                           uint64_t seed, clup_percolation_curves **out)
{
    clup_percolation_curves *curves = NULL;
    clup_status status = CLUP_OK;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_TRY(clup_problem_check(problem));
    CLUP_TRY(clup_model_check_runner(problem, CLUP_RUNNER_percolation));
    CLUP_TRY(create(context, clup_random_key(seed, problem->first_replica, 0), &curves));
    if (context != NULL)
        CLUP_TRY(clup_growing_verify(context, problem, problem->model == CLUP_SITE_PERCOLATION));
    CLUP_TRY(clup_network_of_problem(problem, &curves->network));
    *out = curves;
done:
    if (status != CLUP_OK)
        clup_percolation_curves_free(curves);
    return status;
}

clup_status clup_percolation_curves_of_graph(clup_context *context, const clup_edges *edges,
                                             clup_model model, uint64_t seed,
                                             clup_percolation_curves **out)
{
    clup_percolation_curves *curves = NULL;
    clup_status status = CLUP_OK;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(edges);
    if (edges->edges > 0)
        CLUP_NEED(edges->ends);
    if (model != CLUP_BOND_PERCOLATION && model != CLUP_SITE_PERCOLATION)
        CLUP_TRY(clup_fail(CLUP_ERROR_USAGE, "the model is no percolation"));
    const clup_ends ends = {.ends = edges->ends,
                            .dtype = edges->edges > 0 ? edges->dtype : CLUP_DTYPE_U32,
                            .vertices = edges->vertices,
                            .edges = edges->edges};
    const bool of_sites = model == CLUP_SITE_PERCOLATION;
    CLUP_TRY(create(context, clup_random_key(seed, 0, 0), &curves));
    if (context != NULL)
        CLUP_TRY(clup_growing_verify(context, NULL, of_sites));
    CLUP_TRY(clup_network_of_edges(&ends, of_sites, &curves->network));
    *out = curves;
done:
    if (status != CLUP_OK)
        clup_percolation_curves_free(curves);
    return status;
}

void clup_percolation_curves_free(clup_percolation_curves *curves)
{
    if (curves == NULL)
        return;
    clup_network_clear(&curves->network);
    free(curves->first);
    free(curves->sums);
    free(curves->squares);
    free(curves->wrapped);
    free(curves);
}

uint64_t clup_percolation_curves_steps(const clup_percolation_curves *curves)
{
    return curves != NULL ? curves->network.steps : 0;
}

/* Returns the samples of a block. */
static uint64_t size_of_block(const clup_percolation_curves *curves, uint64_t block)
{
    const uint64_t each = curves->block_samples, left = curves->samples - block * each;
    return left < each ? left : each;
}

/* ---- wrapping -------------------------------------------------------------------------------- */

/* The steps from which on, and up to which, a sample has the property of an observable. */
typedef struct span {
    uint32_t from, to;
} span;

static span span_of(const clup_percolation_curves *curves, clup_percolation_observable observable,
                    uint64_t sample)
{
    const unsigned axes = curves->network.axes;
    uint32_t first = NEVER, second = NEVER, last = 0, of[WINDING_AXES] = {NEVER, NEVER, NEVER};
    for (unsigned axis = 0; axis < axes; axis++) {
        const uint32_t step = of[axis] = curves->wrapped[sample * axes + axis];
        second = step < first ? first : step < second ? step : second;
        first = step < first ? step : first;
        last = step > last ? step : last;
    }
    switch (observable) {
    case CLUP_PERCOLATION_WRAP_EITHER: return (span){first, NEVER};
    case CLUP_PERCOLATION_WRAP_BOTH: return (span){last, NEVER};
    case CLUP_PERCOLATION_WRAP_ONE: return (span){first, second};
    default: return (span){of[observable - CLUP_PERCOLATION_WRAP_X], NEVER};
    }
}

static bool is_wrapping(clup_percolation_observable observable)
{
    return observable >= CLUP_PERCOLATION_WRAP_X && observable <= CLUP_PERCOLATION_WRAP_ONE;
}

/* Whether the network has an observable. */
static bool is_known(const clup_percolation_curves *curves, clup_percolation_observable observable)
{
    const unsigned axes = curves->network.axes;
    return !is_wrapping(observable) || (axes > 0 && (observable > CLUP_PERCOLATION_WRAP_Z ||
                                                     observable - CLUP_PERCOLATION_WRAP_X < axes));
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Observables at some probabilities, of each block: values[OBSERVABLES][BLOCKS_MOST] for each. */
typedef double block_values[CLUP_PERCOLATION_OBSERVABLES][BLOCKS_MOST];

typedef struct drawing {
    clup_percolation_curves *curves;
    clup_binomial *at; /* [count], weights of steps at each probability */
    uint32_t count;
    clup_change *changes; /* [steps + 1], of the present block */
    double *values;       /* [KEPT][steps + 1], likewise */
    block_values *points; /* [count] */
} drawing;

/* Parts of the steps, which threads take one after the other. */
#define PARTS 256u

/* Sums of changes. Those of squares may need more than 64 bits. */
typedef struct totals {
    uint64_t clusters, largest;
    unsigned __int128 squares, largest_square;
} totals;

/* What a block has after each step is computed in two passes over parts: what a part changes; and
 * from what is there before the part, each of its steps. */
typedef struct following {
    drawing *drawing;
    uint64_t samples;
    totals before[PARTS];
    bool second;
    atomic_uint next;
} following;

static void add_change(totals *now, const clup_change *change)
{
    now->clusters += change->clusters;
    now->largest += change->largest;
    now->squares += change->squares;
    now->largest_square += change->largest_square;
}

/* Computes what a block has after step k. */
static void follow_step(const following *following, uint64_t k, const totals *now)
{
    const drawing *drawing = following->drawing;
    clup_percolation_curves *curves = drawing->curves;
    const clup_network *network = &curves->network;
    const uint64_t length = network->steps + 1, there = network->of_sites ? k : network->sites;
    const double sites = network->sites > 0 ? (double)network->sites : 1,
                 weight = (double)following->samples,
                 occupied = weight * (double)(there > 0 ? there : 1);
    const double values[KEPT] = {
        [CLUSTERS] = (double)now->clusters / (weight * sites),
        [LARGEST] = (double)now->largest / (weight * sites),
        [MEAN_SIZE] = (double)now->squares / occupied,
        [MEAN_SIZE_REST] = (double)(now->squares - now->largest_square) / occupied,
    };
    for (unsigned o = 0; o < KEPT; o++) {
        const uint64_t at = o * length + k;
        drawing->values[at] = values[o];
        if (curves->samples == 0)
            curves->first[at] = values[o];
        const double apart = values[o] - curves->first[at];
        curves->sums[at] += weight * apart;
        curves->squares[at] += weight * apart * apart;
    }
}

static clup_status follow_parts(void *user, unsigned worker)
{
    following *following = user;
    clup_change *changes = following->drawing->changes;
    const uint64_t length = following->drawing->curves->network.steps + 1;
    (void)worker;
    for (unsigned part; (part = atomic_fetch_add(&following->next, 1)) < PARTS;) {
        const uint64_t first = length * part / PARTS, end = length * (part + 1) / PARTS;
        totals now = following->before[part];
        for (uint64_t k = first; k < end; k++) {
            add_change(&now, &changes[k]);
            if (following->second)
                follow_step(following, k, &now);
        }
        if (!following->second)
            following->before[part] = now;
    }
    return CLUP_OK;
}

/* Computes what a block of so many samples has after each step. */
static clup_status follow(drawing *drawing, uint64_t samples)
{
    const clup_network *network = &drawing->curves->network;
    const uint64_t all = network->of_sites ? 0 : network->sites, one = all > 0;
    const unsigned threads = network->steps < 65536 ? 1 : clup_processors();
    following following = {.drawing = drawing, .samples = samples};
    totals now = {samples * all, samples * one, samples * all, samples * one};
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_workers_run(threads, follow_parts, &following));
    for (unsigned part = 0; part < PARTS; part++) {
        const totals change = following.before[part];
        following.before[part] = now;
        now.clusters += change.clusters;
        now.largest += change.largest;
        now.squares += change.squares;
        now.largest_square += change.largest_square;
    }
    following.second = true;
    atomic_store(&following.next, 0);
    CLUP_TRY(clup_workers_run(threads, follow_parts, &following));
done:
    return status;
}

/* Takes a block, of which changes and wrapped are known, for the curves and the points. */
static clup_status take_block(drawing *drawing, uint64_t samples)
{
    clup_percolation_curves *curves = drawing->curves;
    const uint64_t length = curves->network.steps + 1,
                   block = curves->samples / curves->block_samples;
    clup_status status = CLUP_OK;
    CLUP_TRY(follow(drawing, samples));
    for (uint32_t k = 0; k < drawing->count; k++) {
        const clup_binomial *at = &drawing->at[k];
        block_values *point = &drawing->points[k];
        for (unsigned o = 0; o < KEPT; o++)
            (*point)[kept[o]][block] = clup_binomial_mean(at, drawing->values + o * length);
        (*point)[CLUP_PERCOLATION_OCCUPIED][block] = curves->network.of_sites ? at->p : 1;
        for (clup_percolation_observable o = CLUP_PERCOLATION_WRAP_X;
             o <= CLUP_PERCOLATION_WRAP_ONE; o++) {
            double sum = 0;
            for (uint64_t s = 0; s < samples && is_known(curves, o); s++) {
                const span span = span_of(curves, o, curves->samples + s);
                sum += clup_binomial_from(at, span.from) - clup_binomial_from(at, span.to);
            }
            (*point)[o][block] = is_known(curves, o) ? sum / (double)samples : NAN;
        }
    }
    curves->samples += samples;
    memset(drawing->changes, 0, length * sizeof *drawing->changes);
done:
    return status;
}

/* Draws samples of the block after those that are known, a set of so many at a time that is on the
 * device already, or else on the host. */
static clup_status draw(drawing *drawing, uint64_t samples, clup_progress *progress, void *user)
{
    clup_percolation_curves *curves = drawing->curves;
    const clup_network *network = &curves->network;
    const uint64_t each = curves->block_samples, blocks = (samples - 1) / each + 1;
    clup_growing *growth = NULL;
    uint64_t batch = 1, set = 1;
    clup_status status = CLUP_OK;
    const bool on_device = curves->context != NULL && network->steps > 0;
    const clup_task outer = clup_task_begin("draw", "samples", samples);
    if (on_device) {
        CLUP_TRY(clup_growing_create(curves->context, network, curves->key, each, blocks, &growth));
        set = clup_growing_set_samples(growth);
        batch = set * clup_growing_sets(growth);
    }
    for (uint64_t first = 0, count; first < samples; first += count) {
        count = samples - first < batch ? samples - first : batch;
        if (on_device)
            CLUP_TRY(clup_growing_run(growth, first, (uint32_t)count));
        for (uint64_t s = 0; s < count; s += set) {
            const uint64_t end = first + (s + set < count ? s + set : count);
            uint32_t *wrapped = curves->wrapped + (first + s) * network->axes;
            if (on_device)
                CLUP_TRY(clup_growing_read(growth, (uint32_t)(s / set), (uint32_t)(end - first - s),
                                           drawing->changes, wrapped));
            else
                CLUP_TRY(clup_growing_serial(network, curves->key, first + s, 1, drawing->changes,
                                             wrapped));
            if (end % each == 0 || end == samples)
                CLUP_TRY(take_block(drawing, end - curves->samples));
        }
        clup_task_done(first + count);
        if (progress != NULL && progress(first + count, samples, user) && first + count < samples)
            CLUP_TRY(clup_watch_end());
    }
done:
    clup_task_end(outer);
    clup_growing_free(growth);
    return status;
}

/* Computes the mean of values of blocks, weighted by their samples, and its error: exact where all
 * values are equal. */
static void mean_of(const clup_percolation_curves *curves, const double *values, double *mean,
                    double *error)
{
    const uint64_t blocks = (curves->samples - 1) / curves->block_samples + 1;
    const double all = (double)curves->samples;
    double apart = 0, scatter = 0;
    for (uint64_t b = 0; b < blocks; b++)
        apart += (values[b] - values[0]) * (double)size_of_block(curves, b);
    *mean = values[0] + apart / all;
    for (uint64_t b = 0; b < blocks; b++)
        scatter += (values[b] - *mean) * (values[b] - *mean) * (double)size_of_block(curves, b);
    *error = blocks > 1 ? sqrt(scatter / all / (double)(blocks - 1)) : NAN;
}

static clup_estimate estimate_of(const clup_percolation_curves *curves, const double *values)
{
    const uint64_t blocks = (curves->samples - 1) / curves->block_samples + 1;
    clup_sums sums = {0};
    double mean, error;
    for (uint64_t b = 0; b < blocks; b++)
        clup_sums_add(&sums, values[b]);
    mean_of(curves, values, &mean, &error);
    clup_estimate estimate = clup_sums_estimate(&sums);
    const double scale = estimate.error > 0 ? error / estimate.error : 1;
    estimate.low = mean - (estimate.mean - estimate.low) * scale;
    estimate.high = mean + (estimate.high - estimate.mean) * scale;
    estimate.mean = mean;
    estimate.error = error;
    return estimate;
}

static clup_status check_ps(const double *ps, uint32_t count)
{
    char text[32];
    for (uint32_t k = 0; k < count; k++)
        if (!(ps[k] >= 0 && ps[k] <= 1))
            return clup_fail(CLUP_ERROR_USAGE, "p = %s is not between 0 and 1",
                             clup_number_text(ps[k], text));
    return CLUP_OK;
}

/* Returns the samples of a block. */
static uint64_t block_samples_of(uint64_t samples)
{
    uint64_t each = samples > 0 ? (samples - 1) / BLOCKS_MOST + 1 : 1, twos = 0;
    for (; each > 7; twos++)
        each = (each + 1) / 2;
    return each << twos;
}

/* Forgets samples, and makes room for others. */
static clup_status begin(drawing *drawing, uint64_t samples)
{
    clup_percolation_curves *curves = drawing->curves;
    const uint64_t length = curves->network.steps + 1;
    free(curves->first);
    free(curves->sums);
    free(curves->squares);
    free(curves->wrapped);
    curves->samples = 0;
    curves->block_samples = block_samples_of(samples);
    curves->first = malloc(KEPT * length * sizeof *curves->first);
    curves->sums = calloc(KEPT * length, sizeof *curves->sums);
    curves->squares = calloc(KEPT * length, sizeof *curves->squares);
    curves->wrapped = malloc((samples * curves->network.axes + 1) * sizeof *curves->wrapped);
    drawing->changes = calloc(length, sizeof *drawing->changes);
    drawing->values = malloc(KEPT * length * sizeof *drawing->values);
    drawing->at = calloc((uint64_t)drawing->count + 1, sizeof *drawing->at);
    drawing->points = malloc(((uint64_t)drawing->count + 1) * sizeof *drawing->points);
    return curves->first == NULL || curves->sums == NULL || curves->squares == NULL ||
                   curves->wrapped == NULL || drawing->changes == NULL || drawing->values == NULL ||
                   drawing->at == NULL || drawing->points == NULL
               ? clup_fail_memory("the curves")
               : CLUP_OK;
}

clup_status clup_percolation_curves_run(clup_percolation_curves *curves, uint64_t samples,
                                        const double *ps, uint32_t count, clup_progress *progress,
                                        void *user, clup_percolation_point *points)
{
    const double start = clup_now_s();
    drawing drawing = {.curves = curves, .count = count};
    clup_status status = CLUP_OK;
    CLUP_NEED(curves);
    if (count > 0) {
        CLUP_NEED(ps);
        CLUP_NEED(points);
    }
    CLUP_TRY(check_ps(ps, count));
    if (samples > UINT32_MAX)
        CLUP_TRY(
            clup_fail(CLUP_ERROR_USAGE, "%" PRIu64 " samples are more than 2^32 - 1", samples));
    CLUP_TRY(begin(&drawing, samples));
    for (uint32_t k = 0; k < count; k++)
        CLUP_TRY(clup_binomial_create(curves->network.steps, ps[k], &drawing.at[k]));
    if (samples > 0)
        status = draw(&drawing, samples, progress, user);
    if (status != CLUP_OK && status != CLUP_INTERRUPTED)
        goto done;
    for (uint32_t k = 0; k < count; k++) {
        clup_percolation_point *point = &points[k];
        const clup_estimate none = {.mean = NAN, .error = NAN, .low = NAN, .high = NAN};
        *point = (clup_percolation_point){
            .p = ps[k], .samples = curves->samples, .wall_s = clup_now_s() - start};
        for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
            point->estimates[o] = curves->samples > 0 && is_known(curves, o)
                                      ? estimate_of(curves, drawing.points[k][o])
                                      : none;
        for (unsigned c = 0; c < CLUP_SIZE_CLASSES; c++)
            point->classes[c] = none;
    }
done:
    for (uint32_t k = 0; k < count && drawing.at != NULL; k++)
        clup_binomial_clear(&drawing.at[k]);
    free(drawing.at);
    free(drawing.changes);
    free(drawing.values);
    free(drawing.points);
    return status;
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* Writes the mean of what is kept after a step, and its error. */
static void write_mean(const clup_percolation_curves *curves, uint64_t at, double *mean,
                       double *error)
{
    const double samples = (double)curves->samples, apart = curves->sums[at] / samples,
                 scatter = curves->squares[at] / samples - apart * apart;
    const uint64_t blocks = (curves->samples - 1) / curves->block_samples + 1;
    *mean = curves->first[at] + apart;
    *error = blocks > 1 ? sqrt(fmax(scatter, 0) / (double)(blocks - 1)) : NAN;
}

/* A step at which a sample of a block gets the property of an observable, or loses it. */
typedef struct event {
    uint32_t step;
    uint16_t block;
    int16_t change;
} event;

static int by_step(const void *a, const void *b)
{
    const event *x = a, *y = b;
    return x->step < y->step ? -1 : x->step > y->step;
}

static clup_status wrapping(const clup_percolation_curves *curves,
                            clup_percolation_observable observable, uint64_t first, uint64_t count,
                            double *means, double *errors)
{
    event *events = malloc((2 * curves->samples + 1) * sizeof *events);
    uint64_t known = 0, done = 0;
    int64_t have[BLOCKS_MOST] = {0};
    double mean = 0, error = 0;
    if (events == NULL)
        return clup_fail_memory("the curves");
    for (uint64_t s = 0; s < curves->samples; s++) {
        const span span = span_of(curves, observable, s);
        const uint16_t block = (uint16_t)(s / curves->block_samples);
        if (span.from < span.to)
            events[known++] = (event){span.from, block, 1};
        if (span.from < span.to && span.to != NEVER)
            events[known++] = (event){span.to, block, -1};
    }
    qsort(events, known, sizeof *events, by_step);
    for (uint64_t k = first; k < first + count; k++) {
        const uint64_t before = done;
        for (; done < known && events[done].step <= k; done++)
            have[events[done].block] += events[done].change;
        if (k == first || done > before) {
            double values[BLOCKS_MOST];
            for (uint64_t b = 0; b * curves->block_samples < curves->samples; b++)
                values[b] = (double)have[b] / (double)size_of_block(curves, b);
            mean_of(curves, values, &mean, &error);
        }
        if (means != NULL)
            means[k - first] = mean;
        if (errors != NULL)
            errors[k - first] = error;
    }
    free(events);
    return CLUP_OK;
}

clup_status clup_percolation_curves_means(const clup_percolation_curves *curves,
                                          clup_percolation_observable observable, uint64_t first,
                                          uint64_t count, double *means, double *errors)
{
    CLUP_NEED(curves);
    const uint64_t length = curves->network.steps + 1;
    if ((unsigned)observable >= CLUP_PERCOLATION_OBSERVABLES)
        return clup_fail(CLUP_ERROR_USAGE, "observable %d is not known", (int)observable);
    if (first > length || count > length - first)
        return clup_fail(CLUP_ERROR_USAGE,
                         "steps %" PRIu64 " to %" PRIu64 ": the last one is %" PRIu64, first,
                         first + count - 1, length - 1);
    if (is_wrapping(observable) && is_known(curves, observable) && curves->samples > 0)
        return wrapping(curves, observable, first, count, means, errors);
    for (uint64_t k = 0; k < count; k++) {
        double mean = NAN, error = NAN;
        for (unsigned o = 0; o < KEPT && curves->samples > 0; o++)
            if (kept[o] == observable)
                write_mean(curves, o * length + first + k, &mean, &error);
        if (observable == CLUP_PERCOLATION_OCCUPIED && curves->samples > 0) {
            const double sites = (double)curves->network.sites;
            mean = curves->network.of_sites ? (double)(first + k) / (sites > 0 ? sites : 1) : 1;
            error = 0;
        }
        if (means != NULL)
            means[k] = mean;
        if (errors != NULL)
            errors[k] = error;
    }
    return CLUP_OK;
}
