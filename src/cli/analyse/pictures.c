/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of clup analyse, drawn by gnuplot as those of clup bench are. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/result.h"
#include "bench/status.h"
#include "cli/analyse/pictures.h"
#include "cli/records.h"
#include "cli/value.h"

static unsigned row_of(const analyse_scan *scan, const char *name)
{
    unsigned row = 0;
    while (row < scan->rows && strcmp(scan->names[row], name) != 0)
        row++;
    return row;
}

/* Marks a place on a curve, and prints it on the picture: sizes, beta and T = 1/beta. */
static void mark(bench_plot *plot, bench_curve *curve, const char *what, const clup_place *place)
{
    char beta[VALUE_TEXT], temperature[VALUE_TEXT];
    if (!place->found)
        return;
    value_text(place->beta, place->beta_error, beta);
    value_text(1 / place->beta, place->beta_error / place->beta / place->beta, temperature);
    bench_curve_add(curve, place->beta, place->value, place->value_error);
    bench_plot_note(plot, "%s: beta %s, T %s", what, beta, temperature);
}

/* Marks the crossings and the peaks of an observable. */
static void mark_places(const analyse_result *result, const char *name, bench_plot *plot)
{
    char sizes[2][40], what[120];
    bench_curve *curve = bench_plot_add(plot, BENCH_PAPER, -1, "crossings, peaks");
    for (size_t k = 0; k < result->crossing_count && curve != NULL; k++) {
        const analyse_crossing *crossing = &result->crossings[k];
        if (strcmp(crossing->name, name) != 0)
            continue;
        for (unsigned n = 0; n < 2; n++)
            analyse_size_text(&crossing->of[n]->problem, sizes[n]);
        snprintf(what, sizeof what, "%s, %s cross", sizes[0], sizes[1]);
        mark(plot, curve, what, &crossing->place);
    }
    for (size_t s = 0; s < result->scan_count && curve != NULL; s++)
        for (size_t k = 0; analyse_peaks[k] != NULL; k++) {
            if (strcmp(analyse_peaks[k], name) != 0)
                continue;
            analyse_size_text(&result->scans[s].problem, sizes[0]);
            snprintf(what, sizeof what, "%s, peak", sizes[0]);
            mark(plot, curve, what, &result->scans[s].peaks[k]);
        }
    if (curve != NULL && curve->count == 0)
        plot->count--;
}

/* Draws one observable against beta, with a curve for each size. With more temperatures than a
 * curve has points, takes some of them. Leaves out temperatures whose energies were not sampled. */
static clup_status draw_row(const analyse_result *result, const char *name, const char *file,
                            const analyse_canvas *canvas)
{
    char title[120];
    bench_plot plot = {.name = file,
                       .title = title,
                       .x_label = "beta = J/(k_B T)",
                       .y_label = analyse_label(name),
                       .free_y = true,
                       .curves = canvas->curves};
    snprintf(title, sizeof title, "%.100s, reweighted", name);
    const uint32_t step = (result->beta_count + BENCH_PLOT_POINTS - 1) / BENCH_PLOT_POINTS;
    for (size_t s = 0; s < result->scan_count; s++) {
        const analyse_scan *scan = &result->scans[s];
        const unsigned row = row_of(scan, name);
        char text[40];
        analyse_size_text(&scan->problem, text);
        if (row == scan->rows)
            continue;
        bench_curve *curve = bench_plot_add(&plot, BENCH_MEASURED, -1, "%s", text);
        for (uint32_t k = 0; k < result->beta_count; k += step)
            if (scan->coverage[k].covered)
                bench_curve_add(curve, result->betas[k], scan->values[k * scan->rows + row],
                                scan->errors[k * scan->rows + row]);
    }
    mark_places(result, name, &plot);
    return analyse_draw_plot(&plot, canvas);
}

/* Draws the errors of an observable's mean against the size of bins, a curve for each system. */
static clup_status draw_bins(const analyse_result *result, const char *name,
                             const analyse_canvas *canvas)
{
    char title[120], file[80];
    bench_plot plot = {.name = file,
                       .title = title,
                       .x_label = "values in a bin",
                       .y_label = "standard error of the mean",
                       .log_x = true,
                       .log_y = true,
                       .curves = canvas->curves};
    snprintf(title, sizeof title, "error of %s by bins: the plateau is the error", name);
    snprintf(file, sizeof file, "bins_%s", name);
    for (size_t k = 0; k < result->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(result->records[k]); r++) {
            const clup_record *record = result->records[k];
            const clup_problem *problem = clup_record_problem(record);
            const uint64_t count = clup_record_count(record, r);
            clup_analysis analysis;
            char text[40], number[32];
            if (clup_analysis_observable(record, r, name, &analysis) != CLUP_OK ||
                !(analysis.error > 0))
                continue;
            analyse_size_text(problem, text);
            bench_curve *curve = bench_plot_add(&plot, BENCH_MEASURED, -1, "%s, %s %s", text,
                                                cli_parameter(problem),
                                                clup_number_text(problem->betas[r], number));
            for (unsigned level = 0; level < analysis.levels; level++) {
                const double bins = floor((double)count / pow(2, level));
                bench_curve_add(curve, pow(2, level), analysis.binning[level],
                                analysis.binning[level] / sqrt(2 * (bins - 1)));
            }
        }
    return analyse_draw_plot(&plot, canvas);
}

/* Draws the autocorrelations of an observable, a curve for each system; of many distances, some. */
static clup_status draw_rho(const analyse_result *result, const char *name,
                            const analyse_canvas *canvas)
{
    char title[120], file[80];
    double rho[ANALYSE_DISTANCES], errors[ANALYSE_DISTANCES];
    bench_plot plot = {.name = file,
                       .title = title,
                       .x_label = "t, in measured values",
                       .y_label = "rho(t)",
                       .free_y = true,
                       .curves = canvas->curves};
    snprintf(title, sizeof title, "autocorrelations of %s, up to the window of tau_int", name);
    snprintf(file, sizeof file, "rho_%s", name);
    for (size_t k = 0; k < result->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(result->records[k]); r++) {
            const clup_record *record = result->records[k];
            const clup_problem *problem = clup_record_problem(record);
            uint64_t count;
            char text[40], number[32];
            if (clup_analysis_correlation(record, r, name, ANALYSE_DISTANCES, rho, errors,
                                          &count) != CLUP_OK ||
                count == 0)
                continue;
            analyse_size_text(problem, text);
            bench_curve *curve = bench_plot_add(&plot, BENCH_MEASURED, -1, "%s, %s %s", text,
                                                cli_parameter(problem),
                                                clup_number_text(problem->betas[r], number));
            for (uint64_t t = 0; t < count;
                 t += (count + BENCH_PLOT_POINTS - 1) / BENCH_PLOT_POINTS)
                bench_curve_add(curve, (double)t, rho[t], errors[t]);
        }
    return analyse_draw_plot(&plot, canvas);
}

clup_status analyse_draw(const analyse_result *result, const char *folder, char *note, size_t size)
{
    const char *name;
    const analyse_canvas canvas = {folder, malloc(BENCH_PLOT_CURVES * sizeof *canvas.curves), note,
                                   size};
    clup_status status = CLUP_OK;
    if (canvas.curves == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a picture");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = bench_fail(CLUP_ERROR_RUNTIME, "cannot make '%s': %s", folder, strerror(errno));
    for (size_t k = 0; status == CLUP_OK && (name = analyse_name(result->records[0], 0, k)) != NULL;
         k++)
        if (analyse_wants(result, name))
            status = draw_bins(result, name, &canvas);
    for (size_t k = 0; status == CLUP_OK && result->want_rho &&
                       (name = analyse_name(result->records[0], 0, k)) != NULL;
         k++)
        if (analyse_wants(result, name))
            status = draw_rho(result, name, &canvas);
    for (unsigned row = 0;
         status == CLUP_OK && result->scan_count > 0 && row < result->scans[0].rows; row++) {
        const analyse_scan *scan = &result->scans[0];
        char file[80];
        if (row < scan->observables)
            snprintf(file, sizeof file, "%.70s", scan->names[row]);
        else
            snprintf(file, sizeof file, "expression_%u", row - scan->observables + 1);
        if (analyse_wants_row(result, scan, row))
            status = draw_row(result, scan->names[row], file, &canvas);
    }
    if (status == CLUP_OK)
        status = analyse_draw_distributions(result, &canvas);
    free(canvas.curves);
    return status;
}
