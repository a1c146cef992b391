/* SPDX-License-Identifier: BSD-3-Clause */
/* Autocorrelations of series. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/record.h"
#include "estimate/series.h"

static double at(const double *rho, size_t count, size_t t)
{
    return t < count ? rho[t] : 0;
}

/* The variance of rho(t) is the sum over k of (rho(k + t) + rho(k - t) - 2 rho(k) rho(t))^2/n. */
static double error_of(const double *rho, size_t count, size_t t, double n)
{
    double sum = 0;
    for (size_t k = 1; k < count + t; k++) {
        const double term = at(rho, count, k + t) + at(rho, count, k > t ? k - t : t - k) -
                            2 * at(rho, count, k) * rho[t];
        sum += term * term;
    }
    return sqrt(sum / n);
}

static clup_status correlate(const double *values, size_t n, uint64_t most, double *rho,
                             double *errors, uint64_t *count)
{
    size_t window;
    const double error = clup_series_estimate(values, n).error;
    if (!(error > 0))
        return CLUP_OK;
    clup_series_tau(values, n, &window);
    *count = window + 1 < most ? window + 1 : most;
    const clup_status status = clup_series_rho(values, n, (size_t)*count - 1, rho);
    for (size_t t = 0; t < *count && errors != NULL && status == CLUP_OK; t++)
        errors[t] = error_of(rho, (size_t)*count, t, (double)n);
    return status;
}

/* Finds a function of means that the series of a system determine; OBSERVED for none. */
static unsigned function_of(const clup_record *record, uint32_t system,
                            const clup_measured *measured, const char *name)
{
    unsigned o = 0;
    while (o < OBSERVED && (!clup_record_determines(record, system, measured, o) ||
                            strcmp(name, clup_observable_name(o)) != 0))
        o++;
    return o;
}

clup_status clup_analysis_correlation(const clup_record *record, uint32_t system, const char *name,
                                      uint64_t most, double *rho, double *errors, uint64_t *count)
{
    CLUP_NEED(record);
    CLUP_NEED(name);
    CLUP_NEED(rho);
    CLUP_NEED(count);
    *count = 0;
    if (system >= record->problem.replicas)
        return clup_fail(CLUP_ERROR_USAGE, "there is no system %u of %u", system,
                         record->problem.replicas);
    if (most == 0)
        return clup_fail(CLUP_ERROR_USAGE, "most is 0");
    const double *series = clup_record_series(record, system, name);
    if (series != NULL)
        return correlate(series, record->systems[system].count, most, rho, errors, count);
    const clup_measured measured = clup_record_measured(record, system);
    const unsigned function = function_of(record, system, &measured, name);
    if (function == OBSERVED)
        return clup_fail(CLUP_ERROR_USAGE, "system %u has no '%.80s'", system, name);
    const clup_means means = clup_measured_means(&measured);
    double *values = malloc(measured.count * sizeof *values);
    if (values == NULL)
        return clup_fail_memory("the autocorrelations");
    clup_measured_values(&measured, &means, (clup_observable)function, values);
    const clup_status status = correlate(values, measured.count, most, rho, errors, count);
    free(values);
    return status;
}
