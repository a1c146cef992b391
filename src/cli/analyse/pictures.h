/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of clup analyse. */
#ifndef CLUP_CLI_ANALYSE_PICTURES_H
#define CLUP_CLI_ANALYSE_PICTURES_H
#include "bench/draw/plot.h"
#include "cli/analyse/analyse.h"

/* Where pictures go: curves[BENCH_PLOT_CURVES] is room for one, note keeps the first failure. */
typedef struct analyse_canvas {
    const char *folder;
    bench_curve *curves;
    char *note;
    size_t size;
} analyse_canvas;

/* The label of an axis with an observable; its name where there is none. */
const char *analyse_label(const char *name);
/* Draws a plot unless it is empty. */
clup_status analyse_draw_plot(const bench_plot *plot, const analyse_canvas *canvas);
/* Draws histograms, a picture for each size and observable, and ln Z. */
clup_status analyse_draw_distributions(const analyse_result *result, const analyse_canvas *canvas);

#endif
