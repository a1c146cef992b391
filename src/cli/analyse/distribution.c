/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes histograms, free energies and double peaks of clup analyse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/analyse/analyse.h"

int analyse_scans(const analyse_result *result)
{
    return result->beta_count > 0 || result->histograms != NULL || result->want_ln_z;
}

const char *analyse_double_peak_reason(const analyse_scan *scan)
{
    return scan->double_peak.found                           ? NULL
           : isnan(scan->double_peak.from)                   ? "no data there"
           : clup_reweighting_blocks(scan->reweighting) == 0 ? "series are too short for errors"
                                                             : "no double peak";
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Allocates numbers, one for each temperature and column. */
static double *numbers(const analyse_scan *scan, size_t columns)
{
    double *made = calloc((size_t)scan->temperature_count * columns + 1, sizeof *made);
    if (made == NULL)
        exit(cli_fail_memory("the distributions"));
    return made;
}

/* Lists the temperatures of the systems and of --reweight, each once. */
static clup_status list_temperatures(const analyse_result *result, analyse_scan *scan)
{
    size_t count = result->beta_count, at = 0;
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < scan->record_count; k++)
        count += clup_record_systems(scan->records[k]);
    scan->temperatures = calloc(count, sizeof *scan->temperatures);
    scan->sampled = calloc(count, sizeof *scan->sampled);
    if (scan->temperatures == NULL || scan->sampled == NULL)
        exit(cli_fail_memory("the temperatures"));
    for (uint32_t k = 0; k < result->beta_count; k++)
        scan->temperatures[at++] = result->betas[k];
    for (size_t k = 0; k < scan->record_count; k++)
        for (uint32_t r = 0; r < clup_record_systems(scan->records[k]); r++)
            scan->temperatures[at++] = clup_record_problem(scan->records[k])->betas[r];
    qsort(scan->temperatures, count, sizeof *scan->temperatures, compare);
    for (size_t k = 0; k < count; k++)
        if (k == 0 ||
            scan->temperatures[k] > scan->temperatures[scan->temperature_count - 1] + 1e-12)
            scan->temperatures[scan->temperature_count++] = scan->temperatures[k];
    for (uint32_t k = 0; k < scan->temperature_count && status == CLUP_OK; k++)
        status = clup_reweighting_at(scan->reweighting, scan->temperatures[k], NULL, NULL,
                                     &scan->sampled[k]);
    return status;
}

static clup_status add_histogram(analyse_scan *scan, const char *name, uint32_t bins)
{
    analyse_histogram *to = &scan->histograms[scan->histogram_count];
    clup_histogram *histogram;
    clup_status status = clup_histogram_create(scan->reweighting, scan->records, scan->record_count,
                                               name, bins, &histogram);
    if (status != CLUP_OK)
        return status;
    snprintf(to->name, sizeof to->name, "%s", name);
    to->bins = clup_histogram_bins(histogram, &to->low, &to->width);
    to->shares = numbers(scan, to->bins);
    to->errors = numbers(scan, to->bins);
    scan->histogram_count++;
    for (uint32_t k = 0; k < scan->temperature_count && status == CLUP_OK; k++)
        status = cli_interrupted() ? CLUP_INTERRUPTED
                                   : clup_histogram_at(histogram, scan->temperatures[k],
                                                       to->shares + (size_t)k * to->bins,
                                                       to->errors + (size_t)k * to->bins);
    clup_histogram_free(histogram);
    return status;
}

static clup_status add_ln_z(analyse_scan *scan)
{
    double hot = 0;
    clup_status status = CLUP_OK;
    scan->ln_z = numbers(scan, 1);
    scan->ln_z_errors = numbers(scan, 1);
    scan->absolute = clup_reweighting_ln_z_hot(scan->reweighting, &hot) == CLUP_OK;
    const double from = scan->absolute ? 0 : scan->temperatures[0];
    for (uint32_t k = 0; k < scan->temperature_count && status == CLUP_OK; k++) {
        status = clup_reweighting_ln_z(scan->reweighting, from, scan->temperatures[k],
                                       &scan->ln_z[k], &scan->ln_z_errors[k]);
        scan->ln_z[k] += hot;
    }
    return status;
}

static clup_status add_double_peak(const analyse_result *result, analyse_scan *scan, double from,
                                   double to)
{
    clup_histogram *histogram;
    clup_status status = clup_histogram_create(scan->reweighting, scan->records, scan->record_count,
                                               "energy", result->bins, &histogram);
    if (status != CLUP_OK)
        return status;
    status = clup_histogram_double_peak(histogram, from, to, &scan->double_peak);
    clup_histogram_free(histogram);
    return status;
}

clup_status analyse_distribute(const analyse_result *result, analyse_scan *scan, double from,
                               double to)
{
    clup_status status = CLUP_OK;
    char name[64];
    size_t count = 0;
    if (result->histograms != NULL || result->want_ln_z)
        status = list_temperatures(result, scan);
    while (analyse_item(result->histograms, count, name))
        count++;
    if ((scan->histograms = calloc(count + 1, sizeof *scan->histograms)) == NULL)
        exit(cli_fail_memory("the distributions"));
    for (size_t k = 0; k < count && status == CLUP_OK; k++) {
        analyse_item(result->histograms, k, name);
        status = add_histogram(scan, name, result->bins);
    }
    if (status == CLUP_OK && result->want_ln_z)
        status = add_ln_z(scan);
    if (status == CLUP_OK && result->want_double_peaks)
        status = add_double_peak(result, scan, from, to);
    return status;
}

void analyse_distribution_free(analyse_scan *scan)
{
    for (size_t k = 0; k < scan->histogram_count; k++) {
        free(scan->histograms[k].shares);
        free(scan->histograms[k].errors);
    }
    free(scan->histograms);
    free(scan->temperatures);
    free(scan->sampled);
    free(scan->ln_z);
    free(scan->ln_z_errors);
}
