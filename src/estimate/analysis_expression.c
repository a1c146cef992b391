/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses an expression in the means of series, by the jackknife. */
#include <math.h>
#include <stdlib.h>

#include "estimate/blocks.h"
#include "estimate/expression.h"

/* The series of an expression, and their means. */
typedef struct expressed {
    const clup_expression *expression;
    const double *series[CLUP_EXPRESSION_NAMES];
    double means[CLUP_EXPRESSION_NAMES], whole;
    size_t count;
} expressed;

static double mean_of(const double *values, size_t count)
{
    double off = 0;
    for (size_t k = 0; k < count; k++)
        off += values[k] - values[0];
    return values[0] + off / (double)count;
}

/* The value without sweeps first to end - 1. */
static double value_without(const expressed *of, size_t first, size_t end)
{
    double means[CLUP_EXPRESSION_NAMES];
    for (unsigned j = 0; j < of->expression->row_count; j++) {
        double off = 0;
        for (size_t k = first; k < end; k++)
            off += of->series[j][k] - of->means[j];
        means[j] = of->means[j] - off / (double)(of->count - (end - first));
    }
    return clup_expression_value(of->expression, means);
}

/* Analyses pseudo-values less the whole value, see clup_measured_values(). */
static clup_status analyse(const expressed *of, clup_analysis *analysis)
{
    const double n = (double)of->count;
    double *values = malloc(of->count * sizeof *values), without[CLUP_BLOCKS_MOST];
    if (values == NULL)
        return clup_fail_memory("the analysis");
    for (size_t k = 0; k < of->count; k++)
        values[k] = of->count > 1 ? (n - 1) * (of->whole - value_without(of, k, k + 1)) : 0;
    const clup_status status = clup_analysis_of(values, of->count, analysis);
    free(values);
    if (status != CLUP_OK)
        return status;
    for (unsigned b = 0; b < analysis->blocks; b++)
        without[b] = value_without(of, clup_block_first(of->count, analysis->blocks, b),
                                   clup_block_first(of->count, analysis->blocks, b + 1));
    if (analysis->blocks > 1)
        analysis->jackknife_error = clup_jackknife_error(without, analysis->blocks);
    analysis->low += of->whole - analysis->mean;
    analysis->high += of->whole - analysis->mean;
    analysis->mean = of->whole;
    return CLUP_OK;
}

clup_status clup_analysis_expression(const clup_record *record, uint32_t system, const char *text,
                                     clup_analysis *analysis)
{
    CLUP_NEED(record);
    CLUP_NEED(text);
    clup_status status = CLUP_OK;
    if (system >= record->problem.replicas)
        return clup_fail(CLUP_ERROR_USAGE, "there is no system %u of %u", system,
                         record->problem.replicas);
    clup_expression *expression = malloc(sizeof *expression);
    if (expression == NULL)
        return clup_fail_memory("the expression");
    CLUP_TRY(clup_expression_read(text, record, system, expression));
    expressed of = {expression, .count = record->systems[system].count};
    if (of.count == 0) {
        status = clup_fail(CLUP_ERROR_USAGE, "a series of no values");
        goto done;
    }
    for (unsigned j = 0; j < expression->row_count; j++) {
        of.series[j] = record->systems[system].series[expression->rows[j]];
        of.means[j] = mean_of(of.series[j], of.count);
    }
    of.whole = clup_expression_value(expression, of.means);
    if (isnan(of.whole)) {
        status = clup_fail(CLUP_ERROR_USAGE, "'%.200s' has no value at the means of system %u",
                           text, system);
        goto done;
    }
    if (analysis != NULL)
        status = analyse(&of, analysis);
done:
    free(expression);
    return status;
}
