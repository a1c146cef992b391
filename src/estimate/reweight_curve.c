/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves in beta: observables and expressions at other temperatures, and their slopes. */
#include <math.h>
#include <string.h>

#include "estimate/reweight.h"

static bool find(const void *of, const char *name, size_t *row)
{
    const clup_reweighting *reweighting = of;
    for (*row = 0; *row < reweighting->rows; ++*row)
        if (strcmp(clup_observable_name(reweighting->row[*row]), name) == 0)
            return true;
    return false;
}

clup_status clup_reweight_curve(const clup_reweighting *of, const char *name, reweight_curve *curve)
{
    const clup_expression_names names = {of, find, of->sites, clup_record_length(&of->problem)};
    size_t row;
    curve->of = of;
    curve->row = -1;
    if (find(of, name, &row)) {
        curve->row = (int)row;
        return CLUP_OK;
    }
    return clup_expression_read(name, &names, &curve->expression) == CLUP_OK
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "'%.200s' is not known at other temperatures", name);
}

static double value_of(const reweight_curve *curve, const clup_means *means)
{
    const clup_observable *row = curve->of->row;
    double values[CLUP_EXPRESSION_NAMES];
    if (curve->row >= 0)
        return clup_means_value(means, row[curve->row]);
    for (unsigned k = 0; k < curve->expression.row_count; k++)
        values[k] = clup_means_value(means, row[curve->expression.rows[k]]);
    return clup_expression_value(&curve->expression, means->beta, values);
}

double clup_reweight_value(const reweight_curve *curve, double beta, int without)
{
    clup_means means;
    clup_reweight_means(curve->of, beta, without, &means, NULL);
    return value_of(curve, &means);
}

double clup_reweight_corrected(const reweight_curve *curve, double beta)
{
    double errors[OBSERVED], value = clup_reweight_value(curve, beta, -1);
    if (curve->row >= 0) {
        clup_reweight_errors(curve->of, beta, errors);
        value += clup_reweight_bias(curve->of, (unsigned)curve->row, beta, errors);
    }
    return value;
}

clup_status clup_reweight_curve_between(const clup_reweighting *of, const char *name, double from,
                                        double to, reweight_curve *curve)
{
    if (!(from >= 0) || !(to > from) || !isfinite(to))
        return clup_fail(CLUP_ERROR_USAGE, "beta from %g to %g", from, to);
    return clup_reweight_curve(of, name, curve);
}

/* The value where beta is larger by a step, and the means follow their slopes. */
static double moved(const reweight_curve *curve, const clup_means *means, const clup_means *slopes,
                    double step)
{
    clup_means to = *means;
    to.beta += step;
    for (unsigned m = 0; m < CLUP_MEANS; m++)
        to.of[m] += step * slopes->of[m];
    return value_of(curve, &to);
}

/* The means have exact slopes; a function of them is followed along these by differences of fourth
 * order (Abramowitz and Stegun, 25.3.6 with its halved step). A step is a thousandth of what
 * changes the means by their scatter, or beta by itself. */
double clup_reweight_slope(const reweight_curve *curve, double beta, int without, double *slope)
{
    clup_means means, slopes;
    clup_reweight_means(curve->of, beta, without, &means, &slopes);
    const double scatter = sqrt(fmax(0, -slopes.of[CLUP_MEAN_ENERGY] * curve->of->sites)),
                 scale = scatter + (beta > 0 ? 1 / beta : 0), step = 1e-3 / (scale > 0 ? scale : 1);
    const double near = moved(curve, &means, &slopes, step) - moved(curve, &means, &slopes, -step),
                 far = moved(curve, &means, &slopes, 2 * step) -
                       moved(curve, &means, &slopes, -2 * step);
    *slope = (8 * near - far) / (12 * step);
    return value_of(curve, &means);
}

clup_status clup_reweighting_slope(const clup_reweighting *reweighting, const char *name,
                                   double beta, clup_slope *slope)
{
    double values[CLUP_BLOCKS_MOST], slopes[CLUP_BLOCKS_MOST];
    reweight_curve curve;
    CLUP_NEED(reweighting);
    CLUP_NEED(name);
    CLUP_NEED(slope);
    if (!(beta >= 0) || !isfinite(beta))
        return clup_fail(CLUP_ERROR_USAGE, "beta %g is not a number from 0 up", beta);
    const clup_status status = clup_reweight_curve(reweighting, name, &curve);
    if (status != CLUP_OK)
        return status;
    *slope = (clup_slope){0};
    slope->value = clup_reweight_corrected(&curve, beta);
    clup_reweight_slope(&curve, beta, -1, &slope->slope);
    for (unsigned b = 0; b < reweighting->blocks; b++)
        values[b] = clup_reweight_slope(&curve, beta, (int)b, &slopes[b]);
    slope->value_error = clup_jackknife_error(values, reweighting->blocks);
    slope->slope_error = clup_jackknife_error(slopes, reweighting->blocks);
    return CLUP_OK;
}
