/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages over systems at one temperature: of samples of disorder, or of independent systems.
 * Systems of one sample are averaged first. Errors are those of the jackknife over samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/disorder.h"
#include "core/record.clh"
#include "estimate/means.h"
#include "run/simulation.h"

/* The systems of one sample, or one system where there is no disorder. */
typedef struct unit {
    uint32_t systems;
    clup_means means;  /* sums over the systems, then their mean */
    double *variances; /* of each observable that is a variance, likewise */
} unit;

typedef struct averaging {
    const clup_simulation *simulation;
    const clup_observable *of;
    size_t of_count;
    clup_observable variances[OBSERVED]; /* those of them that are variances, each once or more */
    size_t variance_count;
    uint32_t count;
    unit *units;
    double *totals;    /* means over all units, of the observables that are variances */
    uint32_t *numbers; /* of the unit of each sample, plus 1; 0 for none */
} averaging;

static bool is_variance(clup_observable observable)
{
    clup_observable mean;
    return clup_observable_is_variance(observable, &mean);
}

/* Adds part times b to a. */
static void add_means(clup_means *a, const clup_means *b, double part)
{
    a->energy0 += part * b->energy0;
    for (unsigned m = 0; m < CLUP_MEANS; m++)
        a->of[m] += part * b->of[m];
}

/* Returns the unit of a system; the first system of a sample adds it. */
static unit *unit_of(averaging *all, uint32_t replica)
{
    const clup_problem *problem = &all->simulation->problem;
    const uint32_t sample = clup_has_samples(problem) ? clup_disorder_sample(problem, replica)
                                                      : replica;
    if (all->numbers[sample] == 0)
        all->numbers[sample] = ++all->count;
    return &all->units[all->numbers[sample] - 1];
}

static clup_status add_system(averaging *all, uint32_t replica, unit *unit)
{
    const clup_system system = clup_simulation_system(all->simulation, replica);
    const clup_history *history;
    clup_means means;
    clup_estimate estimates[OBSERVED];
    clup_status status;
    CLUP_TRY(clup_simulation_history(all->simulation, replica, &history));
    CLUP_TRY(clup_history_means(history, &system, &means));
    if (unit->systems++ == 0) {
        unit->means = means;
        unit->means.energy0 = 0;
        memset(unit->means.of, 0, sizeof unit->means.of);
    }
    add_means(&unit->means, &means, 1);
    CLUP_TRY(clup_history_estimates_of(history, &system, all->variances, all->variance_count,
                                       estimates));
    for (size_t k = 0, v = 0; k < all->of_count; k++)
        if (is_variance(all->of[k]))
            unit->variances[k] += estimates[v++].mean;
done:
    return status;
}

/* Turns the sums over the systems of each unit into means. */
static void divide(averaging *all)
{
    for (uint32_t u = 0; u < all->count; u++) {
        unit *unit = &all->units[u];
        const clup_means sums = unit->means;
        add_means(&unit->means, &sums, 1. / unit->systems - 1);
        for (size_t k = 0; k < all->of_count; k++) {
            unit->variances[k] /= unit->systems;
            all->totals[k] += unit->variances[k] / all->count;
        }
    }
}

/* Returns the value of observable k from all units but one; from all where without is their
 * number. total is the mean of all. */
static double value_of(const averaging *all, const clup_means *total, size_t k, uint32_t without)
{
    const double left = all->count - (without < all->count);
    if (is_variance(all->of[k]))
        return (all->totals[k] * all->count -
                (without < all->count ? all->units[without].variances[k] : 0)) /
               left;
    if (without == all->count)
        return clup_means_value(total, all->of[k]);
    clup_means others = *total;
    add_means(&others, total, all->count / left - 1);
    add_means(&others, &all->units[without].means, -1 / left);
    return clup_means_value(&others, all->of[k]);
}

/* Returns an average, with the jackknife's error. Without samples the overlaps of systems
 * are not independent, nor are systems that Houdayer's moves have mixed, so that errors are not
 * known. */
static clup_average average_of(const averaging *all, const clup_means *total, size_t k)
{
    const bool apart = all->simulation->method.houdayer == 0;
    const bool known = all->count > 1 &&
                       (clup_has_samples(&all->simulation->problem) ||
                        (apart && (clup_observable_format(all->of[k], CLUP_SWENDSEN_WANG) &
                                   RECORD_OVERLAP) == 0));
    clup_average average = {.mean = value_of(all, total, k, all->count), .error = NAN};
    double sum = 0, squares = 0, spread;
    for (uint32_t u = 0; u < all->count && known; u++) {
        const double away = value_of(all, total, k, u) - average.mean;
        sum += away;
        squares += away * away;
    }
    spread = squares - sum * sum / all->count;
    if (known) /* but for rounding, the spread is not negative */
        average.error = sqrt((spread < 0 ? 0 : spread) * (all->count - 1) / all->count);
    return average;
}

clup_status clup_simulation_averages(const clup_simulation *simulation, uint32_t replica,
                                     const clup_observable *observables, size_t observable_count,
                                     clup_average *averages, uint32_t *systems, uint32_t *samples)
{
    CLUP_NEED(simulation);
    CLUP_NEED(observables);
    CLUP_NEED(averages);
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    averaging all = {.simulation = simulation, .of = observables, .of_count = observable_count};
    uint32_t found = 0;
    double *variances = NULL;
    clup_status status = CLUP_OK;
    if (replica >= replicas)
        return clup_fail(CLUP_ERROR_USAGE, "there is no replica %u", replica);
    if (observable_count > OBSERVED)
        return clup_fail(CLUP_ERROR_USAGE, "%zu observables: there are %d", observable_count,
                         (int)OBSERVED);
    for (size_t k = 0; k < observable_count; k++)
        if ((unsigned)observables[k] >= OBSERVED || clup_observable_has_values(observables[k]))
            return clup_fail(CLUP_ERROR_USAGE, "observable %d is none with one value",
                             (int)observables[k]);
    for (size_t k = 0; k < observable_count; k++)
        if (is_variance(observables[k]))
            all.variances[all.variance_count++] = observables[k];
    all.units = calloc(replicas, sizeof *all.units);
    variances = calloc((replicas + 1) * (observable_count + 1), sizeof *variances);
    all.numbers = calloc(CLUP_REPLICAS_ALL, sizeof *all.numbers);
    if (all.units == NULL || variances == NULL || all.numbers == NULL)
        CLUP_TRY(clup_fail_memory("the averages"));
    for (uint32_t r = 0; r < replicas; r++)
        all.units[r].variances = variances + r * observable_count;
    all.totals = variances + replicas * observable_count;
    for (uint32_t r = 0; r < replicas; r++)
        if (simulation->betas[r] == simulation->betas[replica]) {
            CLUP_TRY(add_system(&all, r, unit_of(&all, r)));
            found++;
        }
    divide(&all);
    clup_means total = all.units[0].means;
    for (uint32_t u = 1; u < all.count; u++)
        add_means(&total, &all.units[u].means, 1);
    const clup_means sums = total;
    add_means(&total, &sums, 1. / all.count - 1);
    for (size_t k = 0; k < observable_count; k++)
        averages[k] = average_of(&all, &total, k);
    if (systems != NULL)
        *systems = found;
    if (samples != NULL)
        *samples = all.count;
done:
    free(all.units);
    free(all.numbers);
    free(variances);
    return status;
}
