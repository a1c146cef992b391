/* SPDX-License-Identifier: BSD-3-Clause */
/* What the points of a result say together: curves, fits, and the values that are compared. */
#ifndef CLUP_BENCH_DRAW_ANALYSIS_H
#define CLUP_BENCH_DRAW_ANALYSIS_H
#include <jansson.h>

#include "bench/draw/fit.h"

/* The exponent of shortest paths on Fortuin-Kasteleyn clusters, q = 2, two dimensions (V. Miranda
 * et al. 1991, as cited in the paper). */
#define BENCH_DMIN 1.08

/* Returns a value of a point, NAN where the point has none. *error, unless error is NULL, becomes
 * its error. */
typedef double bench_value(const json_t *point, double *error);

/* A copy of a result with its index (bench/index.h) in the field "index", which all functions below
 * need. NULL without memory. */
json_t *bench_indexed(const json_t *root);

/* The points of one curve of a suite, in the order of x; of all curves when curve is NULL. */
#define BENCH_POINTS_MOST 256
typedef struct bench_points_of {
    size_t count;
    double x[BENCH_POINTS_MOST], y[BENCH_POINTS_MOST], error[BENCH_POINTS_MOST]; /* relative */
    double size[BENCH_POINTS_MOST], tile[BENCH_POINTS_MOST];                     /* L and B */
} bench_points_of;
void bench_collect(const json_t *root, const char *suite, const char *curve, bench_value *value,
                   bench_points_of *points);
/* y at x; NAN when there is no such point. */
double bench_at(const bench_points_of *points, double x);

/* Names of a suite's curves in their order; NULL past the end. */
const char *bench_curve_name(const json_t *root, const char *suite, size_t curve);

/* Values of points, times in ns. */
bench_value bench_tile_ns, bench_iterations, bench_consolidate_ns, bench_local_ns,
    bench_identify_ns, bench_update_ns, bench_wall_ns, bench_updated_ns;

/* L of a point, and the tile of its plan; NAN where it has none. */
double bench_point_size(const json_t *point);
double bench_point_tile(const json_t *point);

/* Fits of the paper's laws. A fit has 0 points when there were too few. */
typedef struct bench_laws {
    bench_fit relax; /* n_relax = A l^d, l >= relax_from */
    double relax_from;
    bench_fit sew;        /* consolidation = a/L + b/B, ns */
    double units;         /* n_eff */
    bench_fit local;      /* self-labelling = C B^dmin, ns a site, from the suite optimal */
    bench_fit relaxation; /* consolidation = C L^dmin/B^(dmin + 1), ns */
    double best_sew;      /* B_opt by the formula; NAN when not known */
} bench_laws;
void bench_find_laws(const json_t *root, bench_laws *laws);
/* The optimal tile B_opt of relaxation at L, by the formula. */
double bench_best_relax(const bench_laws *laws, double size);
/* The tile with the least measured time at L, of the way "sew" or "relax_multithread"; NAN for
 * none. */
double bench_best_observed(const json_t *root, const char *way, double size);

#endif
