/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves in beta: observables and expressions at other temperatures, and their slopes. */
#include <math.h>
#include <string.h>

#include "core/couplings.h"
#include "estimate/estimate.h"
#include "estimate/reweight.h"

static bool find(const void *of, const char *name, size_t *row)
{
    const clup_reweighting *reweighting = of;
    const unsigned rows = clup_reweight_row_count(reweighting);
    for (*row = 0; *row < rows; ++*row)
        if (strcmp(clup_reweight_row_name(reweighting, (unsigned)*row), name) == 0)
            return true;
    return false;
}

/* The observable of a name, which may be that of one of its values, as in correlation_x_16. */
static bool observable_of(const char *name, clup_observable *observable)
{
    char shorter[CLUP_RECORD_KEY];
    if (clup_observable_named(name, observable) == CLUP_OK)
        return true;
    const char *end = strrchr(name, '_');
    if (end == NULL || end[1] == '\0' || strspn(end + 1, "0123456789") != strlen(end + 1) ||
        (size_t)(end - name) >= sizeof shorter)
        return false;
    memcpy(shorter, name, (size_t)(end - name));
    shorter[end - name] = '\0';
    return clup_observable_named(shorter, observable) == CLUP_OK &&
           clup_observable_has_values(*observable);
}

/* Why the name of an observable is not known at other temperatures; NULL where it has no reason of
 * its own. */
static const char *reason_of(const clup_reweighting *of, const char *name)
{
    clup_observable observable;
    if (!observable_of(name, &observable))
        return NULL;
    if (clup_observable_of_spins(observable))
        return "not all series have it";
    if (clup_observable_of_bonds(observable) && of->bonds == NULL)
        return clup_bonds_weigh(&of->problem, NULL)
                   ? "it depends on the active bonds, whose number fk_bonds not all series have"
                   : "it depends on the active bonds, whose number tells their weight only in "
                     "Potts and Ising models on lattices, with couplings of one size and without "
                     "a field";
    if (clup_observable_of_bonds(observable))
        return "not all series have it";
    if (clup_observable_needs_clusters(observable))
        return "it depends on bonds that are not counted; fk_modes has the like";
    return observable == CLUP_UPDATED ? "it depends on what a sweep did"
                                      : "it depends on the energies of two systems";
}

/* Says why a name or an expression is not known. */
static clup_status refuse(const clup_reweighting *of, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    for (const char *at = text; *at != '\0';) {
        char name[CLUP_RECORD_KEY];
        size_t row;
        const size_t length = strspn(at, letters);
        if (length > 0 && length<sizeof name && * at> '9') {
            memcpy(name, at, length);
            name[length] = '\0';
            const char *reason = find(of, name, &row) ? NULL : reason_of(of, name);
            if (reason != NULL)
                return clup_fail(CLUP_ERROR_USAGE, "'%s' is not known at other temperatures: %s",
                                 name, reason);
        }
        at += length > 0 ? length : 1;
    }
    return clup_fail(CLUP_ERROR_USAGE, "'%.200s' is not known at other temperatures", text);
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
    return clup_expression_read(name, &names, &curve->expression) == CLUP_OK ? CLUP_OK
                                                                             : refuse(of, name);
}

static double value_of(const reweight_curve *curve, const reweight_point *means)
{
    double values[CLUP_EXPRESSION_NAMES];
    if (curve->row >= 0)
        return clup_reweight_row_value(curve->of, means, (unsigned)curve->row);
    for (unsigned k = 0; k < curve->expression.row_count; k++)
        values[k] = clup_reweight_row_value(curve->of, means, (unsigned)curve->expression.rows[k]);
    return clup_expression_value(&curve->expression, means->spins.means.beta, values);
}

double clup_reweight_value(const reweight_curve *curve, double beta, int without)
{
    reweight_point means;
    clup_reweight_means(curve->of, beta, without, &means, NULL);
    return value_of(curve, &means);
}

double clup_reweight_corrected(const reweight_curve *curve, double beta)
{
    double errors[REWEIGHT_ROWS], value = clup_reweight_value(curve, beta, -1);
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
static double moved(const reweight_curve *curve, const reweight_point *means,
                    const reweight_point *slopes, double step)
{
    reweight_point to = *means;
    clup_reweight_move(curve->of, &to, slopes, step);
    return value_of(curve, &to);
}

/* The means have exact slopes; a function of them is followed along these by differences of fourth
 * order (Abramowitz and Stegun, 25.3.6 with its halved step). A step is a thousandth of what
 * changes the means by their scatter, or beta by itself. */
double clup_reweight_slope(const reweight_curve *curve, double beta, int without, double *slope)
{
    reweight_point means, slopes;
    clup_reweight_means(curve->of, beta, without, &means, &slopes);
    const double energy_slope = slopes.spins.means.of[CLUP_MEAN_ENERGY] * curve->of->sites,
                 scatter = sqrt(fmax(0, -energy_slope)),
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
