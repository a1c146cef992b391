/* SPDX-License-Identifier: BSD-3-Clause */
/* Means over sweeps, and functions of means. The error of a function is that of the mean of the
 * jackknife's pseudo-values, a series with an autocorrelation time of its own. */
#include "estimate/means.h"

#include <math.h>
#include <string.h>

#include "estimate/blocks.h"
#include "estimate/series.h"

static double square(double x)
{
    return x * x;
}

/* factor * variance; 0 for variance 0 also at infinite beta. */
static double scaled(double factor, double variance)
{
    return variance == 0 ? 0 : factor * variance;
}

/* The second-moment correlation length, from the structure factor at wave vector 0 and at the
 * smallest wave vector of an axis: F. Cooper, B. Freedman and D. Preston, Nucl. Phys. B 210, 210
 * (1982). NAN if the second is not below the first. */
static double correlation_length(double at_zero, double at_smallest, double length)
{
    const double pi = 3.14159265358979323846;
    return at_smallest <= at_zero ? sqrt(at_zero / at_smallest - 1) / (2 * sin(pi / length)) : NAN;
}

/* ---- means ----------------------------------------------------------------------------------- */

/* The contribution of a sweep to each mean; and the sum of it, less origin, over sweeps from first
 * on and below end. */
#define SWEEP_OF(NAME) measured->values[OBSERVED_##NAME][k]
#define MEAN(NAME, VALUE) \
    static inline double sweep_##NAME(const clup_measured *measured, size_t k, double energy0) \
    { \
        (void)energy0; \
        return VALUE; \
    } \
    static double sum_##NAME(const clup_measured *measured, size_t first, size_t end, \
                             double energy0, double origin) \
    { \
        double sum = 0; \
        for (size_t k = first; k < end; k++) \
            sum += sweep_##NAME(measured, k, energy0) - origin; \
        return sum; \
    }
#include "estimate/observables.def"
#undef SWEEP_OF

/* Clears *all unless has is set. Returns 1, as a value of an expression of which only the
 * observables matter. */
static double know(bool *all, bool has)
{
    *all = *all && has;
    return 1;
}

/* Clears *known if the measured sweeps lack an observable that a mean is of. */
#define SWEEP_OF(NAME) know(known, measured->values[OBSERVED_##NAME] != NULL)
#define MEAN(NAME, VALUE) \
    static double known_##NAME(const clup_measured *measured, bool *known) \
    { \
        const double energy0 = 0; \
        (void)energy0; \
        return VALUE; \
    }
#include "estimate/observables.def"
#undef SWEEP_OF

static const struct {
    double (*sweep)(const clup_measured *measured, size_t k, double energy0);
    double (*sum)(const clup_measured *measured, size_t first, size_t end, double energy0,
                  double origin);
    double (*known)(const clup_measured *measured, bool *known);
} rows[CLUP_MEANS] = {
#define MEAN(NAME, VALUE) [CLUP_MEAN_##NAME] = {sweep_##NAME, sum_##NAME, known_##NAME},
#include "estimate/observables.def"
};

bool clup_measured_has_mean(const clup_measured *measured, unsigned mean)
{
    bool known = true;
    rows[mean].known(measured, &known);
    return known;
}

double clup_measured_sweep(const clup_measured *measured, unsigned mean, size_t k, double energy0)
{
    return rows[mean].sweep(measured, k, energy0);
}

/* Sums are of differences from the first sweep, so that a constant series has no rounding
 * errors. */
clup_means clup_measured_means(const clup_measured *measured)
{
    const double *energy = measured->values[OBSERVED_ENERGY], n = (double)measured->count;
    clup_means means = {measured->beta, measured->sites, measured->length, 0, {0}};
    for (size_t k = 0; energy != NULL && k < measured->count; k++)
        means.energy0 += energy[k] - energy[0];
    if (energy != NULL)
        means.energy0 = energy[0] + means.energy0 / n;
    for (unsigned m = 0; m < CLUP_MEANS; m++) {
        means.of[m] = NAN;
        if (clup_measured_has_mean(measured, m)) {
            const double first = rows[m].sweep(measured, 0, means.energy0);
            means.of[m] = first +
                          rows[m].sum(measured, 0, measured->count, means.energy0, first) / n;
        }
    }
    return means;
}

clup_means clup_measured_means_without(const clup_measured *measured, const clup_means *means,
                                       size_t first, size_t end)
{
    clup_means others = *means;
    for (unsigned m = 0; m < CLUP_MEANS; m++)
        if (clup_measured_has_mean(measured, m))
            others.of[m] -= rows[m].sum(measured, first, end, means->energy0, means->of[m]) /
                            (double)(measured->count - (end - first));
    return others;
}

void clup_means_count_from(clup_means *means, double energy0)
{
    const double off = means->energy0 - energy0, energy = means->of[CLUP_MEAN_ENERGY];
    means->of[CLUP_MEAN_ENERGY2] += 2 * off * energy + square(off);
    means->of[CLUP_MEAN_ENERGY] += off;
    means->energy0 = energy0;
}

void clup_means_add(clup_means *means, const clup_means *other, double part)
{
    for (unsigned m = 0; m < CLUP_MEANS; m++)
        means->of[m] += part * other->of[m];
}

/* ---- functions of them ----------------------------------------------------------------------- */

/* The value of an observable; its value without each sweep, for pseudo-values; and whether the
 * measured sweeps determine it. */
#define VALUE_OF(NAME, VALUE) \
    static double value_##NAME(const clup_means *means) \
    { \
        WITH_MODEL \
        return VALUE; \
    }
#define WITH_MODEL \
    const double beta = means->beta, sites = means->sites, energy0 = means->energy0, \
                 length = means->length; \
    (void)beta, (void)sites, (void)energy0, (void)length;
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) VALUE_OF(NAME, VALUE)
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) VALUE_OF(NAME, VALUE)
#define MEAN_OF(NAME) means->of[CLUP_MEAN_##NAME]
#include "estimate/observables.def"
#undef MEAN_OF

#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) \
    static void pseudo_##NAME(const clup_measured *measured, const clup_means *means, \
                              double *values) \
    { \
        const double others = (double)measured->count - 1, whole = value_##NAME(means); \
        WITH_MODEL \
        for (size_t k = 0; k < measured->count; k++) \
            values[k] = others * (whole - (VALUE)); \
    }
#define MEAN_OF(NAME) \
    (means->of[CLUP_MEAN_##NAME] + \
     (means->of[CLUP_MEAN_##NAME] - sweep_##NAME(measured, k, energy0)) / others)
#include "estimate/observables.def"
#undef MEAN_OF

#define HAS(NAME, VALUE) \
    static bool has_##NAME(const clup_measured *measured) \
    { \
        bool all = true, *const known = &all; \
        const double beta = 1, sites = 1, energy0 = 0, length = 1; \
        (void)beta, (void)sites, (void)energy0, (void)length; \
        (void)(VALUE); \
        return all; \
    }
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) HAS(NAME, VALUE)
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) HAS(NAME, VALUE)
#define MEAN_OF(NAME) known_##NAME(measured, known)
#include "estimate/observables.def"
#undef MEAN_OF

static const struct {
    double (*value)(const clup_means *means);
    bool (*has)(const clup_measured *measured);
    void (*pseudo)(const clup_measured *measured, const clup_means *means, double *values);
} observables[OBSERVED] = {
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    [OBSERVED_##NAME] = {value_##NAME, has_##NAME, NULL},
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) \
    [OBSERVED_##NAME] = {value_##NAME, has_##NAME, pseudo_##NAME},
#include "estimate/observables.def"
};

/* Of a variance: the observable whose mean is subtracted, and the factor of the variance. */
#define VARIANCE(NAME, OF, TEXT, ABOUT, FACTOR, SQUARES, MEAN) \
    static double factor_##NAME(const clup_means *means) \
    { \
        WITH_MODEL \
        return FACTOR; \
    }
#include "estimate/observables.def"
static const struct {
    double (*factor)(const clup_means *means); /* NULL if the observable is no variance */
    clup_observable mean;
} variances[OBSERVED] = {
#define VARIANCE(NAME, OF, TEXT, ABOUT, FACTOR, SQUARES, MEAN) \
    [OBSERVED_##NAME] = {factor_##NAME, (clup_observable)OBSERVED_##MEAN},
#include "estimate/observables.def"
};

bool clup_measured_has(const clup_measured *measured, clup_observable observable)
{
    return observables[observable].has != NULL && observables[observable].has(measured);
}

double clup_means_value(const clup_means *means, clup_observable observable)
{
    return observables[observable].value(means);
}

void clup_measured_values(const clup_measured *measured, const clup_means *means,
                          clup_observable observable, double *values)
{
    if (observables[observable].pseudo != NULL)
        observables[observable].pseudo(measured, means, values);
    else
        memcpy(values, measured->values[observable], measured->count * sizeof *values);
}

bool clup_observable_is_variance(clup_observable observable, clup_observable *mean)
{
    *mean = variances[observable].mean;
    return variances[observable].factor != NULL;
}

double clup_variance_bias(const clup_means *means, clup_observable observable, double mean_error)
{
    return scaled(variances[observable].factor(means), square(mean_error));
}

/* The factor that removes the bias of a value: 1 if it is no variance, NAN for fewer than
 * CLUP_CORRECTED_LEAST independent sweeps. */
static double unbias(const clup_measured *measured, clup_observable observable)
{
    const double n = (double)measured->count;
    size_t window;
    if (variances[observable].factor == NULL)
        return 1;
    const double tau = clup_series_tau(measured->values[variances[observable].mean],
                                       measured->count, &window);
    return n >= 2 * CLUP_CORRECTED_LEAST * tau ? n / (n - 2 * tau) : NAN;
}

void clup_measured_move(const clup_measured *measured, clup_observable observable, double whole,
                        clup_estimate *estimate)
{
    const double factor = estimate->error >= 0 ? unbias(measured, observable) : 1,
                 used = isnan(factor) ? 1 : factor, below = estimate->mean - estimate->low,
                 above = estimate->high - estimate->mean;
    estimate->mean = used * whole;
    estimate->error *= used;
    estimate->low = estimate->mean - used * below;
    estimate->high = estimate->mean + used * above;
    estimate->bias = isnan(factor) ? NAN : factor == 1 ? 0 : estimate->mean - whole;
    if (variances[observable].factor != NULL && estimate->low < 0)
        estimate->low = 0;
}

clup_estimate clup_measured_estimate(const clup_measured *measured, const clup_means *means,
                                     clup_observable observable, double *room)
{
    const double whole = clup_means_value(means, observable);
    if (isnan(whole))
        return (clup_estimate){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    clup_measured_values(measured, means, observable, room);
    clup_estimate estimate = clup_series_estimate(room, measured->count);
    clup_measured_move(measured, observable, whole, &estimate);
    return estimate;
}

void clup_measured_without(const clup_measured *measured, const clup_means *means,
                           clup_observable observable, unsigned blocks, double *without)
{
    for (unsigned b = 0; b < blocks; b++) {
        const clup_means others = clup_measured_means_without(
            measured, means, clup_block_first(measured->count, blocks, b),
            clup_block_first(measured->count, blocks, b + 1));
        without[b] = clup_means_value(&others, observable);
    }
}
