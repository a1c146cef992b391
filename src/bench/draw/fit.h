/* SPDX-License-Identifier: BSD-3-Clause */
/* Least squares for reports. */
#ifndef CLUP_BENCH_DRAW_FIT_H
#define CLUP_BENCH_DRAW_FIT_H
#include <stddef.h>

#include "clup.h"

/* Two parameters, each with one standard deviation. */
typedef struct bench_fit {
    double value[2], error[2];
    double rms; /* of y over the fit, less 1 */
    unsigned points;
} bench_fit;

/* In all, x and y are positive and finite, and CLUP_ERROR_USAGE says what is not; also that there
 * are too few points, or that all have the same x or L/B. Points have weights by their relative
 * errors; the same where relative_error is NULL or one of them is not positive. Errors follow from
 * the scatter of the points where they have the same weights, NAN where there are as many points as
 * parameters; else from relative_error, and are larger by the root of chi^2 over the degrees of
 * freedom where that is above 1. */

/* y = A x^k, in logarithms: value[0] is A, value[1] is k. At least two points. */
clup_status bench_fit_power(const double *x, const double *y, const double *relative_error,
                            size_t count, bench_fit *fit);
/* The same with k = exponent, whose error is 0; one point is enough. */
clup_status bench_fit_power_fixed(const double *x, const double *y, const double *relative_error,
                                  size_t count, double exponent, bench_fit *fit);
/* y = a/L + b/B, by relative deviations with the same weights: value[0] is a, value[1] is b. At
 * least two points. */
clup_status bench_fit_seams(const double *L, const double *B, const double *y, size_t count,
                            bench_fit *fit);

#endif
