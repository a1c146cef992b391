/* SPDX-License-Identifier: BSD-3-Clause */
/* Least squares with two parameters. Deviations are relative, as times span decades. */
#include "bench/draw/fit.h"

#include <math.h>
#include <stdbool.h>

#include "bench/status.h"

static clup_status check(const double *values, size_t count, const char *what)
{
    for (size_t k = 0; k < count; k++)
        if (!(values[k] > 0) || !isfinite(values[k]))
            return bench_fail(CLUP_ERROR_USAGE,
                              "a fit takes positive numbers, but %s of point %zu is %g", what, k,
                              values[k]);
    return CLUP_OK;
}

static clup_status check_points(const double *x, const double *y, size_t count, size_t least)
{
    if (count < least)
        return bench_fail(CLUP_ERROR_USAGE, "a fit of %zu points needs %zu", count, least);
    const clup_status status = check(x, count, "x");
    return status != CLUP_OK ? status : check(y, count, "y");
}

/* Whether points are weighted by their own errors. */
static bool weighted(const double *relative_error, size_t count)
{
    for (size_t k = 0; relative_error != NULL && k < count; k++)
        if (!(relative_error[k] > 0) || !isfinite(relative_error[k]))
            return false;
    return relative_error != NULL;
}

static double weight_of(const double *relative_error, bool own, size_t k)
{
    return own ? 1 / (relative_error[k] * relative_error[k]) : 1;
}

/* The variance of a point with weight 1. */
static double variance_of(double squares, size_t count, unsigned parameters, bool own)
{
    const double freedom = (double)count - parameters;
    if (own)
        return freedom > 0 && squares > freedom ? squares / freedom : 1;
    return freedom > 0 ? squares / freedom : NAN;
}

/* Fits log y = log A + k log x, around the mean of log x. */
static clup_status fit_logarithms(const double *x, const double *y, const double *relative_error,
                                  size_t count, const double *exponent, bench_fit *fit)
{
    const bool own = weighted(relative_error, count);
    double sum = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0, squares = 0, rms = 0;
    for (size_t k = 0; k < count; k++) {
        const double weight = weight_of(relative_error, own, k);
        sum += weight;
        mean_x += weight * log(x[k]);
        mean_y += weight * log(y[k]);
    }
    mean_x /= sum;
    mean_y /= sum;
    for (size_t k = 0; k < count; k++) {
        const double weight = weight_of(relative_error, own, k), from = log(x[k]) - mean_x;
        xx += weight * from * from;
        xy += weight * from * (log(y[k]) - mean_y);
    }
    if (exponent == NULL && !(xx > 1e-20 * sum * (1 + mean_x * mean_x)))
        return bench_fail(CLUP_ERROR_USAGE, "a fit of a power law needs two different x");
    const double power = exponent != NULL ? *exponent : xy / xx,
                 logarithm = mean_y - power * mean_x;
    for (size_t k = 0; k < count; k++) {
        const double off = log(y[k]) - logarithm - power * log(x[k]);
        squares += weight_of(relative_error, own, k) * off * off;
        rms += expm1(off) * expm1(off);
    }
    const double variance = variance_of(squares, count, exponent != NULL ? 1 : 2, own);
    *fit = (bench_fit){.value = {exp(logarithm), power},
                       .error = {exp(logarithm) * sqrt(variance / sum), 0},
                       .rms = sqrt(rms / (double)count),
                       .points = (unsigned)count};
    if (exponent == NULL) {
        fit->error[0] = exp(logarithm) * sqrt(variance * (1 / sum + mean_x * mean_x / xx));
        fit->error[1] = sqrt(variance / xx);
    }
    return CLUP_OK;
}

clup_status bench_fit_power(const double *x, const double *y, const double *relative_error,
                            size_t count, bench_fit *fit)
{
    const clup_status status = check_points(x, y, count, 2);
    return status != CLUP_OK ? status : fit_logarithms(x, y, relative_error, count, NULL, fit);
}

clup_status bench_fit_power_fixed(const double *x, const double *y, const double *relative_error,
                                  size_t count, double exponent, bench_fit *fit)
{
    const clup_status status = check_points(x, y, count, 1);
    return status != CLUP_OK ? status : fit_logarithms(x, y, relative_error, count, &exponent, fit);
}

clup_status bench_fit_seams(const double *L, const double *B, const double *y, size_t count,
                            bench_fit *fit)
{
    double aa = 0, ab = 0, bb = 0, ay = 0, by = 0, squares = 0, rms = 0;
    clup_status status = check_points(L, y, count, 2);
    if (status == CLUP_OK)
        status = check(B, count, "B");
    if (status != CLUP_OK)
        return status;
    for (size_t k = 0; k < count; k++) {
        const double u = 1 / (L[k] * y[k]), v = 1 / (B[k] * y[k]);
        aa += u * u;
        ab += u * v;
        bb += v * v;
        ay += u;
        by += v;
    }
    const double det = aa * bb - ab * ab;
    if (!(det > 1e-12 * aa * bb))
        return bench_fail(CLUP_ERROR_USAGE, "a fit of seams needs two different L/B");
    const double a = (ay * bb - by * ab) / det, b = (by * aa - ay * ab) / det;
    for (size_t k = 0; k < count; k++) {
        const double fitted = a / L[k] + b / B[k];
        squares += (fitted / y[k] - 1) * (fitted / y[k] - 1);
        rms += (y[k] / fitted - 1) * (y[k] / fitted - 1);
    }
    const double variance = variance_of(squares, count, 2, false);
    *fit = (bench_fit){.value = {a, b},
                       .error = {sqrt(variance * bb / det), sqrt(variance * aa / det)},
                       .rms = sqrt(rms / (double)count),
                       .points = (unsigned)count};
    return CLUP_OK;
}
