/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of the paper's formulas by least squares. All deviations are relative, since times span
 * decades. */
#include "plan/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* dmin of Fortuin-Kasteleyn clusters at q = 2 (Miranda 1991), for fits in which the paper holds
 * dmin fixed. */
#define D_MIN 1.08
/* Fits of relaxation use lattices of at least TILES_MIN tiles a side; the paper used 100. Where
 * there are too few such lattices, as on small devices, fits use those of at least TILES_FEW. */
#define TILES_MIN 64
#define TILES_FEW 8

/* Samples that a fit uses, and how the fit is described. */
typedef struct fit_kind {
    const char *what, *formula;
    clup_stage stage;
    const char *kernel;
    int large; /* uses large lattices only, by their tiles a side */
    void (*solve)(clup_fit *fit);
    double (*measured)(const clup_sample *sample);
} fit_kind;

static void add_parameter(clup_fit *fit, const char *name, const char *unit, double value,
                          double error)
{
    unsigned k = fit->parameter_count++;
    fit->parameters[k].name = name;
    fit->parameters[k].unit = unit;
    fit->parameters[k].value = value;
    fit->parameters[k].error = error;
}

/* Sets the relative deviations of the points from their fitted values. */
static void finish(clup_fit *fit)
{
    double squares = 0;
    for (size_t k = 0; k < fit->point_count; k++) {
        double deviation = fit->points[k].measured / fit->points[k].fitted - 1;
        squares += deviation * deviation;
    }
    fit->rms = sqrt(squares / (double)fit->point_count);
}

/* Fits log measured = log factor + dmin log x + known by least squares, with dmin free or held at
 * fixed. The parameters of the fit are the factor, which has the given name and unit, and dmin. */
static void fit_power(clup_fit *fit, double (*x)(unsigned tile, unsigned size),
                      double (*known)(unsigned tile, unsigned size), double fixed, const char *name,
                      const char *unit)
{
    double n = (double)fit->point_count, sx = 0, sy = 0, sxx = 0, sxy = 0, squares = 0;
    for (size_t k = 0; k < fit->point_count; k++) {
        double lx = log(x(fit->points[k].tile, fit->points[k].size));
        double ly = log(fit->points[k].measured) -
                    (known != NULL ? log(known(fit->points[k].tile, fit->points[k].size)) : 0);
        sx += lx;
        sy += ly;
        sxx += lx * lx;
        sxy += lx * ly;
    }
    double spread = sxx - sx * sx / n;
    double exponent = isnan(fixed) ? (sxy - sx * sy / n) / spread : fixed,
           logarithm = (sy - exponent * sx) / n;
    for (size_t k = 0; k < fit->point_count; k++) {
        double lx = log(x(fit->points[k].tile, fit->points[k].size));
        double ly = logarithm + exponent * lx +
                    (known != NULL ? log(known(fit->points[k].tile, fit->points[k].size)) : 0);
        fit->points[k].fitted = exp(ly);
        squares += pow(log(fit->points[k].measured) - ly, 2);
    }
    double freedom = n - (isnan(fixed) ? 2 : 1), variance = freedom > 0 ? squares / freedom : NAN;
    const double factor = exp(logarithm);
    add_parameter(fit, name, unit, factor,
                  factor * sqrt(variance * (isnan(fixed) ? sxx / (n * spread) : 1 / n)));
    add_parameter(fit, "dmin", "", exponent, isnan(fixed) ? sqrt(variance / spread) : NAN);
    finish(fit);
}

static double tile_of(unsigned tile, unsigned size)
{
    (void)size;
    return tile;
}

static double size_of(unsigned tile, unsigned size)
{
    (void)tile;
    return size;
}

static double tiles_of(unsigned tile, unsigned size)
{
    return (double)size / tile;
}

static double relax_of_tile(unsigned tile, unsigned size)
{
    (void)size;
    return pow(tile, -(D_MIN + 1));
}

static void solve_local_free(clup_fit *fit)
{
    fit_power(fit, tile_of, NULL, NAN, "C_local/(m n)", "ps");
}

static void solve_local_fixed(clup_fit *fit)
{
    fit_power(fit, tile_of, NULL, D_MIN, "C_local/(m n)", "ps");
}

static void solve_relax(clup_fit *fit)
{
    fit_power(fit, size_of, relax_of_tile, D_MIN, "C_relax/(m n)", "ps");
}

static void solve_iterations(clup_fit *fit)
{
    fit_power(fit, tiles_of, NULL, NAN, "factor", "");
}

/* Fits a/L + b/B, which is linear in a and b. */
static void solve_sew(clup_fit *fit)
{
    double aa = 0, ab = 0, bb = 0, ay = 0, by = 0, n = (double)fit->point_count, squares = 0;
    for (size_t k = 0; k < fit->point_count; k++) {
        double y = fit->points[k].measured, u = 1 / (fit->points[k].size * y),
               v = 1 / (fit->points[k].tile * y);
        aa += u * u;
        ab += u * v;
        bb += v * v;
        ay += u;
        by += v;
    }
    double det = aa * bb - ab * ab, a = (ay * bb - by * ab) / det, b = (by * aa - ay * ab) / det;
    for (size_t k = 0; k < fit->point_count; k++) {
        fit->points[k].fitted = a / fit->points[k].size + b / fit->points[k].tile;
        squares += pow(fit->points[k].fitted / fit->points[k].measured - 1, 2);
    }
    double variance = n > 2 ? squares / (n - 2) : NAN;
    add_parameter(fit, "a", "ps", a, sqrt(variance * bb / det));
    add_parameter(fit, "b", "ps", b, sqrt(variance * aa / det));
    add_parameter(fit, "n_eff", "", (25 + 8 * a / b + sqrt(25 + 16 * a / b)) / 32, NAN);
    finish(fit);
}

static double time_of(const clup_sample *sample)
{
    return sample->ps;
}

static double iterations_of(const clup_sample *sample)
{
    return sample->iterations;
}

static const fit_kind kinds[] = {
    {"local, dmin free", "T_local/L^2 = C_local/(m n) B^dmin", CLUP_LOCAL, "selflabel", 0,
     solve_local_free, time_of},
    {"local", "T_local/L^2 = C_local/(m n) B^dmin", CLUP_LOCAL, "selflabel", 0, solve_local_fixed,
     time_of},
    {"sew", "T_sew/L^2 = a/L + b/B", CLUP_CONSOLIDATE, "sew", 0, solve_sew, time_of},
    {"relax", "T_relax/L^2 = C_relax/(m n) L^dmin/B^(dmin+1)", CLUP_CONSOLIDATE,
     "relax_multithread", 1, solve_relax, time_of},
    {"n_relax", "n_relax = factor (L/B)^dmin", CLUP_CONSOLIDATE, "relax_multithread", 1,
     solve_iterations, iterations_of},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Returns the largest size of the samples. The formula of local labelling is for a device that is
 * fully used, so its fit uses this size only. */
static unsigned largest_size(const clup_samples *samples, const fit_kind *kind)
{
    unsigned largest = 0;
    for (size_t k = 0; k < samples->count; k++)
        if (samples->items[k].stage == kind->stage &&
            strcmp(samples->items[k].kernel, kind->kernel) == 0 && samples->items[k].size > largest)
            largest = samples->items[k].size;
    return largest;
}

/* Sets the points of a fit to its samples of lattices with at least tiles_min tiles a side. */
static void take_points(const clup_samples *samples, const fit_kind *kind, unsigned tiles_min,
                        clup_fit *fit)
{
    unsigned only = kind->stage == CLUP_LOCAL ? largest_size(samples, kind) : 0;
    fit->point_count = 0;
    for (size_t k = 0; k < samples->count; k++) {
        const clup_sample *sample = &samples->items[k];
        if (sample->stage != kind->stage || strcmp(sample->kernel, kind->kernel) != 0 ||
            strcmp(sample->bonds, "word") != 0 || sample->size < tiles_min * sample->tile ||
            !(kind->measured(sample) > 0) || (only > 0 && sample->size != only))
            continue;
        fit->points[fit->point_count].tile = sample->tile;
        fit->points[fit->point_count].size = sample->size;
        fit->points[fit->point_count++].measured = kind->measured(sample);
    }
}

static clup_status make(const clup_samples *samples, const fit_kind *kind, clup_fit *fit)
{
    *fit = (clup_fit){.what = kind->what, .formula = kind->formula};
    if ((fit->points = calloc(samples->count + 1, sizeof *fit->points)) == NULL)
        return clup_fail_memory("a fit");
    take_points(samples, kind, kind->large ? TILES_MIN : 0, fit);
    if (kind->large && fit->point_count < 4)
        take_points(samples, kind, TILES_FEW, fit);
    if (fit->point_count >= 3)
        kind->solve(fit);
    return CLUP_OK;
}

clup_status clup_fits_make(const clup_samples *samples, clup_fit **fits, size_t *count)
{
    clup_status status = CLUP_OK;
    *count = 0;
    if ((*fits = calloc(KINDS, sizeof **fits)) == NULL)
        return clup_fail_memory("fits");
    for (size_t k = 0; k < KINDS && status == CLUP_OK; k++) {
        status = make(samples, &kinds[k], &(*fits)[*count]);
        if (status == CLUP_OK && (*fits)[*count].parameter_count > 0)
            ++*count;
        else
            free((*fits)[*count].points);
    }
    if (status != CLUP_OK) {
        clup_fits_free(*fits, *count);
        *fits = NULL;
        *count = 0;
    }
    return status;
}

void clup_fits_free(clup_fit *fits, size_t count)
{
    for (size_t k = 0; k < count; k++)
        free(fits[k].points);
    free(fits);
}

double clup_fits_value(const clup_fit *fits, size_t count, const char *what, const char *parameter)
{
    for (size_t k = 0; k < count; k++)
        for (unsigned p = 0; p < fits[k].parameter_count && strcmp(fits[k].what, what) == 0; p++)
            if (strcmp(fits[k].parameters[p].name, parameter) == 0)
                return fits[k].parameters[p].value;
    return NAN;
}
