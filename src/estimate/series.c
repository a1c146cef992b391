/* SPDX-License-Identifier: BSD-3-Clause */
/* Error analysis of a time series. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "estimate/interval.h"
#include "estimate/series.h"

/* Fewer values give no error. */
#define COUNT_LEAST 4

/* The least tau_int: neighbours may be so anticorrelated that the sum is smaller, as in no
 * reversible chain. */
#define TAU_LEAST 0.1

/* The window of tau_int, in units of it. */
#define WINDOWS 6.0

/* A series with a longer window is replaced by the means of pairs of values. The time for a series
 * is then at most proportional to its length times this, however large tau_int is; what changes
 * within a pair does not matter in so long a window. */
#define WINDOW_MOST 1024

/* So many values and so many distances are summed at a time, so that the processor need not wait
 * for each addition, and reads each value once for several distances. */
#define LANES 4
#define LAGS 4
typedef double lanes
    __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
#define LOAD(FROM) (*(const lanes *)(FROM))
#define STORE(TO) (*(lanes *)(TO))

static double total(const lanes *sums)
{
    return ((*sums)[0] + (*sums)[1]) + ((*sums)[2] + (*sums)[3]);
}

/* Deviations of values[count] from mean, followed by zeros so that products may read past the last
 * one; NULL if there is no memory. The caller frees them. */
static double *deviations(const double *values, size_t count, double mean)
{
    double *off = count < SIZE_MAX / sizeof *off - LANES - LAGS
                      ? malloc((count + LANES + LAGS) * sizeof *off)
                      : NULL;
    size_t k = 0;
    for (; off != NULL && k + LANES <= count; k += LANES)
        STORE(off + k) = LOAD(values + k) - mean;
    for (; off != NULL && k < count + LANES + LAGS; k++)
        off[k] = k < count ? values[k] - mean : 0;
    return off;
}

/* sums[l] is the sum of products of deviations at distance apart + l. */
CLUP_CLONES static void products(const double *off, size_t count, size_t apart, double sums[LAGS])
{
    const double *far = off + apart;
    lanes a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t k = 0; k < count - apart; k += LANES) {
        const lanes with = LOAD(off + k);
        a += with * LOAD(far + k);
        b += with * LOAD(far + k + 1);
        c += with * LOAD(far + k + 2);
        d += with * LOAD(far + k + 3);
    }
    sums[0] = total(&a), sums[1] = total(&b), sums[2] = total(&c), sums[3] = total(&d);
}

CLUP_CLONES static double mean_of(const double *values, size_t count);
CLUP_CLONES static void moments_of(const double *values, size_t count, double mean,
                                   double moments[3]);
static double tau_of(const double *values, size_t count, double mean, double variance, double times,
                     size_t *last);

/* tau by the means of pairs of values: their mean has the same error, with half as many values and
 * half the window. NAN if there is no memory. */
static double tau_of_pairs(const double *values, size_t count, double variance, double times,
                           size_t *last)
{
    double *pairs = malloc(count / 2 * sizeof *pairs), moments[3];
    if (pairs == NULL)
        return NAN;
    for (size_t k = 0; k < count / 2; k++)
        pairs[k] = values[2 * k] / 2 + values[2 * k + 1] / 2;
    const double mean = mean_of(pairs, count / 2);
    moments_of(pairs, count / 2, mean, moments);
    /* the factor from tau of the pairs to tau of the values */
    const double share = moments[0] / variance;
    const double tau = tau_of(pairs, count / 2, mean, moments[0], times * share, last);
    free(pairs);
    *last *= 2;
    return 2 * tau * share;
}

/* Computes tau, see clup_series_estimate. off are deviations from the mean, variance is that of the
 * values. The window is times times tau; *last is the window. */
static double sum_up(const double *values, const double *off, size_t count, double variance,
                     double times, size_t *last)
{
    double tau = 0.5, sums[LAGS];
    size_t window = 0;
    while (++window < count / 2) {
        if (window == WINDOW_MOST) {
            const double by_pairs = tau_of_pairs(values, count, variance, times, last);
            if (!isnan(by_pairs))
                return by_pairs;
        }
        if ((window - 1) % LAGS == 0)
            products(off, count, window, sums);
        tau += sums[(window - 1) % LAGS] / ((double)(count - window) * variance);
        if ((double)window >= times * tau)
            break;
    }
    *last = window;
    return fmax(TAU_LEAST, tau * (1 + (2 * (double)window + 1) / (double)count));
}

/* Computes tau without deviations given; NAN if there is no memory. */
static double tau_of(const double *values, size_t count, double mean, double variance, double times,
                     size_t *last)
{
    double *off = deviations(values, count, mean);
    const double tau = off != NULL ? sum_up(values, off, count, variance, times, last) : NAN;
    free(off);
    return tau;
}

/* The mean of values. Sums are of differences from the first value, so that a constant series has
 * no rounding errors that look like a variance. */
CLUP_CLONES static double mean_of(const double *values, size_t count)
{
    lanes sums = {0};
    size_t k = 0;
    for (; k + LANES <= count; k += LANES)
        sums += LOAD(values + k) - values[0];
    for (; k < count; k++)
        sums[0] += values[k] - values[0];
    return count > 0 ? values[0] + total(&sums) / (double)count : NAN;
}

/* Computes the means of squares, cubes and fourth powers of deviations from the mean. */
CLUP_CLONES static void moments_of(const double *values, size_t count, double mean,
                                   double moments[3])
{
    lanes squares = {0}, cubes = {0}, fourths = {0};
    size_t k = 0;
    for (; k + LANES <= count; k += LANES) {
        const lanes off = LOAD(values + k) - mean, square = off * off;
        squares += square;
        cubes += square * off;
        fourths += square * square;
    }
    for (; k < count; k++) {
        const double off = values[k] - mean, square = off * off;
        squares[0] += square;
        cubes[0] += square * off;
        fourths[0] += square * square;
    }
    moments[0] = total(&squares) / (double)count;
    moments[1] = total(&cubes) / (double)count;
    moments[2] = total(&fourths) / (double)count;
}

/* The share of values other than the most frequent one, at most 1/2. A value that more than half
 * have is found by the vote of R. S. Boyer and J. S. Moore (in: Automated Reasoning, Kluwer
 * 1991). */
static double share_of_others(const double *values, size_t count)
{
    double candidate = values[0];
    size_t votes = 0, same = 0;
    for (size_t k = 0; k < count; k++) {
        if (votes == 0)
            candidate = values[k];
        votes += values[k] == candidate ? 1 : (size_t)-1;
    }
    for (size_t k = 0; k < count; k++)
        same += values[k] == candidate;
    return fmin(0.5, 1 - (double)same / (double)count);
}

clup_estimate clup_estimate_of_mean(double mean)
{
    return (clup_estimate){mean, NAN, NAN, NAN, NAN, NAN, NAN, 0};
}

clup_estimate clup_estimate_by(double mean, const double moments[3], double tau, double window,
                               double n)
{
    const double variance = moments[0], error = sqrt(2 * tau * variance / n);
    const clup_spread spread = {n, tau, window, moments[1] / (variance * sqrt(variance)),
                                moments[2] / (variance * variance)};
    double sides[2];
    clup_interval(&spread, sides);
    return (clup_estimate){.mean = mean,
                           .error = error,
                           .tau_int = tau,
                           .independent = n / fmax(1, 2 * tau),
                           .low = mean - sides[0] * error,
                           .high = mean + sides[1] * error};
}

clup_estimate clup_series_estimate_window(const double *values, size_t count, size_t *window)
{
    const double n = (double)count, mean = mean_of(values, count);
    double moments[3];
    *window = 0;
    if (count < COUNT_LEAST || isnan(mean))
        return clup_estimate_of_mean(mean);
    moments_of(values, count, mean, moments);
    if (!(moments[0] > 0))
        return (clup_estimate){mean, 0, 0.5, n, 0, mean, mean, 0};
    const double tau = tau_of(values, count, mean, moments[0], WINDOWS, window);
    if (isnan(tau))
        return clup_estimate_of_mean(mean);
    clup_estimate estimate = clup_estimate_by(mean, moments, tau, (double)*window, n);
    estimate.events = estimate.independent * share_of_others(values, count);
    return estimate;
}

clup_estimate clup_series_estimate(const double *values, size_t count)
{
    size_t window;
    return clup_series_estimate_window(values, count, &window);
}

double clup_series_tau(const double *values, size_t count, size_t *window)
{
    const double tau = clup_series_estimate_window(values, count, window).tau_int;
    return isnan(tau) ? 0.5 : tau;
}

clup_status clup_series_rho(const double *values, size_t count, size_t last, double *rho)
{
    const double mean = mean_of(values, count);
    double moments[3], sums[LAGS];
    double *off = deviations(values, count, mean);
    if (off == NULL)
        return clup_fail_memory("the autocorrelations");
    moments_of(values, count, mean, moments);
    for (size_t t = 0; t <= last; t++) {
        if (t % LAGS == 0)
            products(off, count, t, sums);
        rho[t] = !(moments[0] > 0) ? NAN
                 : t == 0          ? 1
                                   : sums[t % LAGS] / ((double)(count - t) * moments[0]);
    }
    free(off);
    return CLUP_OK;
}

clup_note clup_estimate_note(const clup_estimate *estimate)
{
    if (estimate == NULL || !isfinite(estimate->mean))
        return CLUP_NOTE_NONE;
    if (estimate->error == 0)
        return CLUP_NOTE_CONSTANT;
    if (isnan(estimate->bias))
        return CLUP_NOTE_BIASED;
    if (!(estimate->independent >= CLUP_INDEPENDENT_LEAST) || isnan(estimate->error))
        return CLUP_NOTE_SHORT;
    return estimate->events < CLUP_EVENTS_LEAST ? CLUP_NOTE_FEW_EVENTS : CLUP_NOTE_NONE;
}

clup_note clup_average_note(const clup_average *average)
{
    if (average == NULL || average->from == CLUP_FROM_NOTHING || average->from == CLUP_FROM_SAMPLES)
        return CLUP_NOTE_NONE;
    if (average->probability < CLUP_DISAGREE_LEAST &&
        average->chi2 > CLUP_DISAGREE_RATIO * average->freedom)
        return CLUP_NOTE_DISAGREE;
    clup_estimate own = average->estimate;
    if (average->from == CLUP_FROM_SERIES)
        own.independent /= average->freedom + 1;
    return clup_estimate_note(&own);
}

/* Adds a value: P. Pebay, Sandia report SAND2008-6212 (2008), Eqs. (2.1) and following, for a set
 * of one. */
void clup_sums_add(clup_sums *sums, double value)
{
    const double before = (double)sums->count++, n = (double)sums->count, off = value - sums->mean,
                 step = off / n, square = off * step * before;
    sums->mean += step;
    sums->fourths += square * step * step * (n * n - 3 * n + 3) + 6 * step * step * sums->squares -
                     4 * step * sums->cubes;
    sums->cubes += square * step * (n - 2) - 3 * step * sums->squares;
    sums->squares += square;
}

clup_sums clup_sums_of(const double *values, size_t count)
{
    double moments[3];
    const double mean = mean_of(values, count), n = (double)count;
    if (count == 0)
        return (clup_sums){0};
    moments_of(values, count, mean, moments);
    return (clup_sums){count, mean, n * moments[0], n * moments[1], n * moments[2]};
}

/* Eqs. (2.1) and following as well, for two sets of any size. */
void clup_sums_join(clup_sums *sums, const clup_sums *others)
{
    const double a = (double)sums->count, b = (double)others->count, n = a + b;
    if (others->count == 0 || sums->count == 0) {
        *sums = others->count == 0 ? *sums : *others;
        return;
    }
    const double off = others->mean - sums->mean, step = off / n, square = off * step * a * b;
    sums->fourths += others->fourths + square * step * step * (a * a - a * b + b * b) +
                     6 * step * step * (a * a * others->squares + b * b * sums->squares) +
                     4 * step * (a * others->cubes - b * sums->cubes);
    sums->cubes += others->cubes + square * step * (a - b) +
                   3 * step * (a * others->squares - b * sums->squares);
    sums->squares += others->squares + square;
    sums->mean += step * b;
    sums->count += others->count;
}

/* Estimates the number of events from the kurtosis, as values are not kept. The error has a
 * relative uncertainty of 1/(2 sqrt events). The variance of independent values, whose fourth
 * moment is kurtosis times its square, has that of sqrt((kurtosis - 1)/independent). */
static double events_of(double independent, double kurtosis)
{
    return kurtosis > 1 ? independent / (kurtosis - 1) : independent;
}

clup_estimate clup_sums_estimate(const clup_sums *sums)
{
    const double n = (double)sums->count;
    /* the variance has n - 1 degrees of freedom */
    const double moments[] = {sums->squares / (n - 1), sums->cubes / n, sums->fourths / n};
    if (sums->count < 2 || isnan(sums->mean))
        return (clup_estimate){sums->count > 0 ? sums->mean : NAN, NAN, 0.5, n, NAN, NAN, NAN, 0};
    if (!(sums->squares > 0))
        return (clup_estimate){sums->mean, 0, 0.5, n, 0, sums->mean, sums->mean, 0};
    clup_estimate estimate = clup_estimate_by(sums->mean, moments, 0.5, 0, n);
    estimate.events = events_of(n, n * sums->fourths / (sums->squares * sums->squares));
    return estimate;
}
