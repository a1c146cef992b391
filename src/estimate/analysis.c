/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses the mean of a series: binning, jackknife, autocorrelations, covariances. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/blocks.h"
#include "estimate/estimate.h"
#include "estimate/record.h"
#include "estimate/series.h"

/* Fewer bins give no error. */
#define BINS_LEAST 16

unsigned clup_blocks_of(double count, double tau_int)
{
    const double tau = fmax(tau_int, 0.5), good = floor(count / (20 * tau)),
                 possible = floor(count / (2 * tau));
    const double blocks = good >= 16 ? good : possible < 16 ? possible : 16;
    return blocks < 4 ? 0 : blocks > CLUP_BLOCKS_MOST ? CLUP_BLOCKS_MOST : (unsigned)blocks;
}

double clup_jackknife_error(const double *without, unsigned blocks)
{
    double mean = 0, squares = 0;
    if (blocks < 2)
        return NAN;
    for (unsigned b = 0; b < blocks; b++)
        mean += (without[b] - without[0]) / blocks;
    mean += without[0];
    for (unsigned b = 0; b < blocks; b++)
        squares += (without[b] - mean) * (without[b] - mean);
    return sqrt(squares * (blocks - 1) / blocks);
}

/* Computes errors from bins of 1, 2, 4, .. values; their means overwrite the values. */
static void bin(double *values, size_t count, clup_analysis *analysis)
{
    for (size_t bins = count; bins >= BINS_LEAST && analysis->levels < CLUP_BINNING_LEVELS;
         bins /= 2) {
        double squares = 0, mean = 0;
        for (size_t k = 0; k < bins; k++)
            mean += (values[k] - values[0]) / (double)bins;
        mean += values[0];
        for (size_t k = 0; k < bins; k++)
            squares += (values[k] - mean) * (values[k] - mean);
        analysis->binning[analysis->levels++] = sqrt(squares / ((double)bins * (double)(bins - 1)));
        for (size_t k = 0; k < bins / 2; k++)
            values[k] = (values[2 * k] + values[2 * k + 1]) / 2;
    }
}

static void find_plateau(clup_analysis *analysis)
{
    const double *errors = analysis->binning;
    analysis->plateau = analysis->levels;
    for (unsigned k = analysis->levels; k-- > 0;)
        if (pow(8, k) > 2 * (double)analysis->count * pow(errors[k] / errors[0], 4))
            analysis->plateau = k;
    const unsigned last = analysis->levels - 1;
    analysis->binning_error = errors[analysis->plateau < last ? analysis->plateau : last];
}

/* The jackknife error of a mean, by the means without each block. */
static double block_error(const double *values, size_t count, double mean, unsigned blocks)
{
    double without[CLUP_BLOCKS_MOST];
    for (unsigned b = 0; b < blocks; b++) {
        const size_t first = clup_block_first(count, blocks, b),
                     end = clup_block_first(count, blocks, b + 1);
        double off = 0;
        for (size_t k = first; k < end; k++)
            off += values[k] - mean;
        without[b] = -off / (double)(count - (end - first));
    }
    return clup_jackknife_error(without, blocks);
}

clup_status clup_analysis_of(const double *values, uint64_t count, clup_analysis *analysis)
{
    CLUP_NEED(values);
    CLUP_NEED(analysis);
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "a series of no values");
    const clup_estimate estimate = clup_series_estimate(values, (size_t)count);
    size_t window;
    const double tau = clup_series_tau(values, (size_t)count, &window), n = (double)count;
    *analysis = (clup_analysis){.count = count,
                                .mean = estimate.mean,
                                .tau_int = estimate.tau_int,
                                .error = estimate.error,
                                .tau_error = NAN,
                                .naive_error = NAN,
                                .binning_error = NAN,
                                .jackknife_error = NAN,
                                .is_short = !(estimate.independent >= CLUP_INDEPENDENT_LEAST),
                                .low = estimate.low,
                                .high = estimate.high};
    if (isnan(estimate.error))
        return CLUP_OK;
    double *copy = malloc((size_t)count * sizeof *copy);
    if (copy == NULL)
        return clup_fail_memory("the analysis");
    for (uint64_t k = 0; k < count; k++)
        copy[k] = values[k];
    analysis->naive_error = estimate.error / sqrt(2 * tau);
    analysis->tau_error = estimate.error > 0
                              ? tau * sqrt(4 / n * fmax(0, (double)window + 0.5 - tau))
                              : 0;
    bin(copy, (size_t)count, analysis);
    if (analysis->levels > 0)
        find_plateau(analysis);
    analysis->blocks = clup_blocks_of(n, tau);
    if (analysis->blocks > 1)
        analysis->jackknife_error = block_error(values, (size_t)count, estimate.mean,
                                                analysis->blocks);
    free(copy);
    return CLUP_OK;
}

/* ---- functions of means ------------------------------------------------------------------- */

const char *clup_analysis_function(const clup_record *record, uint32_t system, size_t row)
{
    if (record == NULL || system >= record->problem.replicas)
        return NULL;
    const clup_measured measured = clup_record_measured(record, system);
    for (unsigned o = 0; o < OBSERVED; o++)
        if (clup_record_determines(record, system, &measured, o) && row-- == 0)
            return clup_observable_name(o);
    return NULL;
}

/* Moves the analysis of a function's pseudo-values to the function's value, and removes its
 * bias. */
static void move(const clup_measured *measured, clup_observable observable, double whole,
                 clup_analysis *analysis)
{
    clup_estimate estimate = {.mean = analysis->mean,
                              .error = analysis->error,
                              .low = analysis->low,
                              .high = analysis->high};
    clup_measured_move(measured, observable, whole, &estimate);
    const double factor = analysis->error > 0 ? estimate.error / analysis->error : 1;
    analysis->mean = estimate.mean;
    analysis->error = estimate.error;
    analysis->low = estimate.low;
    analysis->high = estimate.high;
    analysis->bias = estimate.bias;
    analysis->naive_error *= factor;
    analysis->binning_error *= factor;
    analysis->jackknife_error *= factor;
    for (unsigned k = 0; k < analysis->levels; k++)
        analysis->binning[k] *= factor;
}

/* Analyses a function of means by its pseudo-values; the jackknife error alone is from its values
 * without each block. */
static clup_status analyse_function(const clup_measured *measured, clup_observable observable,
                                    clup_analysis *analysis)
{
    const clup_means means = clup_measured_means(measured);
    const double whole = clup_means_value(&means, observable);
    double *values = malloc(measured->count * sizeof *values), without[CLUP_BLOCKS_MOST];
    if (values == NULL)
        return clup_fail_memory("the analysis");
    clup_measured_values(measured, &means, observable, values);
    const clup_status status = clup_analysis_of(values, measured->count, analysis);
    free(values);
    if (status != CLUP_OK)
        return status;
    if (analysis->blocks > 1) {
        clup_measured_without(measured, &means, observable, analysis->blocks, without);
        analysis->jackknife_error = clup_jackknife_error(without, analysis->blocks);
    }
    move(measured, observable, whole, analysis);
    return CLUP_OK;
}

clup_status clup_analysis_observable(const clup_record *record, uint32_t system, const char *name,
                                     clup_analysis *analysis)
{
    CLUP_NEED(record);
    CLUP_NEED(name);
    CLUP_NEED(analysis);
    const double *values = clup_record_series(record, system, name);
    if (values != NULL)
        return clup_analysis_of(values, clup_record_count(record, system), analysis);
    if (system >= record->problem.replicas)
        return clup_fail(CLUP_ERROR_USAGE, "there is no system %u of %u", system,
                         record->problem.replicas);
    const clup_measured measured = clup_record_measured(record, system);
    for (unsigned o = 0; o < OBSERVED; o++)
        if (clup_record_determines(record, system, &measured, o) &&
            strcmp(name, clup_observable_name(o)) == 0)
            return analyse_function(&measured, o, analysis);
    return clup_fail(CLUP_ERROR_USAGE, "system %u has no '%.80s'", system, name);
}

/* ---- covariance ------------------------------------------------------------------------------ */

/* Sets means[blocks] of each series: the mean of each block, less the mean of all. */
static void block_means(const double *values, size_t count, unsigned blocks, double *means)
{
    double all = 0;
    for (size_t k = 0; k < count; k++)
        all += (values[k] - values[0]) / (double)count;
    for (unsigned b = 0; b < blocks; b++) {
        const size_t first = clup_block_first(count, blocks, b),
                     end = clup_block_first(count, blocks, b + 1);
        means[b] = 0;
        for (size_t k = first; k < end; k++)
            means[b] += (values[k] - values[0] - all) / (double)(end - first);
    }
}

clup_status clup_analysis_covariance(const clup_record *record, uint32_t number, double *matrix,
                                     unsigned *used)
{
    CLUP_NEED(record);
    CLUP_NEED(matrix);
    if (number >= record->problem.replicas)
        return clup_fail(CLUP_ERROR_USAGE, "there is no system %u of %u", number,
                         record->problem.replicas);
    const record_system *system = &record->systems[number];
    const size_t n = record->name_count;
    double longest = 0.5;
    for (size_t k = 0; k < n; k++) {
        size_t window;
        if (system->series[k] == NULL)
            return clup_fail(CLUP_ERROR_USAGE, "system %u has no '%s'", number, record->names[k]);
        longest = fmax(longest, clup_series_tau(system->series[k], system->count, &window));
    }
    const unsigned blocks = clup_blocks_of((double)system->count, longest);
    if (used != NULL)
        *used = blocks;
    double *means = malloc((n * blocks + 1) * sizeof *means);
    if (means == NULL)
        return clup_fail_memory("the covariance");
    for (size_t k = 0; k < n && blocks > 0; k++)
        block_means(system->series[k], system->count, blocks, means + k * blocks);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (unsigned b = 0; b < blocks; b++)
                sum += means[i * blocks + b] * means[j * blocks + b];
            matrix[i * n + j] = blocks > 1 ? sum / ((double)blocks * (blocks - 1)) : NAN;
        }
    free(means);
    return CLUP_OK;
}
