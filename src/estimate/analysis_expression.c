/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses an expression in the means of series, and functions of these, by the jackknife. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/blocks.h"
#include "estimate/expression.h"
#include "estimate/record.h"

/* What the names of an expression mean for a system. A row below the record's name_count is a
 * series, one from there on a function of means. */
typedef struct named {
    const clup_record *record;
    uint32_t system;
    clup_measured measured;
} named;

static bool find(const void *of, const char *name, size_t *row)
{
    const named *named = of;
    const clup_record *record = named->record;
    *row = clup_record_row(record, name);
    if (*row < record->name_count && record->systems[named->system].series[*row] != NULL)
        return true;
    for (unsigned o = 0; o < OBSERVED; o++)
        if (clup_record_determines(record, named->system, &named->measured, o) &&
            strcmp(name, clup_observable_name(o)) == 0) {
            *row = record->name_count + o;
            return true;
        }
    return false;
}

/* The series of an expression, and their means; and the means of all, for functions of them. */
typedef struct expressed {
    const clup_expression *expression;
    const named *named;
    const double *series[CLUP_EXPRESSION_NAMES]; /* NULL for a function */
    double means[CLUP_EXPRESSION_NAMES], whole;
    clup_means all;
    bool functions; /* some name is one */
    size_t count;
} expressed;

static double mean_of(const double *values, size_t count)
{
    double off = 0;
    for (size_t k = 0; k < count; k++)
        off += values[k] - values[0];
    return values[0] + off / (double)count;
}

static double function_of(const expressed *of, const clup_means *means, unsigned j)
{
    return clup_means_value(
        means, (clup_observable)(of->expression->rows[j] - of->named->record->name_count));
}

/* The value without sweeps first to end - 1. */
static double value_without(const expressed *of, size_t first, size_t end)
{
    double values[CLUP_EXPRESSION_NAMES];
    clup_means others = {0};
    if (of->functions)
        others = clup_measured_means_without(&of->named->measured, &of->all, first, end);
    for (unsigned j = 0; j < of->expression->row_count; j++) {
        double off = 0;
        for (size_t k = first; k < end && of->series[j] != NULL; k++)
            off += of->series[j][k] - of->means[j];
        values[j] = of->series[j] != NULL ? of->means[j] - off / (double)(of->count - (end - first))
                                          : function_of(of, &others, j);
    }
    return clup_expression_value(of->expression, of->named->measured.beta, values);
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

/* Fills series and means, and the value of the whole. */
static void fill(expressed *of)
{
    const clup_record *record = of->named->record;
    const record_system *system = &record->systems[of->named->system];
    double values[CLUP_EXPRESSION_NAMES];
    for (unsigned j = 0; j < of->expression->row_count; j++) {
        const size_t row = of->expression->rows[j];
        of->series[j] = row < record->name_count ? system->series[row] : NULL;
        of->functions |= of->series[j] == NULL;
    }
    if (of->functions)
        of->all = clup_measured_means(&of->named->measured);
    for (unsigned j = 0; j < of->expression->row_count; j++) {
        of->means[j] = of->series[j] != NULL ? mean_of(of->series[j], of->count) : 0;
        values[j] = of->series[j] != NULL ? of->means[j] : function_of(of, &of->all, j);
    }
    of->whole = clup_expression_value(of->expression, of->named->measured.beta, values);
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
    const named named = {record, system, clup_record_measured(record, system)};
    const clup_expression_names names = {&named, find, named.measured.sites,
                                         clup_record_length(&record->problem)};
    CLUP_TRY(clup_expression_read(text, &names, expression));
    expressed of = {expression, &named, .count = record->systems[system].count};
    if (of.count == 0) {
        status = clup_fail(CLUP_ERROR_USAGE, "a series of no values");
        goto done;
    }
    fill(&of);
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
