/* SPDX-License-Identifier: BSD-3-Clause */
/* Least squares for reports. */
#ifndef CLUP_BENCH_DRAW_FIT_H
#define CLUP_BENCH_DRAW_FIT_H
#include <stddef.h>

#include "clup.h"

/* Two parameters, each with one standard deviation. */
typedef struct bench_fit {
    double value[2], error[2];
    double rms; /* of the ratio of y to the fit, less 1 */
    unsigned points;
} bench_fit;

/* Fits need positive and finite x and y. CLUP_ERROR_USAGE, with a detail, for other values, for too
 * few points, and when all points have the same x or L/B. Points are weighted by their relative
 * errors; all weights are equal when relative_error is NULL or one of them is not positive. With
 * equal weights, the errors of the parameters follow from the scatter of the points, and are NAN
 * when there are as many points as parameters. Otherwise they follow from relative_error, and are
 * multiplied by the root of chi^2 over the degrees of freedom when that is above 1. */

/* y = A x^k, in logarithms: value[0] is A, value[1] is k. At least two points. */
clup_status bench_fit_power(const double *x, const double *y, const double *relative_error,
                            size_t count, bench_fit *fit);
/* y = A x^k with k = exponent, whose error is 0. At least one point. */
clup_status bench_fit_power_fixed(const double *x, const double *y, const double *relative_error,
                                  size_t count, double exponent, bench_fit *fit);
/* y = a/L + b/B, by relative deviations with equal weights: value[0] is a, value[1] is b. At least
 * two points. */
clup_status bench_fit_seams(const double *L, const double *B, const double *y, size_t count,
                            bench_fit *fit);

#endif
