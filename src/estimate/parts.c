/* SPDX-License-Identifier: BSD-3-Clause */
/* Series of several equal systems: see parts.h. */
#include "estimate/parts.h"

#include <math.h>

#include "estimate/distributions.h"
#include "estimate/interval.h"

clup_part clup_part_of(const double *values, size_t count)
{
    size_t window;
    const clup_estimate estimate = clup_series_estimate_window(values, count, &window);
    return (clup_part){.sums = clup_sums_of(values, count),
                       .tau = estimate.tau_int,
                       .window = (double)window,
                       .events = estimate.events};
}

void clup_parts_add(clup_parts *parts, const clup_part *part)
{
    clup_sums_join(&parts->values, &part->sums);
    clup_sums_add(&parts->means, part->sums.mean);
    parts->squares += part->sums.squares;
    parts->taus += part->sums.squares * part->tau;
    parts->windows += part->sums.squares * part->window;
    parts->independent += (double)part->sums.count / fmax(1, 2 * part->tau);
    parts->events += part->events;
    parts->unknown |= isnan(part->tau);
}

/* The variance, tau and window of all series, as those of one. */
static clup_spread spread_of(const clup_parts *parts, double *variance)
{
    const double n = (double)parts->values.count, square = parts->values.squares / n;
    *variance = parts->squares / n;
    return (clup_spread){n, parts->taus / parts->squares, parts->windows / parts->squares,
                         parts->values.cubes / n / (square * sqrt(square)),
                         parts->values.fourths / n / (square * square)};
}

clup_estimate clup_parts_estimate(const clup_parts *parts)
{
    const double mean = parts->values.mean, n = (double)parts->values.count;
    double variance;
    if (parts->unknown || isnan(mean) || n == 0)
        return clup_estimate_of_mean(n > 0 ? mean : NAN);
    if (!(parts->squares > 0))
        return (clup_estimate){mean, 0, 0.5, n, 0, mean, mean, 0};
    const clup_spread spread = spread_of(parts, &variance);
    const double moments[] = {variance, parts->values.cubes / n, parts->values.fourths / n};
    clup_estimate estimate = clup_estimate_by(mean, moments, spread.tau, spread.window, n);
    estimate.independent = parts->independent;
    estimate.events = parts->events;
    return estimate;
}

void clup_parts_compare(const clup_parts *parts, clup_average *average)
{
    /* the squares of the deviations of the means, each times the length of its series */
    const double between = fmax(0, parts->values.squares - parts->squares);
    double variance;
    average->freedom = (double)parts->means.count - 1;
    average->chi2 = average->probability = NAN;
    if (parts->unknown || parts->means.count < 2 || isnan(parts->values.mean))
        return;
    if (!(parts->squares > 0)) {
        if (parts->means.squares > 0)
            average->chi2 = INFINITY, average->probability = 0;
        return;
    }
    const clup_spread spread = spread_of(parts, &variance);
    average->chi2 = between / (2 * spread.tau * variance);
    average->probability = clup_f_above(average->chi2 / average->freedom, average->freedom,
                                        clup_spread_freedom(&spread));
}
