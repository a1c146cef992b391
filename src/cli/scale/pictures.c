/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of clup scale, drawn by gnuplot as those of clup bench are. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/draw/plot.h"
#include "bench/result.h"
#include "bench/status.h"
#include "cli/scale/scale.h"

/* The points of a line. */
#define LINE 100

static clup_status draw(const bench_plot *plot, const char *folder, char *note, size_t size)
{
    char text[600] = "";
    bool drawn;
    const clup_status status = bench_plot_draw(plot, folder, &drawn, text, sizeof text);
    if (note[0] == '\0')
        snprintf(note, size, "%s", text);
    return status;
}

static const char *quantity(const scale_result *result)
{
    const scale_request *request = result->request;
    return request->observable != NULL ? request->observable : request->expression;
}

static int compare(const void *a, const void *b)
{
    const double x = ((const scale_point *)a)->x, y = ((const scale_point *)b)->x;
    return x < y ? -1 : x > y;
}

/* Copies the points of a length, by x; returns their number. */
static size_t points_of(const scale_fits *of, double length, scale_point *points)
{
    size_t count = 0;
    for (size_t k = 0; k < of->point_count; k++)
        if (of->points[k].length == length)
            points[count++] = of->points[k];
    qsort(points, count, sizeof *points, compare);
    return count;
}

/* The values of each size, with the fit of all sizes. */
static clup_status draw_fit(const scale_result *result, bench_curve *curves, scale_point *points,
                            const char *folder, char *note, size_t size)
{
    const scale_fits *of = &result->fit;
    char title[160];
    double length;
    bench_plot plot = {.name = "fit",
                       .title = title,
                       .x_label = result->request->x->label,
                       .y_label = quantity(result),
                       .free_y = true,
                       .curves = curves};
    snprintf(title, sizeof title, "%.80s, and the fit of all sizes", quantity(result));
    for (size_t k = 0; (length = clup_scaling_length(of->scaling, k, NULL, NULL)) > 0 &&
                       plot.count + 2 <= BENCH_PLOT_CURVES;
         k++) {
        const size_t count = points_of(of, length, points),
                     step = (count + BENCH_PLOT_POINTS - 1) / BENCH_PLOT_POINTS;
        const int own = (int)plot.count;
        bench_curve *curve = bench_plot_add(&plot, BENCH_MEASURED, -1, "L = %g", length);
        for (size_t j = 0; j < count; j += step)
            bench_curve_add(curve, points[j].x, points[j].value, points[j].error);
        if (!(points[count - 1].x > points[0].x))
            continue;
        curve = bench_plot_add(&plot, BENCH_FIT, own, "%s", "");
        for (unsigned j = 0; j <= LINE; j++) {
            const double x = points[0].x + (points[count - 1].x - points[0].x) * j / LINE;
            bench_curve_add(curve, x, clup_scaling_value(&of->fits[0], length, x), 0);
        }
    }
    return draw(&plot, folder, note, size);
}

/* The collapse: by its own parameters where it was asked for, else by those of the fit. */
static clup_status draw_collapse(const scale_result *result, bench_curve *curves,
                                 scale_point *points, const char *folder, char *note, size_t size)
{
    const scale_fits *of = &result->fit;
    const double *at = result->request->collapse ? result->collapse.values : of->fits[0].values,
                 kappa = at[CLUP_SCALING_KAPPA];
    char title[160], x_label[120], y_label[120];
    double length;
    bench_plot plot = {.name = "collapse",
                       .title = title,
                       .x_label = x_label,
                       .y_label = y_label,
                       .free_y = true,
                       .curves = curves};
    snprintf(title, sizeof title, "%.80s, %s", quantity(result),
             result->request->collapse ? "the best collapse" : "by the parameters of the fit");
    snprintf(x_label, sizeof x_label, "(%s - %.6g) L^(1/%.4g)", result->request->x->name,
             at[CLUP_SCALING_X_C], at[CLUP_SCALING_NU]);
    if (kappa != 0)
        snprintf(y_label, sizeof y_label, "%.80s L^(%.4g)", quantity(result), -kappa);
    else
        snprintf(y_label, sizeof y_label, "%.80s", quantity(result));
    for (size_t k = 0; (length = clup_scaling_length(of->scaling, k, NULL, NULL)) > 0 &&
                       plot.count < BENCH_PLOT_CURVES;
         k++) {
        const size_t count = points_of(of, length, points),
                     step = (count + BENCH_PLOT_POINTS - 1) / BENCH_PLOT_POINTS;
        const double height = pow(length, -kappa), stretch = pow(length, 1 / at[CLUP_SCALING_NU]);
        bench_curve *curve = bench_plot_add(&plot, BENCH_MEASURED, -1, "L = %g", length);
        for (size_t j = 0; j < count; j += step)
            bench_curve_add(curve, (points[j].x - at[CLUP_SCALING_X_C]) * stretch,
                            points[j].value * height, points[j].error * height);
    }
    return draw(&plot, folder, note, size);
}

static clup_status draw_law(const scale_law *law, bench_curve *curves, const char *folder,
                            char *note, size_t size)
{
    const scale_fits *of = &law->of;
    char name[SCALE_NAME + 8], title[160];
    double first = INFINITY, last = 0;
    int positive = 1;
    snprintf(name, sizeof name, "law_%s", law->name);
    snprintf(title, sizeof title, "%s at the critical point, and the fit of all sizes", law->name);
    bench_plot plot = {.name = name,
                       .title = title,
                       .x_label = "L",
                       .y_label = law->name,
                       .log_x = true,
                       .free_y = true,
                       .curves = curves};
    bench_curve *curve = bench_plot_add(&plot, BENCH_MEASURED, -1, "%s", law->name);
    for (size_t k = 0; k < of->point_count && k < BENCH_PLOT_POINTS; k++) {
        bench_curve_add(curve, of->points[k].length, of->points[k].value, of->points[k].error);
        first = fmin(first, of->points[k].length);
        last = fmax(last, of->points[k].length);
        positive &= of->points[k].value > 0;
    }
    plot.log_y = positive;
    curve = bench_plot_add(&plot, BENCH_FIT, 0, "fit");
    for (unsigned j = 0; j <= LINE; j++) {
        const double length = first * pow(last / first, j / (double)LINE);
        bench_curve_add(curve, length, clup_scaling_value(&of->fits[0], length, 0), 0);
    }
    return draw(&plot, folder, note, size);
}

clup_status scale_draw(const scale_result *result, const char *folder, char *note, size_t size)
{
    bench_curve *curves = malloc(BENCH_PLOT_CURVES * sizeof *curves);
    scale_point *points = malloc((result->fit.point_count + 1) * sizeof *points);
    clup_status status = CLUP_OK;
    if (curves == NULL || points == NULL)
        status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for a picture");
    else if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = bench_fail(CLUP_ERROR_RUNTIME, "cannot make '%s': %s", folder, strerror(errno));
    if (status == CLUP_OK && result->wanted)
        status = draw_fit(result, curves, points, folder, note, size);
    if (status == CLUP_OK && result->wanted)
        status = draw_collapse(result, curves, points, folder, note, size);
    for (size_t k = 0; status == CLUP_OK && k < result->law_count; k++)
        status = draw_law(&result->laws[k], curves, folder, note, size);
    free(curves);
    free(points);
    return status;
}
