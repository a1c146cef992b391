/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves and fits of a result. */
#include "bench/draw/analysis.h"

#include <math.h>

#include "bench/index.h"
#include "bench/point.h"

/* ---- values ---------------------------------------------------------------------------------- */

double bench_point_size(const json_t *point)
{
    const json_t *size = json_object_get(json_object_get(point, "problem"), "size");
    return json_is_array(size) ? json_number_value(json_array_get(size, 0)) : NAN;
}

double bench_point_tile(const json_t *point)
{
    /* some kernels have tiles as wide as words */
    const json_t *tile = json_object_get(json_object_get(point, "plan"), "tile");
    return json_is_array(tile) ? json_number_value(json_array_get(tile, 1)) : NAN;
}

static double median(const json_t *point, const char *series, double factor, double *error)
{
    const double value = factor * bench_median(point, series);
    if (error != NULL)
        *error = value * bench_spread(point, series);
    return value;
}

double bench_local_ns(const json_t *point, double *error)
{
    return median(point, "local", 1e-3, error);
}

double bench_tile_ns(const json_t *point, double *error)
{
    const double tile = json_number_value(json_object_get(point, "x"));
    return median(point, "local", 1e-3 * tile * tile, error);
}

double bench_consolidate_ns(const json_t *point, double *error)
{
    return median(point, "consolidate", 1e-3, error);
}

double bench_identify_ns(const json_t *point, double *error)
{
    if (error != NULL)
        *error = 0;
    return 1e-3 * (bench_median(point, "local") + bench_median(point, "consolidate"));
}

double bench_update_ns(const json_t *point, double *error)
{
    return median(point, "update", 1e-3, error);
}

double bench_wall_ns(const json_t *point, double *error)
{
    return median(point, "wall", 1e-3, error);
}

double bench_updated_ns(const json_t *point, double *error)
{
    return median(point, "updated", 1e-3, error);
}

/* The mean of all samples. Its error is from the means of ten parts of the run, since successive
 * sweeps are correlated. */
double bench_iterations(const json_t *point, double *error)
{
    enum { PARTS = 10 };
    const json_t *samples = json_object_get(
        json_object_get(json_object_get(point, "series"), "iterations"), "samples");
    const size_t each = json_array_size(samples) / PARTS;
    const double mean = bench_mean(point, "iterations");
    double squares = 0;
    for (size_t part = 0; part < PARTS && each > 0; part++) {
        double sum = 0;
        for (size_t k = part * each; k < (part + 1) * each; k++)
            sum += json_number_value(json_array_get(samples, k));
        squares += (sum / (double)each - mean) * (sum / (double)each - mean);
    }
    if (error != NULL)
        *error = each > 0 ? sqrt(squares / (PARTS - 1) / PARTS) : NAN;
    return mean;
}

json_t *bench_indexed(const json_t *root)
{
    json_t *indexed = json_copy((json_t *)root);
    if (indexed != NULL && json_object_set_new(indexed, "index", bench_index(root)) != 0) {
        json_decref(indexed);
        indexed = NULL;
    }
    return indexed;
}

/* ---- curves ---------------------------------------------------------------------------------- */

const char *bench_curve_name(const json_t *root, const char *suite, size_t curve)
{
    const json_t *names = bench_index_curves(json_object_get(root, "index"), suite);
    return json_string_value(json_array_get(names, curve));
}

/* Inserts a point in the order of x. */
static void insert(bench_points_of *points, double x, double y, double error, const json_t *point)
{
    size_t k = points->count;
    if (k == BENCH_POINTS_MOST)
        return;
    for (; k > 0 && points->x[k - 1] > x; k--) {
        points->x[k] = points->x[k - 1];
        points->y[k] = points->y[k - 1];
        points->error[k] = points->error[k - 1];
        points->size[k] = points->size[k - 1];
        points->tile[k] = points->tile[k - 1];
    }
    points->x[k] = x;
    points->y[k] = y;
    points->error[k] = isfinite(error) ? error / y : 0;
    points->size[k] = bench_point_size(point);
    points->tile[k] = bench_point_tile(point);
    points->count++;
}

void bench_collect(const json_t *root, const char *suite, const char *curve, bench_value *value,
                   bench_points_of *points)
{
    size_t k;
    json_t *point;
    points->count = 0;
    json_array_foreach(bench_index_points(json_object_get(root, "index"), suite, curve), k, point)
    {
        double error = NAN;
        const double y = value(point, &error);
        if (isfinite(y) && y > 0)
            insert(points, json_number_value(json_object_get(point, "x")), y, error, point);
    }
}

double bench_at(const bench_points_of *points, double x)
{
    for (size_t k = 0; k < points->count; k++)
        if (points->x[k] == x)
            return points->y[k];
    return NAN;
}

/* ---- laws ------------------------------------------------------------------------------------ */

/* Fits n_relax where there are many tiles: at least 32 along an axis; in small results, all
 * points. */
static void fit_relax(const json_t *root, bench_laws *laws)
{
    bench_points_of points;
    bench_collect(root, "relax", NULL, bench_iterations, &points);
    size_t first = 0;
    while (first + 4 < points.count && points.x[first] < 32)
        first++;
    laws->relax_from = first < points.count ? points.x[first] : NAN;
    if (bench_fit_power(points.x + first, points.y + first, points.error + first,
                        points.count - first, &laws->relax) != CLUP_OK)
        laws->relax.points = 0;
}

static void fit_sew(const json_t *root, bench_laws *laws)
{
    bench_points_of points;
    bench_collect(root, "sew", NULL, bench_consolidate_ns, &points);
    laws->units = NAN;
    if (points.count < 3 ||
        bench_fit_seams(points.size, points.tile, points.y, points.count, &laws->sew) != CLUP_OK) {
        laws->sew.points = 0;
        return;
    }
    const double ratio = laws->sew.value[0] / laws->sew.value[1];
    laws->units = (25 + 8 * ratio + sqrt(25 + 16 * ratio)) / 32;
}

/* Fits the constants of both B_opt, from the largest lattice of the suite. */
static void fit_optimal(const json_t *root, bench_laws *laws)
{
    bench_points_of points;
    size_t kept = 0;
    bench_collect(root, "optimal", "sew", bench_local_ns, &points);
    for (size_t k = 0; k < points.count; k++)
        if (points.x[k] == points.x[points.count - 1]) {
            points.x[kept] = points.tile[k];
            points.y[kept++] = points.y[k];
        }
    if (bench_fit_power_fixed(points.x, points.y, NULL, kept, BENCH_DMIN, &laws->local) != CLUP_OK)
        laws->local.points = 0;
    bench_collect(root, "optimal", "relax_multithread", bench_consolidate_ns, &points);
    for (size_t k = 0; k < points.count; k++)
        points.x[k] = pow(points.size[k], BENCH_DMIN) / pow(points.tile[k], BENCH_DMIN + 1);
    if (bench_fit_power_fixed(points.x, points.y, NULL, points.count, 1, &laws->relaxation) !=
        CLUP_OK)
        laws->relaxation.points = 0;
    laws->best_sew = laws->local.points > 0 && laws->sew.points > 0 && laws->sew.value[1] > 0
                         ? pow(laws->sew.value[1] / (BENCH_DMIN * laws->local.value[0]),
                               1 / (BENCH_DMIN + 1))
                         : NAN;
}

void bench_find_laws(const json_t *root, bench_laws *laws)
{
    *laws = (bench_laws){0};
    fit_relax(root, laws);
    fit_sew(root, laws);
    fit_optimal(root, laws);
}

double bench_best_relax(const bench_laws *laws, double size)
{
    if (laws->local.points == 0 || laws->relaxation.points == 0)
        return NAN;
    return pow(laws->relaxation.value[0] * (BENCH_DMIN + 1) / (laws->local.value[0] * BENCH_DMIN) *
                   pow(size, BENCH_DMIN),
               1 / (2 * BENCH_DMIN + 1));
}

double bench_best_observed(const json_t *root, const char *way, double size)
{
    bench_points_of points;
    double least = INFINITY, best = NAN;
    bench_collect(root, "optimal", way, bench_identify_ns, &points);
    for (size_t k = 0; k < points.count; k++)
        if (points.x[k] == size && points.y[k] < least) {
            least = points.y[k];
            best = points.tile[k];
        }
    return best;
}
