/* SPDX-License-Identifier: BSD-3-Clause */
/* Other temperatures: groups records of equal size, and compares the sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/analyse/analyse.h"

const char *const analyse_peaks[] = {"specific_heat", "susceptibility", NULL},
                  *const analyse_crossings[] = {"binder", "xi_over_l", NULL};

void analyse_size_text(const clup_problem *problem, char text[40])
{
    char size[CLUP_FIELD_TEXT];
    clup_problem_get(problem, "size", size);
    snprintf(text, 40, "%.39s",
             clup_graph_called(problem->graph) != NULL ? clup_graph_called(problem->graph) : size);
}

static int same_size(const clup_problem *a, const clup_problem *b)
{
    return a->graph == b->graph &&
           memcmp(a->size, b->size, clup_lattice_axes(a->lattice) * sizeof *a->size) == 0;
}

static double lowest(const analyse_result *result)
{
    double beta = INFINITY;
    for (uint32_t k = 0; k < result->beta_count; k++)
        beta = fmin(beta, result->betas[k]);
    return beta;
}

static double highest(const analyse_result *result)
{
    double beta = 0;
    for (uint32_t k = 0; k < result->beta_count; k++)
        beta = fmax(beta, result->betas[k]);
    return beta;
}

static clup_status fill(const analyse_result *result, analyse_scan *scan)
{
    const double from = lowest(result), to = highest(result);
    clup_status status = CLUP_OK;
    while (clup_reweighting_name(scan->reweighting, scan->rows) != NULL)
        scan->rows++;
    scan->values = calloc(result->beta_count, scan->rows * sizeof *scan->values);
    scan->errors = calloc(result->beta_count, scan->rows * sizeof *scan->errors);
    scan->coverage = calloc(result->beta_count, sizeof *scan->coverage);
    if (scan->values == NULL || scan->errors == NULL || scan->coverage == NULL)
        exit(cli_fail_memory("the temperatures"));
    for (uint32_t k = 0; k < result->beta_count && status == CLUP_OK; k++) {
        if (cli_interrupted())
            return CLUP_INTERRUPTED;
        status = clup_reweighting_at(scan->reweighting, result->betas[k],
                                     scan->values + k * scan->rows, scan->errors + k * scan->rows,
                                     &scan->coverage[k]);
    }
    for (size_t k = 0; analyse_peaks[k] != NULL; k++) {
        scan->peaks[k] = (clup_place){0, NAN, NAN, NAN, NAN, NAN, NAN, {0}};
        for (unsigned row = 0; row < scan->rows && to > from && status == CLUP_OK; row++)
            if (strcmp(clup_reweighting_name(scan->reweighting, row), analyse_peaks[k]) == 0) {
                scan->looked_for[k] = 1;
                status = clup_reweighting_peak(scan->reweighting, analyse_peaks[k], from, to,
                                               &scan->peaks[k]);
            }
    }
    return status;
}

/* Adds the scan of all records that have the size of record first, which must be the first of its
 * size. */
static clup_status add_scan(analyse_result *result, size_t first)
{
    const clup_record *records[ANALYSE_FILES];
    const clup_problem *problem = clup_record_problem(result->records[first]);
    size_t count = 0;
    for (size_t k = first; k < result->count; k++)
        if (same_size(problem, clup_record_problem(result->records[k])))
            records[count++] = result->records[k];
    analyse_scan *scan = &result->scans[result->scan_count];
    scan->problem = *problem;
    const clup_status status = clup_reweighting_create(records, count, &scan->reweighting);
    if (status != CLUP_OK)
        return status;
    result->scan_count++;
    return fill(result, scan);
}

static int compare_sites(const void *a, const void *b)
{
    const uint64_t x = clup_problem_sites(&((const analyse_scan *)a)->problem),
                   y = clup_problem_sites(&((const analyse_scan *)b)->problem);
    return x < y ? -1 : x > y;
}

static clup_status add_crossing(analyse_result *result, const char *name, const analyse_scan *a,
                                const analyse_scan *b)
{
    analyse_crossing *crossing = &result->crossings[result->crossing_count];
    int known = 0;
    for (unsigned row = 0; row < a->rows; row++)
        for (unsigned other = 0; other < b->rows; other++)
            known |= strcmp(clup_reweighting_name(a->reweighting, row), name) == 0 &&
                     strcmp(clup_reweighting_name(b->reweighting, other), name) == 0;
    if (!known || !(highest(result) > lowest(result)))
        return CLUP_OK;
    *crossing = (analyse_crossing){.name = name, .of = {a, b}};
    result->crossing_count++;
    return clup_reweighting_crossing(a->reweighting, b->reweighting, name, lowest(result),
                                     highest(result), &crossing->place);
}

clup_status analyse_reweight(analyse_result *result)
{
    clup_status status = CLUP_OK;
    result->scans = calloc(result->count, sizeof *result->scans);
    if (result->scans == NULL)
        exit(cli_fail_memory("the sizes"));
    for (size_t k = 0; k < result->count && status == CLUP_OK; k++) {
        size_t before = 0;
        while (before < k && !same_size(clup_record_problem(result->records[before]),
                                        clup_record_problem(result->records[k])))
            before++;
        if (before == k)
            status = add_scan(result, k);
    }
    qsort(result->scans, result->scan_count, sizeof *result->scans, compare_sites);
    for (size_t k = 1; k < result->scan_count; k++)
        for (size_t n = 0; analyse_crossings[n] != NULL && status == CLUP_OK; n++)
            status = add_crossing(result, analyse_crossings[n], &result->scans[k - 1],
                                  &result->scans[k]);
    return status;
}

void analyse_free(analyse_result *result)
{
    for (size_t k = 0; k < result->scan_count; k++) {
        clup_reweighting_free(result->scans[k].reweighting);
        free(result->scans[k].values);
        free(result->scans[k].errors);
        free(result->scans[k].coverage);
    }
    for (size_t k = 0; k < result->count; k++)
        clup_record_free(result->records[k]);
    free(result->scans);
    free(result);
}
