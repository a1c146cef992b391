/* SPDX-License-Identifier: BSD-3-Clause */
/* The quality of a collapse of values onto one curve, and the parameters with the best one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/scaling.h"
#include "estimate/simplex.h"

/* From how many places of the grid a minimum is searched. */
#define STARTS 4
/* Doublings and halvings that find where S is by 1 larger. */
#define DOUBLINGS 40
#define HALVINGS 24

typedef struct point {
    double x, value, error;
} point;

/* A size: points[first] to points[end - 1], by x. */
typedef struct size {
    double length;
    size_t first, end;
} size;

typedef struct collapse {
    const clup_scaling_model *model;
    point *points, *scaled; /* scaled: z and A L^-kappa */
    size *sizes;
    size_t count, size_count;
    double at[CLUP_SCALING_PARAMETERS];          /* of parameters that do not vary */
    unsigned varied[CLUP_SCALING_PARAMETERS], n; /* those that do */
} collapse;

static int compare(const void *a, const void *b)
{
    const double x = ((const point *)a)->x, y = ((const point *)b)->x;
    return x < y ? -1 : x > y;
}

static clup_status gather(collapse *all, const clup_scaling *scaling, double least)
{
    size_t count = 0;
    for (size_t k = 0; k < scaling->count; k++)
        count += scaling->sets[k].count;
    all->points = malloc((count + 1) * sizeof *all->points);
    all->scaled = malloc((count + 1) * sizeof *all->scaled);
    all->sizes = malloc((scaling->count + 1) * sizeof *all->sizes);
    if (all->points == NULL || all->scaled == NULL || all->sizes == NULL)
        return clup_fail_memory("the collapse");
    for (size_t k = 0; k < scaling->count; k++) {
        const scaling_set *set = &scaling->sets[k];
        if (set->length < least)
            continue;
        if (all->size_count == 0 || all->sizes[all->size_count - 1].length < set->length)
            all->sizes[all->size_count++] = (size){set->length, all->count, all->count};
        for (size_t j = 0; j < set->count; j++)
            all->points[all->count++] = (point){set->x[j], set->values[j], set->errors[j]};
        all->sizes[all->size_count - 1].end = all->count;
    }
    for (size_t k = 0; k < all->size_count; k++)
        qsort(all->points + all->sizes[k].first, all->sizes[k].end - all->sizes[k].first,
              sizeof *all->points, compare);
    return CLUP_OK;
}

static void release(collapse *all)
{
    free(all->points);
    free(all->scaled);
    free(all->sizes);
}

/* Returns the last point of a size that is not right of z, if it has one to the right too; else
 * end. */
static size_t left_of(const collapse *all, const size *size, double z)
{
    size_t low = size->first, high = size->end;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (all->scaled[middle].x <= z)
            low = middle + 1;
        else
            high = middle;
    }
    return low > size->first && low < size->end ? low - 1 : size->end;
}

/* Returns the square of the distance of a point from the line through its neighbours of other
 * sizes, in units of its error; NAN if there are none. */
static double distance(const collapse *all, size_t own, const point *of)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (size_t k = 0; k < all->size_count; k++) {
        const size *size = &all->sizes[k];
        const size_t left = k != own ? left_of(all, size, of->x) : size->end;
        for (size_t j = left; j < size->end && j < left + 2; j++) {
            /* from the point on, which keeps digits */
            const double x = all->scaled[j].x - of->x, y = all->scaled[j].value,
                         weight = 1 / (all->scaled[j].error * all->scaled[j].error);
            w += weight;
            wx += weight * x;
            wy += weight * y;
            wxx += weight * x * x;
            wxy += weight * x * y;
        }
    }
    if (!(w > 0))
        return NAN;
    const double determinant = w * wxx - wx * wx, line = (wxx * wy - wx * wxy) / determinant,
                 variance = wxx / determinant;
    return (of->value - line) * (of->value - line) / (of->error * of->error + variance);
}

/* Returns S; *compared becomes the number of values in it. */
static double quality(const collapse *all, const double *parameters, size_t *compared)
{
    double sum = 0;
    size_t sizes = 0;
    *compared = 0;
    for (size_t k = 0; k < all->size_count; k++) {
        const double length = all->sizes[k].length,
                     stretch = pow(length, 1 / parameters[CLUP_SCALING_NU]),
                     height = pow(length, -parameters[CLUP_SCALING_KAPPA]);
        for (size_t j = all->sizes[k].first; j < all->sizes[k].end; j++)
            all->scaled[j] = (point){(all->points[j].x - parameters[CLUP_SCALING_X_C]) * stretch,
                                     all->points[j].value * height, all->points[j].error * height};
    }
    for (size_t k = 0; k < all->size_count; k++) {
        double own = 0;
        size_t count = 0;
        for (size_t j = all->sizes[k].first; j < all->sizes[k].end; j++) {
            const double square = distance(all, k, &all->scaled[j]);
            if (!isnan(square)) {
                own += square;
                count++;
            }
        }
        sizes += count > 0;
        sum += count > 0 ? own / (double)count : 0;
        *compared += count;
    }
    return sizes > 0 ? sum / (double)sizes : NAN;
}

clup_status clup_scaling_quality(const clup_scaling *scaling,
                                 const double parameters[CLUP_SCALING_PARAMETERS], double least,
                                 double *result, size_t *points)
{
    collapse all = {0};
    size_t compared;
    CLUP_NEED(scaling);
    CLUP_NEED(parameters);
    CLUP_NEED(result);
    for (unsigned p = 0; p <= CLUP_SCALING_KAPPA; p++)
        if (!isfinite(parameters[p]) || (p == CLUP_SCALING_NU && !(parameters[p] > 0)))
            return clup_fail(CLUP_ERROR_USAGE,
                             "x_c %g, nu %g and kappa %g: they must be finite, "
                             "and nu above 0",
                             parameters[CLUP_SCALING_X_C], parameters[CLUP_SCALING_NU],
                             parameters[CLUP_SCALING_KAPPA]);
    if (clup_scaling_sizes(scaling, least) < 2)
        return clup_fail(CLUP_ERROR_USAGE, "fewer than two sizes from %g on", least);
    const clup_status status = gather(&all, scaling, least);
    if (status == CLUP_OK)
        *result = quality(&all, parameters, &compared);
    if (status == CLUP_OK && points != NULL)
        *points = compared;
    release(&all);
    return status;
}

/* ---- the best collapse ----------------------------------------------------------------------- */

/* S, infinite where too few values are compared for it to mean anything. */
static double value_of(void *context, const double *parameters)
{
    const collapse *all = context;
    size_t compared;
    if (!(parameters[CLUP_SCALING_NU] > 0))
        return INFINITY;
    const double value = quality(all, parameters, &compared);
    return 2 * compared >= all->count ? value : INFINITY;
}

static double value_at(void *context, const double *x)
{
    const collapse *all = context;
    double parameters[CLUP_SCALING_PARAMETERS];
    memcpy(parameters, all->at, sizeof parameters);
    for (unsigned k = 0; k < all->n; k++)
        parameters[all->varied[k]] = x[k];
    return value_of(context, parameters);
}

/* Returns the least S where one parameter stays, or where p is CLUP_SCALING_PARAMETERS, all that
 * are fitted vary. Moves parameters there. steps are for all parameters. */
static double descend(collapse *all, unsigned p, double *parameters, const double *steps)
{
    double x[CLUP_SCALING_PARAMETERS], widths[CLUP_SCALING_PARAMETERS];
    memcpy(all->at, parameters, sizeof all->at);
    all->n = 0;
    for (unsigned k = 0; k < CLUP_SCALING_PARAMETERS; k++)
        if (clup_scaling_fits(all->model, k) && k != p) {
            all->varied[all->n] = k;
            widths[all->n] = steps[k];
            x[all->n++] = parameters[k];
        }
    const double value = clup_simplex(value_at, all, x, widths, all->n);
    for (unsigned k = 0; k < all->n; k++)
        parameters[all->varied[k]] = x[k];
    return value;
}

/* Finds where S is above a limit, from the best place in the direction of sign. */
static double edge(collapse *all, unsigned p, const double *best, const double *steps, double limit,
                   double sign)
{
    double inside = 0, outside = steps[p] / 64, parameters[CLUP_SCALING_PARAMETERS];
    bool found = false;
    for (unsigned k = 0; k < DOUBLINGS + HALVINGS; k++) {
        const double off = found ? (inside + outside) / 2 : outside;
        memcpy(parameters, best, sizeof parameters);
        parameters[p] += sign * off;
        const bool above = !(descend(all, p, parameters, steps) <= limit);
        if (!found && !above && k == DOUBLINGS)
            return sign * INFINITY;
        found = found || above;
        if (above)
            outside = off;
        else
            inside = off;
        if (!found)
            outside *= 2;
        else if (outside - inside < 1e-4 * outside)
            break;
    }
    return best[p] + sign * outside;
}

static void measure_edges(collapse *all, const double *best, const double *steps, double least,
                          clup_scaling_result *result)
{
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        result->low[p] = result->high[p] = result->values[p] = best[p];
        if (!clup_scaling_fits(all->model, p))
            continue;
        result->low[p] = edge(all, p, best, steps, least + 1, -1);
        result->high[p] = edge(all, p, best, steps, least + 1, 1);
        result->errors[p] = (result->high[p] - result->low[p]) / 2;
    }
}

static clup_status check(const clup_scaling *scaling, const clup_scaling_model *model)
{
    clup_scaling_model plain = *model;
    if (clup_scaling_fits(model, CLUP_SCALING_OMEGA))
        return clup_fail(CLUP_ERROR_USAGE, "omega is fitted, and a collapse has no corrections");
    plain.terms = 1;
    plain.corrections = 0;
    const clup_status status = clup_scaling_check(scaling, &plain);
    if (status == CLUP_OK && clup_scaling_sizes(scaling, model->least) < 2)
        return clup_fail(CLUP_ERROR_USAGE, "fewer than two sizes from %g on", model->least);
    return status;
}

/* The range of x of all values. */
static double range(const collapse *all)
{
    double from = INFINITY, to = -INFINITY;
    for (size_t k = 0; k < all->count; k++) {
        from = fmin(from, all->points[k].x);
        to = fmax(to, all->points[k].x);
    }
    return to > from ? to - from : 1;
}

clup_status clup_scaling_collapse(const clup_scaling *scaling, const clup_scaling_model *model,
                                  clup_scaling_result *result)
{
    collapse all = {.model = model};
    scaling_start starts[STARTS];
    double best[CLUP_SCALING_PARAMETERS], least = INFINITY;
    size_t count;
    CLUP_NEED(scaling);
    CLUP_NEED(model);
    CLUP_NEED(result);
    *result = (clup_scaling_result){0};
    clup_status status = check(scaling, model);
    if (status == CLUP_OK)
        status = gather(&all, scaling, model->least);
    if (status != CLUP_OK)
        goto done;
    const double steps[CLUP_SCALING_PARAMETERS] = {range(&all) / 20, 0.1, 0.1, 0};
    clup_scaling_search(scaling, model, value_of, &all, starts, STARTS, &count);
    for (size_t k = 0; k < count; k++) {
        const double value = descend(&all, CLUP_SCALING_PARAMETERS, starts[k].parameters, steps);
        if (value < least) {
            least = value;
            memcpy(best, starts[k].parameters, sizeof best);
        }
    }
    if (!isfinite(least)) {
        status = clup_fail(CLUP_ERROR_USAGE, "sizes do not overlap: fewer than half of the values "
                                             "are between those of another size");
        goto done;
    }
    measure_edges(&all, best, steps, least, result);
    result->chi2 = result->probability = NAN;
    result->quality = quality(&all, best, &result->points);
    result->sizes = all.size_count;
done:
    release(&all);
    return status;
}
