/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of curves, drawn by gnuplot. */
#ifndef CLUP_BENCH_DRAW_PLOT_H
#define CLUP_BENCH_DRAW_PLOT_H
#include <stdbool.h>
#include <stddef.h>

#include "clup.h"

typedef enum bench_mark {
    BENCH_MEASURED, /* points with error bars, and a thin line */
    BENCH_FIT,      /* a line alone */
    BENCH_PAPER     /* the paper's: large open marks of one colour */
} bench_mark;

#define BENCH_PLOT_POINTS 128
typedef struct bench_curve {
    char name[96]; /* the text of the legend; no entry when empty */
    bench_mark mark;
    int of; /* the curve that a fit belongs to, and whose colour it gets; -1 for none */
    size_t count;
    double x[BENCH_PLOT_POINTS], y[BENCH_PLOT_POINTS], error[BENCH_PLOT_POINTS];
} bench_curve;

#define BENCH_PLOT_CURVES 24
#define BENCH_PLOT_NOTES 8
typedef struct bench_plot {
    const char *name;  /* of its files, without extension */
    const char *title; /* plain text, as are the other texts */
    const char *x_label, *y_label;
    bool log_x, log_y;
    bool free_y; /* a y axis that is not logarithmic need not begin at 0 */
    size_t count;
    bench_curve *curves;               /* curves[BENCH_PLOT_CURVES] */
    char notes[BENCH_PLOT_NOTES][160]; /* lines of text at the top of the picture */
    size_t note_count;
} bench_plot;

/* Adds a curve without points; NULL when there are too many. */
bench_curve *bench_plot_add(bench_plot *plot, bench_mark mark, int of, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a line of text; the last that fits ends with "..". */
void bench_plot_note(bench_plot *plot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bench_curve_add(bench_curve *curve, double x, double y, double error);

/* Writes folder/NAME.gp and runs gnuplot on it in the folder, which makes NAME.svg and NAME.png.
 * *drawn tells whether that succeeded; when gnuplot is not installed or failed, note says so.
 * CLUP_ERROR_RUNTIME when the script cannot be written. */
clup_status bench_plot_draw(const bench_plot *plot, const char *folder, bool *drawn, char *note,
                            size_t size);

#endif
