/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages over the systems at one temperature. Equal systems, which have the same couplings, are
 * one long run in pieces: functions of means are those of the means over all. Samples of disorder
 * are not equal: systems of one sample are averaged first, and variances are averages of the
 * samples' own. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/disorder.h"
#include "core/record.clh"
#include "estimate/means.h"
#include "estimate/parts.h"
#include "run/simulation.h"

/* So many systems have their parts in memory at a time. */
#define TOGETHER 1024
/* The scatter of fewer systems tells no error. */
#define SYSTEMS_LEAST 4

/* A sample, or one of equal systems. */
typedef struct unit {
    uint32_t systems;
    clup_means means;  /* sums over the systems, then their mean */
    double *variances; /* of samples, of each observable that is a variance, likewise */
} unit;

typedef struct averaging {
    const clup_simulation *simulation;
    const clup_observable *of;
    size_t of_count;
    clup_observable used[2 * OBSERVED]; /* of, and then the mean of each variance */
    size_t used_count;
    size_t mean_of[OBSERVED];            /* in used, of each of them that is a variance */
    clup_observable variances[OBSERVED]; /* those that are */
    size_t variance_count;
    uint32_t *systems; /* systems[system_count]: the replicas that have the temperature */
    uint32_t system_count;
    uint32_t first, end; /* replicas between which they are */
    uint32_t *rows;      /* rows[end - first]: the number in systems of each replica */
    bool equal;
    clup_means *means;  /* means[system_count] */
    clup_estimate *own; /* own[system_count * variance_count], of samples */
    clup_part *parts;   /* parts[TOGETHER * used_count]; of systems from together on */
    clup_parts *joined; /* joined[used_count] */
    uint32_t together;  /* the first system of parts */
    uint32_t *numbers;  /* the number of the unit of each sample, plus 1; 0 for none */
    uint32_t unit_count;
    unit *units;
    double *sums;     /* room for those of the units and totals */
    clup_means total; /* the mean over all units */
    double *totals;   /* of samples, of each observable that is a variance, likewise */
} averaging;

static bool is_variance(clup_observable observable)
{
    clup_observable mean;
    return clup_observable_is_variance(observable, &mean);
}

/* ---- which systems, and what is known of each ------------------------------------------------ */

/* Finds the systems that have the temperature of a replica, and the units that they make. */
static void find_systems(averaging *all, uint32_t replica)
{
    const clup_problem *problem = &all->simulation->problem;
    for (uint32_t r = clup_simulation_first_alike(all->simulation, replica);
         r < clup_problem_replicas(problem); r = clup_simulation_next_alike(all->simulation, r)) {
        const uint32_t sample = clup_has_samples(problem) ? clup_disorder_sample(problem, r) : 0;
        if (all->system_count == 0)
            all->first = r;
        all->end = r + 1;
        all->systems[all->system_count++] = r;
        if (all->numbers[sample] == 0)
            all->numbers[sample] = ++all->unit_count;
    }
    all->equal = all->unit_count == 1;
    if (all->equal)
        all->unit_count = all->system_count;
    for (uint32_t r = all->first, k = 0; r < all->end; r++)
        all->rows[r - all->first] = k < all->system_count && all->systems[k] == r ? k++
                                                                                  : UINT32_MAX;
}

/* Returns the number of the unit of a system. */
static uint32_t unit_of(const averaging *all, uint32_t system)
{
    const clup_problem *problem = &all->simulation->problem;
    return all->equal ? system
                      : all->numbers[clup_disorder_sample(problem, all->systems[system])] - 1;
}

static clup_status take_means(void *user, uint32_t replica, const clup_history *history,
                              const clup_system *system)
{
    averaging *all = user;
    const uint32_t row = all->rows[replica - all->first];
    if (row == UINT32_MAX)
        return CLUP_OK;
    const clup_status status = clup_history_means(history, system, &all->means[row]);
    return status == CLUP_OK && !all->equal
               ? clup_history_estimates_of(history, system, all->variances, all->variance_count,
                                           all->own + (size_t)row * all->variance_count)
               : status;
}

static clup_status take_parts(void *user, uint32_t replica, const clup_history *history,
                              const clup_system *system)
{
    averaging *all = user;
    const uint32_t row = all->rows[replica - all->first];
    return row == UINT32_MAX
               ? CLUP_OK
               : clup_history_parts(history, system, &all->total, all->used, all->used_count,
                                    all->parts + (row - all->together) * all->used_count);
}

/* Makes the units of their systems, and the mean of all. */
static void make_units(averaging *all)
{
    double energy0 = 0;
    for (uint32_t s = 0; s < all->system_count; s++)
        energy0 += all->means[s].energy0 / all->system_count;
    for (uint32_t s = 0; s < all->system_count; s++) {
        unit *unit = &all->units[unit_of(all, s)];
        clup_means_count_from(&all->means[s], energy0);
        if (unit->systems++ == 0)
            unit->means = all->means[s];
        else
            clup_means_add(&unit->means, &all->means[s], 1);
        for (size_t k = 0, v = 0; k < all->of_count && !all->equal; k++)
            if (is_variance(all->of[k]))
                unit->variances[k] += all->own[s * all->variance_count + v++].mean;
    }
    for (uint32_t u = 0; u < all->unit_count; u++) {
        unit *unit = &all->units[u];
        const clup_means sums = unit->means;
        clup_means_add(&unit->means, &sums, 1. / unit->systems - 1);
        if (u == 0)
            all->total = unit->means;
        else
            clup_means_add(&all->total, &unit->means, 1);
        for (size_t k = 0; k < all->of_count && !all->equal; k++) {
            unit->variances[k] /= unit->systems;
            all->totals[k] += unit->variances[k] / all->unit_count;
        }
    }
    const clup_means sums = all->total;
    clup_means_add(&all->total, &sums, 1. / all->unit_count - 1);
}

/* Adds the parts of all systems, in their order. */
static clup_status join_parts(averaging *all)
{
    clup_status status = CLUP_OK;
    for (uint32_t s = 0; s < all->system_count && status == CLUP_OK; s += TOGETHER) {
        const uint32_t left = all->system_count - s, count = left < TOGETHER ? left : TOGETHER,
                       first = all->systems[s], last = all->systems[s + count - 1];
        all->together = s;
        status = clup_simulation_visit(all->simulation, first, last - first + 1, take_parts, all);
        for (size_t k = 0; k < count * all->used_count && status == CLUP_OK; k++)
            clup_parts_add(&all->joined[k % all->used_count], &all->parts[k]);
    }
    return status;
}

/* ---- averages -------------------------------------------------------------------------------- */

/* Returns the value of observable k of used from all units but one; from all where without is their
 * number. */
static double value_of(const averaging *all, size_t k, uint32_t without)
{
    const double left = all->unit_count - (without < all->unit_count);
    if (!all->equal && is_variance(all->used[k]))
        return (all->totals[k] * all->unit_count -
                (without < all->unit_count ? all->units[without].variances[k] : 0)) /
               left;
    if (without == all->unit_count)
        return clup_means_value(&all->total, all->used[k]);
    clup_means others = all->total;
    clup_means_add(&others, &all->total, all->unit_count / left - 1);
    clup_means_add(&others, &all->units[without].means, -1 / left);
    return clup_means_value(&others, all->used[k]);
}

/* Whether the errors of an observable are known. Without samples the overlaps of systems are not
 * independent, nor are systems that Houdayer's moves have mixed. */
static bool has_error(const averaging *all, clup_observable observable)
{
    return !all->equal ||
           (all->simulation->method.houdayer == 0 &&
            (clup_observable_format(observable, CLUP_SWENDSEN_WANG) & RECORD_OVERLAP) == 0);
}

/* Takes the error of the mean from how numbers scatter. */
static void take_scatter(const clup_sums *numbers, double mean, clup_error_from from,
                         clup_average *average)
{
    average->estimate = clup_sums_estimate(numbers);
    average->estimate.low += mean - average->estimate.mean;
    average->estimate.high += mean - average->estimate.mean;
    average->estimate.mean = mean;
    average->from = from;
}

/* Completes an average over equal systems: mean is the value by all of them, and scattered are the
 * pseudo-values of the jackknife over systems. */
static clup_average equal_average(const clup_parts *parts, double mean, const clup_sums *scattered)
{
    clup_average average = {.estimate = clup_parts_estimate(parts), .from = CLUP_FROM_SERIES};
    const clup_estimate series = average.estimate;
    average.estimate.low += mean - series.mean;
    average.estimate.high += mean - series.mean;
    average.estimate.mean = mean;
    if (scattered->count >= CLUP_SCATTER_LEAST ||
        (isnan(series.error) && scattered->count >= SYSTEMS_LEAST)) {
        take_scatter(scattered, mean, CLUP_FROM_SCATTER, &average);
        if (!isnan(series.error)) {
            average.estimate.tau_int = series.tau_int;
            average.estimate.independent = series.independent;
            average.estimate.events = series.events;
        }
    }
    clup_parts_compare(parts, &average);
    if (isnan(average.estimate.error))
        average.from = CLUP_FROM_NOTHING;
    return average;
}

/* Adds to a variance what it lacks, because deviations are from the mean of the same values. */
static void unbias(const averaging *all, size_t k, const clup_average *mean, clup_average *average)
{
    const double bias = clup_variance_bias(&all->total, all->used[k], mean->estimate.error);
    const bool enough = mean->from == CLUP_FROM_SCATTER ||
                        mean->estimate.independent >= CLUP_CORRECTED_LEAST * (mean->freedom + 1);
    average->estimate.bias = enough ? bias : NAN;
    if (!enough || isnan(bias))
        return;
    average->estimate.mean += bias;
    average->estimate.low = fmax(0, average->estimate.low + bias);
    average->estimate.high += bias;
}

static clup_average average_of(const averaging *all, size_t k)
{
    const double mean = value_of(all, k, all->unit_count);
    clup_sums pseudo = {0};
    clup_average average = {.estimate = clup_estimate_of_mean(mean),
                            .chi2 = NAN,
                            .probability = NAN,
                            .freedom = all->unit_count - 1.};
    if (isnan(mean) || !has_error(all, all->used[k]))
        return average;
    for (uint32_t u = 0; u < all->unit_count && all->unit_count > 1; u++)
        clup_sums_add(&pseudo, mean + (all->unit_count - 1.) * (mean - value_of(all, k, u)));
    if (!all->equal) {
        take_scatter(&pseudo, mean, CLUP_FROM_SAMPLES, &average);
        return average;
    }
    average = equal_average(&all->joined[k], mean, &pseudo);
    if (is_variance(all->used[k])) {
        const clup_average of_mean = average_of(all, all->mean_of[k]);
        unbias(all, k, &of_mean, &average);
    }
    return average;
}

/* Makes the list of the observables that are used. */
static void list_used(averaging *all)
{
    for (size_t k = 0; k < all->of_count; k++)
        all->used[all->used_count++] = all->of[k];
    for (size_t k = 0; k < all->of_count; k++)
        if (clup_observable_is_variance(all->of[k], &all->used[all->used_count])) {
            all->mean_of[k] = all->used_count++;
            all->variances[all->variance_count++] = all->of[k];
        }
}

static clup_status check(const clup_simulation *simulation, uint32_t replica,
                         const clup_observable *observables, size_t observable_count)
{
    if (replica >= clup_problem_replicas(&simulation->problem))
        return clup_fail(CLUP_ERROR_USAGE, "there is no replica %u", replica);
    if (observable_count > OBSERVED)
        return clup_fail(CLUP_ERROR_USAGE, "%zu observables: there are %d", observable_count,
                         (int)OBSERVED);
    for (size_t k = 0; k < observable_count; k++)
        if ((unsigned)observables[k] >= OBSERVED || clup_observable_has_values(observables[k]))
            return clup_fail(CLUP_ERROR_USAGE, "observable %d is none with one value",
                             (int)observables[k]);
    if (simulation->records.count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    return CLUP_OK;
}

static void clear(averaging *all)
{
    if (all == NULL)
        return;
    free(all->numbers);
    free(all->sums);
    free(all->systems);
    free(all->rows);
    free(all->means);
    free(all->own);
    free(all->parts);
    free(all->joined);
    free(all->units);
    free(all);
}

/* Makes what averages of of_count observables need, and finds the systems that have the temperature
 * of a replica. The caller clears *out, also after a failure. */
static clup_status begin(const clup_simulation *simulation, uint32_t replica,
                         const clup_observable *of, size_t of_count, averaging **out)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    averaging *all = *out = calloc(1, sizeof *all);
    if (all == NULL)
        return clup_fail_memory("the averages");
    all->simulation = simulation;
    all->of = of;
    all->of_count = of_count;
    list_used(all);
    all->sums = calloc(((size_t)replicas + 1) * (all->of_count + 1), sizeof *all->sums);
    all->numbers = calloc(CLUP_REPLICAS_ALL, sizeof *all->numbers);
    all->systems = calloc(replicas, sizeof *all->systems);
    all->rows = calloc(replicas, sizeof *all->rows);
    all->means = calloc(replicas, sizeof *all->means);
    all->own = calloc((size_t)replicas * (all->variance_count + 1), sizeof *all->own);
    all->parts = calloc(TOGETHER * (all->used_count + 1), sizeof *all->parts);
    all->joined = calloc(all->used_count + 1, sizeof *all->joined);
    all->units = calloc(replicas, sizeof *all->units);
    if (all->sums == NULL || all->numbers == NULL || all->systems == NULL || all->rows == NULL ||
        all->means == NULL || all->own == NULL || all->parts == NULL || all->joined == NULL ||
        all->units == NULL)
        return clup_fail_memory("the averages");
    for (uint32_t r = 0; r < replicas; r++)
        all->units[r].variances = all->sums + r * all->of_count;
    all->totals = all->sums + replicas * all->of_count;
    find_systems(all, replica);
    return CLUP_OK;
}

clup_status clup_simulation_has_error(const clup_simulation *simulation, uint32_t replica,
                                      clup_observable observable)
{
    averaging *all = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(begin(simulation, replica, NULL, 0, &all));
    if (!all->equal && all->unit_count < CLUP_SAMPLES_LEAST)
        status = clup_fail(CLUP_ERROR_USAGE,
                           "a run until errors are reached needs %d samples of disorder or more at "
                           "each temperature, as fewer do not tell errors: there are %" PRIu32,
                           CLUP_SAMPLES_LEAST, all->unit_count);
    else if (!has_error(all, observable))
        status = clup_fail(CLUP_ERROR_USAGE,
                           "the error of %s is not known and cannot be reached: %s",
                           clup_observable_name(observable),
                           simulation->method.houdayer > 0
                               ? "Houdayer's moves mix the replicas, which are equal systems"
                               : "overlaps of equal systems depend on each other");
done:
    clear(all);
    return status;
}

clup_status clup_simulation_averages(const clup_simulation *simulation, uint32_t replica,
                                     const clup_observable *observables, size_t observable_count,
                                     clup_average *averages, uint32_t *systems, uint32_t *samples)
{
    CLUP_NEED(simulation);
    CLUP_NEED(observables);
    CLUP_NEED(averages);
    averaging *all = NULL;
    clup_status status = check(simulation, replica, observables, observable_count);
    if (status != CLUP_OK)
        return status;
    CLUP_TRY(begin(simulation, replica, observables, observable_count, &all));
    CLUP_TRY(clup_simulation_visit(simulation, all->first, all->end - all->first, take_means, all));
    make_units(all);
    if (all->equal)
        CLUP_TRY(join_parts(all));
    for (size_t k = 0; k < observable_count; k++)
        averages[k] = average_of(all, k);
    if (systems != NULL)
        *systems = all->system_count;
    if (samples != NULL)
        *samples = all->equal && clup_has_samples(&simulation->problem) ? 1 : all->unit_count;
done:
    clear(all);
    return status;
}

/* ---- of several values ----------------------------------------------------------------------- */

/* Averages the means of one value over all systems. */
static clup_status average_element(averaging *all, clup_observable observable, size_t element,
                                   double *values, clup_average *average)
{
    const uint64_t count = all->simulation->records.count;
    clup_parts parts = {0};
    clup_sums scattered = {0};
    for (uint32_t u = 0; u < all->unit_count; u++)
        all->totals[u] = 0;
    for (uint32_t s = 0; s < all->system_count; s++) {
        const clup_status status = clup_simulation_vector_series(
            all->simulation, all->systems[s], observable, element, 0, count, values);
        if (status != CLUP_OK)
            return status;
        const clup_part part = clup_part_of(values, (size_t)count);
        const uint32_t u = unit_of(all, s);
        clup_parts_add(&parts, &part);
        all->totals[u] += part.sums.mean / all->units[u].systems;
    }
    for (uint32_t u = 0; u < all->unit_count; u++)
        clup_sums_add(&scattered, all->totals[u]);
    *average = (clup_average){.estimate = clup_estimate_of_mean(scattered.mean),
                              .chi2 = NAN,
                              .probability = NAN,
                              .freedom = all->unit_count - 1.};
    if (!has_error(all, observable))
        return CLUP_OK;
    if (all->equal)
        *average = equal_average(&parts, parts.values.mean, &scattered);
    else
        take_scatter(&scattered, scattered.mean, CLUP_FROM_SAMPLES, average);
    return CLUP_OK;
}

clup_status clup_simulation_average_vector(const clup_simulation *simulation, uint32_t replica,
                                           clup_observable observable, double *at,
                                           clup_average *averages)
{
    CLUP_NEED(simulation);
    CLUP_NEED(at);
    CLUP_NEED(averages);
    averaging *all = NULL;
    double *values = NULL;
    const size_t length = clup_simulation_vector_length(simulation, observable);
    clup_status status = check(simulation, replica, NULL, 0);
    if (status == CLUP_OK && length == 0)
        status = clup_fail(CLUP_ERROR_USAGE, "no such observable with several values is measured");
    if (status != CLUP_OK)
        return status;
    CLUP_TRY(begin(simulation, replica, NULL, 0, &all));
    if ((values = malloc((simulation->records.count + 1) * sizeof *values)) == NULL)
        CLUP_TRY(clup_fail_memory("the averages"));
    all->totals = all->sums;
    for (uint32_t s = 0; s < all->system_count; s++)
        all->units[unit_of(all, s)].systems++;
    for (size_t k = 0; k < length; k++) {
        at[k] = clup_vector_at(simulation, observable, k);
        CLUP_TRY(average_element(all, observable, k, values, &averages[k]));
    }
done:
    free(values);
    clear(all);
    return status;
}
