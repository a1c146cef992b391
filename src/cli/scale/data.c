/* SPDX-License-Identifier: BSD-3-Clause */
/* Values at several sizes, with their errors: at the temperatures that were simulated, where
 * systems are independent, or at others, with the covariance of reweighting; and of samples of
 * percolation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/scale/scale.h"

/* ---- values ---------------------------------------------------------------------------------- */

/* Analyses the observable or the expression of one system. */
static int analyse(scale_result *result, const scale_size *size, size_t file, uint32_t system,
                   const char *observable, clup_analysis *analysis)
{
    const clup_record *record = size->records[file];
    const clup_status status = clup_record_count(record, system) == 0 ? CLUP_OK
                               : observable != NULL
                                   ? clup_analysis_observable(record, system, observable, analysis)
                                   : clup_analysis_expression(
                                         record, system, result->request->expression, analysis);
    if (status == CLUP_ERROR_USAGE)
        return cli_usage_error("'%s': %s", size->files[file], clup_error_detail());
    if (status != CLUP_OK)
        return cli_fail(status);
    if (clup_record_count(record, system) == 0 || !(analysis->error > 0))
        return cli_usage_error("'%s', system %u: its %llu values have %s", size->files[file],
                               system, (unsigned long long)clup_record_count(record, system),
                               clup_record_count(record, system) > 3 && analysis->error == 0
                                   ? "no scatter, and so no error"
                                   : "no error: they are too few");
    result->short_count += analysis->is_short != 0;
    return 0;
}

static int collect_simulated(scale_result *result, const scale_size *size)
{
    const scale_request *request = result->request;
    for (size_t k = 0; k < size->count; k++) {
        const clup_problem *problem = clup_record_problem(size->records[k]);
        for (uint32_t r = 0; r < problem->replicas; r++) {
            const double beta = problem->betas[r], x = request->x->inverse ? 1 / beta : beta;
            clup_analysis analysis = {0};
            if (x < request->from || x > request->to)
                continue;
            if (!isfinite(x))
                return cli_usage_error("'%s', system %u has beta %g", size->files[k], r, beta);
            int code = analyse(result, size, k, r, request->observable, &analysis);
            const double variance = analysis.error * analysis.error;
            if (code != 0 || (code = scale_add(&result->fit, size->length, &x, &analysis.mean,
                                               &variance, 1, 0)) != 0)
                return code;
        }
    }
    return 0;
}

/* Returns the covariance of the means of two systems whose samples have the same random numbers. */
static double shared_covariance(const clup_record *record, uint32_t one, uint32_t other,
                                const char *observable, double mean_one, double mean_other)
{
    const double *a = clup_record_series(record, one, observable),
                 *b = clup_record_series(record, other, observable);
    const uint64_t n = clup_record_count(record, one), m = clup_record_count(record, other),
                   shared = n < m ? n : m;
    double sum = 0;
    for (uint64_t k = 0; k < shared; k++)
        sum += (a[k] - mean_one) * (b[k] - mean_other);
    return sum / (double)(shared - 1) * ((double)shared / ((double)n * (double)m));
}

/* The samples of percolation of a file: those of one number have the same random numbers at all p,
 * so that the means are correlated. */
static int collect_file(scale_result *result, const scale_size *size, size_t file,
                        uint32_t *systems, double *room)
{
    const scale_request *request = result->request;
    const clup_record *record = size->records[file];
    const clup_problem *problem = clup_record_problem(record);
    const size_t most = problem->replicas;
    double *x = room, *means = room + most, *covariance = means + most;
    uint64_t samples = UINT32_MAX;
    size_t count = 0;
    for (uint32_t r = 0; r < most; r++) {
        clup_analysis analysis = {0};
        if (problem->betas[r] < request->from || problem->betas[r] > request->to)
            continue;
        const int code = analyse(result, size, file, r, request->observable, &analysis);
        if (code != 0)
            return code;
        const uint64_t own = clup_record_count(record, r);
        samples = own < samples ? own : samples;
        systems[count] = r;
        x[count] = problem->betas[r];
        means[count++] = analysis.mean;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++)
            covariance[i * count + j] = covariance[j * count + i] = shared_covariance(
                record, systems[i], systems[j], request->observable, means[i], means[j]);
    return count == 0 ? 0
                      : scale_add(&result->fit, size->length, x, means, covariance, count,
                                  (unsigned)samples);
}

static int collect_samples(scale_result *result, const scale_size *size)
{
    int code = 0;
    for (size_t k = 0; k < size->count && code == 0; k++) {
        const size_t most = clup_record_problem(size->records[k])->replicas;
        uint32_t *systems = calloc(most, sizeof *systems);
        double *room = calloc(most * (most + 2), sizeof *room);
        code = systems != NULL && room != NULL ? collect_file(result, size, k, systems, room)
                                               : cli_fail_memory("the values");
        free(systems);
        free(room);
    }
    return code;
}

/* A quantity, or the derivative of NAME_slope, at other temperatures. */
static int reweight(const scale_size *size, const char *quantity, const double *betas, size_t count,
                    double *values, double *covariance)
{
    const size_t length = strlen(quantity), slope = strlen("_slope");
    const int is_slope = length > slope && strcmp(quantity + length - slope, "_slope") == 0;
    char name[SCALE_EXPRESSION];
    snprintf(name, sizeof name, "%.*s", (int)(is_slope ? length - slope : length), quantity);
    if (clup_reweighting_blocks(size->reweighting) == 0)
        return cli_usage_error("L = %g: series are too short for errors by the jackknife",
                               size->length);
    const clup_status status = clup_reweighting_covariance(
        size->reweighting, name, (unsigned)is_slope, betas, count, values, covariance);
    return status == CLUP_OK ? 0
           : status == CLUP_ERROR_USAGE
               ? cli_usage_error("L = %g: %s", size->length, clup_error_detail())
               : cli_fail(status);
}

/* Whether the energies that were sampled reach a temperature. */
static int covers(const scale_size *size, double beta)
{
    clup_coverage coverage = {0};
    return clup_reweighting_at(size->reweighting, beta, NULL, NULL, &coverage) == CLUP_OK &&
           coverage.covered;
}

static int collect_reweighted(scale_result *result, scale_size *size)
{
    const scale_request *request = result->request;
    const size_t most = request->beta_count;
    double *room = malloc(most * (most + 3) * sizeof *room);
    size_t count = 0;
    int code = room != NULL ? scale_reweighting(size) : cli_fail_memory("the temperatures");
    for (size_t k = 0; k < most && code == 0; k++) {
        const double x = request->x->inverse ? 1 / request->betas[k] : request->betas[k];
        if (!(x >= request->from && x <= request->to) || !covers(size, request->betas[k]))
            continue;
        room[count] = request->betas[k];
        room[most + count++] = x;
    }
    if (code == 0 && count > 0) {
        double *x = room + most, *values = x + most, *covariance = values + most;
        code = reweight(size,
                        request->observable != NULL ? request->observable : request->expression,
                        room, count, values, covariance);
        if (code == 0)
            code = scale_add(&result->fit, size->length, x, values, covariance, count,
                             clup_reweighting_blocks(size->reweighting));
    }
    free(room);
    return code;
}

static int open_fits(scale_fits *to)
{
    return clup_scaling_create(&to->scaling) == CLUP_OK ? 0 : cli_fail_memory("the sizes");
}

int scale_collect(scale_result *result)
{
    int code = open_fits(&result->fit);
    for (size_t k = 0; k < result->size_count && code == 0; k++)
        code = cli_interrupted()  ? cli_stopped("no fit was made")
               : result->disorder ? scale_collect_samples(result, &result->sizes[k], &result->fit,
                                                          result->request->observable, NAN, NULL)
               : result->request->x->percolation ? collect_samples(result, &result->sizes[k])
               : result->request->beta_count > 0 ? collect_reweighted(result, &result->sizes[k])
                                                 : collect_simulated(result, &result->sizes[k]);
    if (code == 0 && result->fit.point_count == 0)
        return cli_usage_error(result->request->beta_count > 0
                                   ? "the energies of no size reach the temperatures of --reweight"
                                   : "no system is in the range that --range gives");
    return code;
}

/* ---- laws ------------------------------------------------------------------------------------ */

static int can_reweight(const scale_size *size, const char *name)
{
    const size_t length = strlen(name), slope = strlen("_slope");
    const char *other;
    for (size_t row = 0; (other = clup_reweighting_name(size->reweighting, row)) != NULL; row++)
        if (strcmp(other, name) == 0 ||
            (length == strlen(other) + slope && strncmp(other, name, length - slope) == 0 &&
             strcmp(name + length - slope, "_slope") == 0))
            return 1;
    return 0;
}

static int has(const clup_record *record, uint32_t system, const char *name)
{
    const char *function;
    for (size_t row = 0; (function = clup_analysis_function(record, system, row)) != NULL; row++)
        if (strcmp(function, name) == 0)
            return 1;
    return clup_record_series(record, system, name) != NULL;
}

/* Adds the systems that were simulated at beta. */
static int collect_there(scale_result *result, const scale_size *size, scale_law *law, double beta,
                         int *known)
{
    for (size_t k = 0; k < size->count; k++) {
        const clup_problem *problem = clup_record_problem(size->records[k]);
        for (uint32_t r = 0; r < problem->replicas; r++) {
            clup_analysis analysis = {0};
            if (!(fabs(problem->betas[r] - beta) <= 1e-9 * beta) ||
                !has(size->records[k], r, law->name))
                continue;
            int code = analyse(result, size, k, r, law->name, &analysis);
            const double variance = analysis.error * analysis.error;
            if (code != 0 || (code = scale_add(&law->of, size->length, &beta, &analysis.mean,
                                               &variance, 1, 0)) != 0)
                return code;
            *known = 1;
        }
    }
    return 0;
}

int scale_collect_law(scale_result *result, scale_law *law, double beta, int *known)
{
    int code = open_fits(&law->of);
    *known = 0;
    for (size_t k = 0; k < result->size_count && code == 0; k++) {
        scale_size *size = &result->sizes[k];
        double value, variance;
        const int simulated = !result->request->x->percolation;
        if (result->disorder) {
            code = scale_collect_samples(result, size, &law->of, law->name, beta, known);
            continue;
        }
        if (simulated && (code = scale_reweighting(size)) != 0)
            break;
        if (!simulated || !can_reweight(size, law->name)) {
            code = collect_there(result, size, law, beta, known);
        } else if (!covers(size, beta)) {
            const size_t length = strlen(law->left_out);
            snprintf(law->left_out + length, sizeof law->left_out - length, "%s%g",
                     length > 0 ? ", " : "", size->length);
            *known = 1;
        } else {
            code = reweight(size, law->name, &beta, 1, &value, &variance);
            if (code == 0 && variance > 0)
                code = scale_add(&law->of, size->length, &beta, &value, &variance, 1,
                                 clup_reweighting_blocks(size->reweighting));
            *known = 1;
        }
    }
    return code;
}
