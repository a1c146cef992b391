/* SPDX-License-Identifier: BSD-3-Clause */
/* The pictures of a report: measured curves, fits, and the paper's points. */
#include "bench/draw/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/point.h"

/* ---- parts ----------------------------------------------------------------------------------- */

/* Adds the measured curves of a suite: those whose name begins with start, or all when start is
 * NULL. */
static void add_curves(const json_t *root, const char *suite, bench_value *value, const char *start,
                       bench_plot *plot)
{
    const char *name;
    bench_points_of points;
    for (size_t c = 0; (name = bench_curve_name(root, suite, c)) != NULL; c++) {
        if (start != NULL && strncmp(name, start, strlen(start)) != 0)
            continue;
        bench_collect(root, suite, name, value, &points);
        if (points.count == 0)
            continue;
        bench_curve *curve = bench_plot_add(plot, BENCH_MEASURED, -1, "%s", name);
        for (size_t k = 0; k < points.count; k++)
            bench_curve_add(curve, points.x[k], points.y[k], points.y[k] * points.error[k]);
    }
}

/* Adds the paper's points of a figure. */
static void add_paper(const char *figure, bench_plot *plot)
{
    static const struct {
        const char *figure, *name;
        double x, y;
    } points[] = {
#define PAPER(FIGURE, NAME, X, Y) {FIGURE, NAME, X, Y},
#include "bench/draw/paper.def"
#undef PAPER
    };
    bench_curve *curve = NULL;
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        if (strcmp(points[k].figure, figure) != 0)
            continue;
        if (curve == NULL || strcmp(curve->name, points[k].name) != 0)
            curve = bench_plot_add(plot, BENCH_PAPER, -1, "%s", points[k].name);
        bench_curve_add(curve, points[k].x, points[k].y, 0);
    }
}

/* Finds the curve with a name; -1 for none. */
static int curve_named(const bench_plot *plot, const char *name)
{
    for (size_t c = 0; c < plot->count; c++)
        if (strcmp(plot->curves[c].name, name) == 0)
            return (int)c;
    return -1;
}

enum { LINE = 33 };

/* x of point k of a line, in equal steps of log x. */
static double along(double from, double to, int k)
{
    return from * pow(to / from, k / (double)(LINE - 1));
}

/* Adds the power law fitted to a curve. */
static void add_power(const json_t *root, const char *suite, const char *name, bench_value *value,
                      bench_plot *plot)
{
    bench_points_of points;
    bench_fit fit;
    bench_collect(root, suite, name, value, &points);
    if (points.count < 3 ||
        bench_fit_power(points.x, points.y, NULL, points.count, &fit) != CLUP_OK)
        return;
    bench_curve *curve = bench_plot_add(plot, BENCH_FIT, curve_named(plot, name),
                                        "%s: B^%.2f(%.0f)", name, fit.value[1],
                                        ceil(100 * fit.error[1]));
    for (int k = 0; k < LINE; k++) {
        const double x = along(points.x[0], points.x[points.count - 1], k);
        bench_curve_add(curve, x, fit.value[0] * pow(x, fit.value[1]), 0);
    }
}

/* ---- figures --------------------------------------------------------------------------------- */

static void tiles(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    (void)laws;
    add_curves(root, "tiles", bench_tile_ns, NULL, plot);
    add_power(root, "tiles", "bfs", bench_tile_ns, plot);
    add_power(root, "tiles", "unionfind", bench_tile_ns, plot);
    add_power(root, "tiles", "selflabel", bench_tile_ns, plot);
    add_paper("tiles", plot);
}

static void relax(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    bench_points_of points;
    add_curves(root, "relax", bench_iterations, NULL, plot);
    bench_collect(root, "relax", NULL, bench_iterations, &points);
    if (laws->relax.points == 0 || points.count == 0)
        return;
    bench_curve *curve = bench_plot_add(plot, BENCH_FIT, -1, "l^%.3f(%.0f), from l = %g",
                                        laws->relax.value[1], ceil(1000 * laws->relax.error[1]),
                                        laws->relax_from);
    for (int k = 0; k < LINE; k++) {
        const double x = along(points.x[0], points.x[points.count - 1], k);
        bench_curve_add(curve, x, laws->relax.value[0] * pow(x, laws->relax.value[1]), 0);
    }
}

static void sew(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    add_curves(root, "sew", bench_consolidate_ns, NULL, plot);
    const size_t count = plot->count;
    for (size_t c = 0; c < count && laws->sew.points > 0; c++) {
        double tile;
        if (sscanf(plot->curves[c].name, "B = %lf", &tile) != 1)
            continue;
        bench_curve *curve = bench_plot_add(plot, BENCH_FIT, (int)c, "a/L + b/%g", tile);
        if (c + 1 == count && curve != NULL)
            snprintf(curve->name, sizeof curve->name, "a/L + b/%g, n_eff = %.0f", tile,
                     laws->units);
        const double *x = plot->curves[c].x;
        for (int k = 0; k < LINE; k++) {
            const double size = along(x[0], x[plot->curves[c].count - 1], k);
            bench_curve_add(curve, size, laws->sew.value[0] / size + laws->sew.value[1] / tile, 0);
        }
    }
}

static void optimal(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    static const char *const ways[] = {"sew", "relax_multithread"};
    bench_points_of points;
    for (size_t w = 0; w < 2; w++) {
        bench_collect(root, "optimal", ways[w], bench_identify_ns, &points);
        if (points.count == 0)
            continue;
        bench_curve *seen = bench_plot_add(plot, BENCH_MEASURED, -1, "%s, observed", ways[w]);
        for (size_t k = 0; k < points.count; k++)
            if (k == 0 || points.x[k] != points.x[k - 1])
                bench_curve_add(seen, points.x[k], bench_best_observed(root, ways[w], points.x[k]),
                                0);
        bench_curve *rule = bench_plot_add(plot, BENCH_FIT, (int)plot->count - 1, "%s, formula",
                                           ways[w]);
        for (int k = 0; k < LINE; k++) {
            const double size = along(points.x[0], points.x[points.count - 1], k);
            bench_curve_add(rule, size, w == 0 ? laws->best_sew : bench_best_relax(laws, size), 0);
        }
    }
}

static void stages_of(const json_t *root, const char *way, bench_plot *plot)
{
    static const char *const series[] = {"update", "source", "local", "consolidate", "action"};
    const json_t *points = json_object_get(root, "points");
    for (size_t s = 0; s < sizeof series / sizeof *series; s++) {
        bench_curve *curve = NULL;
        for (size_t k = 0; k < json_array_size(points); k++) {
            const json_t *point = json_array_get(points, k);
            const char *suite = json_string_value(json_object_get(point, "suite")),
                       *name = json_string_value(json_object_get(point, "curve"));
            const double median = 1e-3 * bench_median(point, series[s]);
            if (strcmp(suite, "breakdown") != 0 || strcmp(name, way) != 0 || !isfinite(median))
                continue;
            if (curve == NULL)
                curve = bench_plot_add(plot, BENCH_MEASURED, -1, "%s", series[s]);
            bench_curve_add(curve, json_number_value(json_object_get(point, "x")), median,
                            median * bench_spread(point, series[s]));
        }
    }
}

static void breakdown(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    (void)laws;
    stages_of(root, "sew", plot);
}

static void breakdown_default(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    (void)laws;
    stages_of(root, "default", plot);
}

static void size(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    (void)laws;
    add_curves(root, "size", bench_update_ns, NULL, plot);
    add_paper("size", plot);
}

static void beta(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    (void)laws;
    add_curves(root, "beta", bench_update_ns, NULL, plot);
    add_paper("beta", plot);
}

/* Adds the times of a serial code divided by those of clup's ways. */
static void add_ratios(const json_t *root, const char *suite, const char *serial,
                       const char *const *ways, bench_value *value, const char *form,
                       bench_plot *plot)
{
    bench_points_of slow, fast;
    bench_collect(root, suite, serial, value, &slow);
    for (; *ways != NULL; ways++) {
        bench_collect(root, suite, *ways, value, &fast);
        bench_curve *curve = NULL;
        for (size_t k = 0; k < fast.count; k++) {
            const double ratio = bench_at(&slow, fast.x[k]) / fast.y[k];
            if (!isfinite(ratio))
                continue;
            if (curve == NULL)
                curve = bench_plot_add(plot, BENCH_MEASURED, -1, "%s, %s %s", *ways, form, serial);
            bench_curve_add(curve, fast.x[k], ratio, ratio * fast.error[k]);
        }
    }
}

static void speedup(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    static const char *const all[] = {"default", "sew", "relax_multithread", NULL},
                             *const best[] = {"default", NULL};
    (void)laws;
    add_ratios(root, "speedup", "breadth-first", all, bench_wall_ns, "over", plot);
    add_ratios(root, "speedup", "union-find", best, bench_wall_ns, "over", plot);
    add_paper("speedup", plot);
}

static void lattices(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    static const char *const curves[][3] = {{"square, serial", "square, default", NULL},
                                            {"triangular, serial", "triangular, default", NULL},
                                            {"cubic, serial", "cubic, default", NULL}};
    (void)laws;
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++)
        add_ratios(root, "lattices", curves[k][0], curves[k] + 1, bench_wall_ns, "over", plot);
}

static void wolff(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    const char *ways[16];
    size_t count = 0;
    const char *name;
    (void)laws;
    for (size_t c = 0; (name = bench_curve_name(root, "wolff", c)) != NULL && count < 15; c++)
        if (strncmp(name, "few", 3) == 0)
            ways[count++] = name;
    ways[count] = NULL;
    add_ratios(root, "wolff", "single cluster", ways, bench_updated_ns, "over", plot);
}

/* Draws the label suite against the density of random images. */
static void label(const json_t *root, const bench_laws *laws, bench_plot *plot)
{
    static const unsigned neighbours[] = {4, 8, 6, 26};
    const json_t *points = json_object_get(root, "points");
    (void)laws;
    for (size_t c = 0; c < 4; c++) {
        bench_curve *curve = NULL;
        for (size_t k = 0; k < json_array_size(points); k++) {
            const json_t *point = json_array_get(points, k),
                         *problem = json_object_get(point, "problem");
            const char *picture = json_string_value(json_object_get(problem, "picture"));
            const double device = bench_median(point, "device"),
                         pixels = json_number_value(json_object_get(point, "x"));
            if (picture == NULL || strcmp(picture, "random") != 0 || !isfinite(device) ||
                json_integer_value(json_object_get(problem, "grain")) != 1 ||
                json_integer_value(json_object_get(problem, "connectivity")) != neighbours[c])
                continue;
            if (curve == NULL)
                curve = bench_plot_add(plot, BENCH_MEASURED, -1, "%u neighbours", neighbours[c]);
            bench_curve_add(curve, json_number_value(json_object_get(problem, "density")),
                            1e-6 * pixels / device,
                            1e-6 * pixels / device * bench_spread(point, "device"));
        }
    }
}

static const bench_figure figures[] = {
    {"tiles", "tiles", "Local labelling of a tile", "edge of the tile, B (sites)",
     "time of a tile (ns)", true, true,
     "Device time of local labelling for one tile, T/l^2, against its edge; lines are power laws.",
     tiles},
    {"relax", "relax", "Iterations of label relaxation", "tiles along an axis, l = L/B",
     "iterations, n_relax", true, true,
     "Mean number of iterations of a sweep at beta_c; the paper's exponent is 1.0766.", relax},
    {"sew", "sew", "Hierarchical sewing", "edge of the lattice, L (sites)",
     "consolidation (ns a site)", true, true,
     "Device time of consolidation by sewing; lines are one fit of a/L + b/B to all points.", sew},
    {"optimal", "optimal", "The best tile", "edge of the lattice, L (sites)", "B_opt (sites)", true,
     true,
     "The tile of least time for labelling and consolidation among 4, 8, .. 64, and the paper's "
     "formulas with the constants of this result.",
     optimal},
    {"breakdown", "breakdown", "Stages of a sweep: self-labelling, B = 16, and sewing",
     "edge of the lattice, L (sites)", "device time (ns a site)", true, true,
     "Device time of each stage; update is all of them.", breakdown},
    {"breakdown", "breakdown-default", "Stages of a sweep: the plan that clup chooses",
     "edge of the lattice, L (sites)", "device time (ns a site)", true, true,
     "The same with the default plan, whose stages may be fewer.", breakdown_default},
    {"size", "size", "A sweep at beta_c", "edge of the lattice, L (sites)",
     "device time (ns a site)", true, true,
     "Device time of a sweep with each consolidation after self-labelling, with the tile that the "
     "planner takes, and by the default plan.",
     size},
    {"beta", "beta", "A sweep off criticality", "beta/beta_c", "device time (ns a site)", false,
     true, "Device time of a sweep against the inverse temperature.", beta},
    {"speedup", "speedup", "Speed-up over serial codes of this machine",
     "edge of the lattice, L (sites)", "serial time over ours", true, true,
     "Time on the wall clock of serial codes on one core of the host, over that of ours.", speedup},
    {"lattices", "lattices", "Measured sweeps of several lattices",
     "edge of the lattice, L (sites), 16 times that of cubes", "serial time over ours", true, true,
     "Time on the wall clock of a serial union-find on one core of the host, over that of the "
     "default plan; energy, magnetisation and clusters are measured in every sweep.",
     lattices},
    {"wolff", "wolff", "The few-cluster update", "edge of the lattice, L (sites)",
     "serial time over ours, an updated site", true, true,
     "Time for each updated site of a serial single-cluster code, over that of few-cluster updates "
     "with S x S seeds; the paper has up to about 5.",
     wolff},
    {"label", "label", "Labelling of random images and volumes", "density of the foreground",
     "pixels a second (10^9)", false, false,
     "Pixels labelled a second by the device, numbered labels, transfers left out.", label},
};

const bench_figure *bench_figure_row(size_t row)
{
    return row < sizeof figures / sizeof *figures ? &figures[row] : NULL;
}
