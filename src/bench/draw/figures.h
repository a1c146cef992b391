/* SPDX-License-Identifier: BSD-3-Clause */
/* The pictures of a report. */
#ifndef CLUP_BENCH_DRAW_FIGURES_H
#define CLUP_BENCH_DRAW_FIGURES_H
#include "bench/draw/analysis.h"
#include "bench/draw/plot.h"

/* A picture: the suite it belongs to, its texts, and what puts curves into it. */
typedef struct bench_figure {
    const char *suite, *name, *title, *x_label, *y_label;
    bool log_x, log_y;
    const char *about; /* what is seen, under it */
    void (*curves)(const json_t *root, const bench_laws *laws, bench_plot *plot);
} bench_figure;
/* NULL past the end. */
const bench_figure *bench_figure_row(size_t row);

#endif
