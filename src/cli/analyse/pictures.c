/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of clup analyse, drawn by gnuplot as those of clup bench are. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/draw/plot.h"
#include "bench/result.h"
#include "bench/status.h"
#include "cli/analyse/analyse.h"

/* The labels of the axes. */
static const struct {
    const char *name, *label;
} labels[] = {
    {"energy", "energy a site, in units of J"},
    {"specific_heat", "specific heat a site, in units of k_B"},
    {"abs_m", "<|m|>"},
    {"m2", "<m^2>"},
    {"m4", "<m^4>"},
    {"susceptibility", "susceptibility, in units of 1/J"},
    {"binder", "1 - <m^4>/(3 <m^2>^2)"},
    {"m2_vector", "<m.m>, m the mean of the sites' unit vectors"},
    {"chi", "beta N <m.m>, in units of 1/J"},
    {"sk", "structure factor at the smallest wave vector"},
    {"xi", "correlation length, in sites"},
    {"xi_over_l", "correlation length over L"},
};

static const char *label_of(const char *name)
{
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++)
        if (strcmp(labels[k].name, name) == 0)
            return labels[k].label;
    return name;
}

/* Draws a plot unless it is empty; note keeps the first failure. */
static clup_status draw(const bench_plot *plot, const char *folder, char *note, size_t size)
{
    char text[600] = "";
    bool drawn;
    if (plot->count == 0 || plot->curves[0].count == 0)
        return CLUP_OK;
    const clup_status status = bench_plot_draw(plot, folder, &drawn, text, sizeof text);
    if (note[0] == '\0')
        snprintf(note, size, "%s", text);
    return status;
}

static unsigned row_of(const analyse_scan *scan, const char *name)
{
    unsigned row = 0;
    while (row < scan->rows && strcmp(scan->names[row], name) != 0)
        row++;
    return row;
}

/* Draws one observable against beta, with a curve for each size. With more temperatures than a
 * curve has points, takes some of them. Leaves out temperatures whose energies were not sampled. */
static clup_status draw_row(const analyse_result *result, const char *name, const char *file,
                            bench_curve *curves, const char *folder, char *note, size_t size)
{
    char title[120];
    bench_plot plot = {.name = file,
                       .title = title,
                       .x_label = "beta = J/(k_B T)",
                       .y_label = label_of(name),
                       .free_y = true,
                       .curves = curves};
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
    return draw(&plot, folder, note, size);
}

/* Draws the errors of an observable's mean against the size of bins, a curve for each system. */
static clup_status draw_bins(const analyse_result *result, const char *name, bench_curve *curves,
                             const char *folder, char *note, size_t size)
{
    char title[120], file[80];
    bench_plot plot = {.name = file,
                       .title = title,
                       .x_label = "values in a bin",
                       .y_label = "standard error of the mean",
                       .log_x = true,
                       .log_y = true,
                       .curves = curves};
    snprintf(title, sizeof title, "error of %s by bins: the plateau is the error", name);
    snprintf(file, sizeof file, "bins_%s", name);
    for (size_t k = 0; k < result->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(result->records[k]); r++) {
            const clup_record *record = result->records[k];
            const uint64_t count = clup_record_count(record, r);
            clup_analysis analysis;
            char text[40], number[32];
            if (clup_analysis_observable(record, r, name, &analysis) != CLUP_OK ||
                !(analysis.error > 0))
                continue;
            analyse_size_text(clup_record_problem(record), text);
            bench_curve *curve = bench_plot_add(
                &plot, BENCH_MEASURED, -1, "%s, beta %s", text,
                clup_number_text(clup_record_problem(record)->betas[r], number));
            for (unsigned level = 0; level < analysis.levels; level++) {
                const double bins = floor((double)count / pow(2, level));
                bench_curve_add(curve, pow(2, level), analysis.binning[level],
                                analysis.binning[level] / sqrt(2 * (bins - 1)));
            }
        }
    return draw(&plot, folder, note, size);
}

clup_status analyse_draw(const analyse_result *result, const char *folder, char *note, size_t size)
{
    const char *name;
    bench_curve *curves = malloc(BENCH_PLOT_CURVES * sizeof *curves);
    clup_status status = CLUP_OK;
    if (curves == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a picture");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = bench_fail(CLUP_ERROR_RUNTIME, "cannot make '%s': %s", folder, strerror(errno));
    for (size_t k = 0; status == CLUP_OK && (name = analyse_name(result->records[0], 0, k)) != NULL;
         k++)
        if (analyse_wants(result, name))
            status = draw_bins(result, name, curves, folder, note, size);
    for (unsigned row = 0;
         status == CLUP_OK && result->scan_count > 0 && row < result->scans[0].rows; row++) {
        const analyse_scan *scan = &result->scans[0];
        char file[80];
        if (row < scan->observables)
            snprintf(file, sizeof file, "%.70s", scan->names[row]);
        else
            snprintf(file, sizeof file, "expression_%u", row - scan->observables + 1);
        if (analyse_wants_row(result, scan, row))
            status = draw_row(result, scan->names[row], file, curves, folder, note, size);
    }
    free(curves);
    return status;
}
