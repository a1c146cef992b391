/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of histograms and free energies. */
#include <string.h>

#include "cli/analyse/pictures.h"

/* The most temperatures in a picture of a histogram. */
#define TEMPERATURES 8

/* Draws the shares of one observable, a curve for each temperature, or for some of many. With more
 * bins than a curve has points, some bins are drawn as one; temperatures whose energies were not
 * sampled are left out. */
static clup_status draw_histogram(const analyse_scan *scan, const analyse_histogram *of,
                                  const analyse_canvas *canvas)
{
    char title[160], file[120], size[40];
    const uint32_t together = (of->bins + BENCH_PLOT_POINTS - 1) / BENCH_PLOT_POINTS;
    bench_plot plot = {.name = file,
                       .title = title,
                       .x_label = analyse_label(of->name),
                       .y_label = "share of the values",
                       .free_y = true,
                       .curves = canvas->curves};
    analyse_size_text(&scan->problem, size);
    snprintf(title, sizeof title, "%s of %s, in bins of %.6g", of->name, size,
             together * of->width);
    /* the name of a graph may have any characters */
    for (char *at = size; *at != '\0'; at++)
        if (strchr("0123456789x", *at) == NULL)
            *at = '_';
    snprintf(file, sizeof file, "histogram_%s_%s", of->name, size);
    const uint32_t step = (scan->temperature_count + TEMPERATURES - 1) / TEMPERATURES;
    for (uint32_t k = 0; k < scan->temperature_count; k += step) {
        if (!scan->sampled[k].covered)
            continue;
        bench_curve *curve = bench_plot_add(&plot, BENCH_MEASURED, -1, "beta %.6g",
                                            scan->temperatures[k]);
        for (uint32_t bin = 0; bin < of->bins; bin += together) {
            double share = 0, error = 0;
            for (uint32_t n = bin; n < bin + together && n < of->bins; n++) {
                share += of->shares[(size_t)k * of->bins + n];
                error += of->errors[(size_t)k * of->bins + n];
            }
            bench_curve_add(curve, of->low + (bin + together / 2.) * of->width, share, error);
        }
    }
    return analyse_draw_plot(&plot, canvas);
}

static clup_status draw_ln_z(const analyse_result *result, const analyse_canvas *canvas)
{
    bench_plot plot = {.name = "ln_z",
                       .title = result->scans[0].absolute ? "ln Z a site"
                                                          : "ln Z a site, less that of the first",
                       .x_label = "beta = J/(k_B T)",
                       .y_label = "ln Z/N",
                       .free_y = true,
                       .curves = canvas->curves};
    for (size_t s = 0; s < result->scan_count; s++) {
        const analyse_scan *scan = &result->scans[s];
        const double sites = (double)clup_problem_real_sites(&scan->problem);
        const uint32_t step = (scan->temperature_count + BENCH_PLOT_POINTS - 1) / BENCH_PLOT_POINTS;
        char size[40];
        analyse_size_text(&scan->problem, size);
        bench_curve *curve = bench_plot_add(&plot, BENCH_MEASURED, -1, "%s", size);
        for (uint32_t k = 0; k < scan->temperature_count; k += step)
            if (scan->sampled[k].covered)
                bench_curve_add(curve, scan->temperatures[k], scan->ln_z[k] / sites,
                                scan->ln_z_errors[k] / sites);
    }
    return analyse_draw_plot(&plot, canvas);
}

clup_status analyse_draw_distributions(const analyse_result *result, const analyse_canvas *canvas)
{
    clup_status status = CLUP_OK;
    for (size_t s = 0; s < result->scan_count; s++)
        for (size_t k = 0; k < result->scans[s].histogram_count && status == CLUP_OK; k++)
            status = draw_histogram(&result->scans[s], &result->scans[s].histograms[k], canvas);
    if (status == CLUP_OK && result->want_ln_z && result->scan_count > 0)
        status = draw_ln_z(result, canvas);
    return status;
}
