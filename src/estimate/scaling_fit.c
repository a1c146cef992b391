/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of finite-size scaling: least squares by the method of Levenberg and Marquardt (D. W.
 * Marquardt, J. SIAM 11, 431 (1963)). At most four parameters are not linear. For each place on a
 * grid of these the linear ones follow exactly, so that a search finds where to begin, and no
 * starting values need be given. A library such as MINPACK would not do that part, which is the
 * larger one, and would be one more package to install. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/distributions.h"
#include "estimate/linear.h"
#include "estimate/scaling.h"

#define STEPS_MOST 300
/* From how many places of the grid a minimum is searched. */
#define STARTS 6
/* The predicted decrease of chi2 at which a search ends. */
#define NEAR 1e-9
/* The limits of nu and omega. */
#define LEAST 0.01
#define LARGEST 100.
#define COLUMNS_MOST (CLUP_SCALING_PARAMETERS + 2 * CLUP_SCALING_TERMS)

typedef struct fit {
    const clup_scaling *scaling;
    const clup_scaling_model *model;
    size_t rows;                                 /* independent values */
    unsigned columns, nonlinear;                 /* the first columns are parameters that are not */
    unsigned parameter[CLUP_SCALING_PARAMETERS]; /* of these columns */
    /* [rows + columns][columns], twice, and [rows + columns], twice; [most values][columns + 1] */
    double *matrix, *matrix_kept, *off, *off_kept, *raw;
} fit;

/* A place: parameters, and terms a and b after each other. */
typedef struct place {
    double parameters[CLUP_SCALING_PARAMETERS], terms[2 * CLUP_SCALING_TERMS], chi2;
} place;

static const double *corrections_of(const fit *fit, const place *at)
{
    return at->terms + fit->model->terms;
}

/* Sets row[columns] to the derivatives of a value, and row[columns] after them to the value. */
static void differentiate(const fit *fit, const place *at, double length, double x, double *row)
{
    const clup_scaling_model *model = fit->model;
    const double *of = at->parameters, log_length = log(length),
                 whole = pow(length, of[CLUP_SCALING_KAPPA]),
                 omega = model->corrections > 0 ? of[CLUP_SCALING_OMEGA] : 0,
                 small = model->corrections > 0 ? pow(length, -omega) : 0, nu = of[CLUP_SCALING_NU];
    const scaling_sums sums = clup_scaling_sums(
        of, at->terms, model->terms, corrections_of(fit, at), model->corrections, length, x);
    const double value = whole * (sums.p + small * sums.q),
                 slope = whole * (sums.p_slope + small * sums.q_slope);
    const double derivatives[CLUP_SCALING_PARAMETERS] = {
        [CLUP_SCALING_X_C] = -slope * pow(length, 1 / nu),
        [CLUP_SCALING_NU] = -slope * sums.z * log_length / (nu * nu),
        [CLUP_SCALING_KAPPA] = log_length * value,
        [CLUP_SCALING_OMEGA] = -log_length * whole * small * sums.q};
    for (unsigned c = 0; c < fit->nonlinear; c++)
        row[c] = derivatives[fit->parameter[c]];
    double power = whole;
    for (unsigned k = 0; k < model->terms; k++, power *= sums.z)
        row[fit->nonlinear + k] = power;
    power = whole * small;
    for (unsigned k = 0; k < model->corrections; k++, power *= sums.z)
        row[fit->nonlinear + model->terms + k] = power;
    row[fit->columns] = value;
}

/* Sets matrix[rows][columns] to the derivatives of the independent values, and off[rows] to what
 * the values have more than the model. */
static void linearise(const fit *fit, const place *at)
{
    size_t row = 0;
    const unsigned columns = fit->columns;
    for (size_t s = 0; s < fit->scaling->count; s++) {
        const scaling_set *set = &fit->scaling->sets[s];
        if (set->length < fit->model->least)
            continue;
        for (size_t k = 0; k < set->count; k++)
            differentiate(fit, at, set->length, set->x[k], fit->raw + k * (columns + 1));
        for (size_t i = 0; i < set->kept; i++, row++) {
            double *to = fit->matrix + row * columns;
            memset(to, 0, columns * sizeof *to);
            fit->off[row] = 0;
            for (size_t k = 0; k < set->count; k++) {
                const double white = set->white[i * set->count + k],
                             *from = fit->raw + k * (columns + 1);
                for (unsigned c = 0; c < columns; c++)
                    to[c] += white * from[c];
                fit->off[row] += white * (set->values[k] - from[columns]);
            }
        }
    }
}

static double squares(const fit *fit)
{
    double sum = 0;
    for (size_t r = 0; r < fit->rows; r++)
        sum += fit->off[r] * fit->off[r];
    return sum;
}

static double chi2_at(const fit *fit, const place *at)
{
    linearise(fit, at);
    return squares(fit);
}

/* Sets the terms to those with the least chi2 at the parameters; false where they are not
 * determined. */
static bool solve_terms(const fit *fit, place *at)
{
    const unsigned linear = fit->columns - fit->nonlinear;
    double scales[COLUMNS_MOST];
    memset(at->terms, 0, sizeof at->terms);
    linearise(fit, at);
    /* off is the values themselves, as all terms are 0 */
    for (size_t r = 0; r < fit->rows; r++)
        memmove(fit->matrix + r * linear, fit->matrix + r * fit->columns + fit->nonlinear,
                linear * sizeof *fit->matrix);
    if (fit->rows < linear ||
        !clup_least_squares(fit->matrix, fit->off, fit->rows, linear, at->terms, scales))
        return false;
    at->chi2 = 0;
    for (size_t r = linear; r < fit->rows; r++)
        at->chi2 += fit->off[r] * fit->off[r];
    return true;
}

static double search_value(void *context, const double *parameters)
{
    const fit *fit = context;
    place at;
    memcpy(at.parameters, parameters, sizeof at.parameters);
    return solve_terms(fit, &at) ? at.chi2 : NAN;
}

/* Whether the exponents that are fitted are within their limits. */
static bool allowed(const fit *fit, const place *at)
{
    for (unsigned c = 0; c < fit->nonlinear; c++) {
        const unsigned p = fit->parameter[c];
        const double value = at->parameters[p];
        if (!isfinite(value) || ((p == CLUP_SCALING_NU || p == CLUP_SCALING_OMEGA) &&
                                 (value < LEAST || value > LARGEST)))
            return false;
    }
    return true;
}

/* Takes the step that the linear model asks for, with damping of the parameters that are not
 * linear. Returns false where there is none. *predicted becomes the decrease of chi2 in the linear
 * model. */
static bool step(const fit *fit, const place *from, double damping, place *to, double *predicted)
{
    const unsigned columns = fit->columns;
    double x[COLUMNS_MOST], scales[COLUMNS_MOST], lengths[COLUMNS_MOST] = {0}, after = 0,
                                                  before = 0;
    memcpy(fit->matrix, fit->matrix_kept, fit->rows * columns * sizeof *fit->matrix);
    memcpy(fit->off, fit->off_kept, fit->rows * sizeof *fit->off);
    for (size_t r = 0; r < fit->rows; r++)
        for (unsigned c = 0; c < columns; c++)
            lengths[c] += fit->matrix[r * columns + c] * fit->matrix[r * columns + c];
    for (unsigned c = 0; c < columns; c++) {
        memset(fit->matrix + (fit->rows + c) * columns, 0, columns * sizeof *fit->matrix);
        fit->matrix[(fit->rows + c) * columns + c] = c < fit->nonlinear ? sqrt(damping * lengths[c])
                                                                        : 0;
        fit->off[fit->rows + c] = 0;
    }
    if (!clup_least_squares(fit->matrix, fit->off, fit->rows + columns, columns, x, scales))
        return false;
    *to = *from;
    for (unsigned c = 0; c < columns; c++)
        *(c < fit->nonlinear ? &to->parameters[fit->parameter[c]]
                             : &to->terms[c - fit->nonlinear]) += x[c];
    for (size_t r = 0; r < fit->rows; r++) {
        double off = fit->off_kept[r];
        for (unsigned c = 0; c < columns; c++)
            off -= fit->matrix_kept[r * columns + c] * x[c];
        before += fit->off_kept[r] * fit->off_kept[r];
        after += off * off;
    }
    *predicted = before - after;
    return true;
}

/* Keeps the linear model at a place. */
static void keep_model(const fit *fit, place *at)
{
    at->chi2 = chi2_at(fit, at);
    memcpy(fit->matrix_kept, fit->matrix, fit->rows * fit->columns * sizeof *fit->matrix);
    memcpy(fit->off_kept, fit->off, fit->rows * sizeof *fit->off);
}

/* Searches the minimum from a place on; false where none is found. After each step the terms are
 * solved for, so that narrow valleys of both kinds of parameters need few steps (G. H. Golub and V.
 * Pereyra, SIAM Journal on Numerical Analysis 10, 413 (1973)). */
static bool descend(const fit *fit, place *at)
{
    double damping = 1e-3;
    keep_model(fit, at);
    for (unsigned k = 0; k < STEPS_MOST; k++) {
        place to;
        double predicted;
        if (!step(fit, at, damping, &to, &predicted))
            return false;
        if (predicted < NEAR * fmin(1, at->chi2 + 1e-6) && damping < 1e-2)
            return true;
        if (allowed(fit, &to) && solve_terms(fit, &to) && to.chi2 <= at->chi2) {
            *at = to;
            keep_model(fit, at);
            damping = fmax(damping / 10, 1e-12);
        } else if ((damping *= 10) > 1e12) {
            /* no shorter step helps: rounding errors alone are left, or a limit is reached */
            return step(fit, at, 1e-12, &to, &predicted) && predicted < 1e-6;
        }
    }
    return false;
}

/* ---- the fit --------------------------------------------------------------------------------- */

static clup_status prepare(fit *fit)
{
    size_t most = 0;
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++)
        if (clup_scaling_fits(fit->model, p))
            fit->parameter[fit->nonlinear++] = p;
    fit->columns = fit->nonlinear + fit->model->terms + fit->model->corrections;
    for (size_t s = 0; s < fit->scaling->count; s++) {
        const scaling_set *set = &fit->scaling->sets[s];
        most = set->count > most ? set->count : most;
        fit->rows += set->length >= fit->model->least ? set->kept : 0;
    }
    if (fit->rows < fit->columns)
        return clup_fail(CLUP_ERROR_USAGE, "%zu independent values for %u parameters", fit->rows,
                         fit->columns);
    const size_t all = fit->rows + fit->columns;
    double *room = malloc((2 * all * (fit->columns + 1u) + most * (fit->columns + 1u)) *
                          sizeof *room);
    if (room == NULL)
        return clup_fail_memory("the fit");
    fit->matrix = room;
    fit->matrix_kept = fit->matrix + all * fit->columns;
    fit->off = fit->matrix_kept + all * fit->columns;
    fit->off_kept = fit->off + all;
    fit->raw = fit->off_kept + all;
    return CLUP_OK;
}

static clup_status undetermined(const fit *fit)
{
    return clup_fail(CLUP_ERROR_USAGE,
                     "%zu independent values of %zu sizes do not determine these %u parameters",
                     fit->rows, clup_scaling_sizes(fit->scaling, fit->model->least), fit->columns);
}

/* Whether the first correction is less than the first term at the largest size, as it must be where
 * it vanishes with the size: other minima of chi2 have the two in each other's place. */
static bool corrects(const fit *fit, const place *at)
{
    double largest = 1;
    if (fit->model->corrections == 0)
        return true;
    for (size_t s = 0; s < fit->scaling->count; s++)
        largest = fmax(largest, fit->scaling->sets[s].length);
    return fabs(at->terms[fit->model->terms]) * pow(largest, -at->parameters[CLUP_SCALING_OMEGA]) <
           fabs(at->terms[0]);
}

/* Finds the best place. */
static clup_status find(fit *fit, place *best)
{
    scaling_start starts[STARTS];
    size_t count;
    bool found = false, corrected = false;
    clup_scaling_search(fit->scaling, fit->model, search_value, fit, starts, STARTS, &count);
    for (size_t k = 0; k < count; k++) {
        place at;
        memcpy(at.parameters, starts[k].parameters, sizeof at.parameters);
        if (!solve_terms(fit, &at) || !descend(fit, &at))
            continue;
        const bool better = corrects(fit, &at);
        if (!found || (better && !corrected) || (better == corrected && at.chi2 < best->chi2)) {
            *best = at;
            corrected = better;
            found = true;
        }
    }
    if (count == 0)
        return undetermined(fit);
    return found ? CLUP_OK
                 : clup_fail(CLUP_ERROR_RUNTIME, "no minimum of chi2 was found: give values to "
                                                 "begin at, or fit fewer parameters");
}

/* By how much covariances of parameters are larger because those of values come from blocks. Of b
 * blocks for n values and m parameters it is 1 + (n - m) (b - n - 2)/((b - n - 1) (b - n - 4)) (S.
 * Dodelson and M. D. Schneider, Phys. Rev. D 88, 063537 (2013)); m is shared out by n. */
static double excess(const fit *fit)
{
    const double rows = (double)fit->rows, free = 1 - fit->columns / rows;
    double sum = 1;
    for (size_t s = 0; s < fit->scaling->count; s++) {
        const scaling_set *set = &fit->scaling->sets[s];
        const double n = (double)set->kept, left = set->blocks - n - 4;
        if (set->blocks > 0 && left > 0 && set->length >= fit->model->least)
            sum += n / rows * n * free * (left + 2) / ((left + 3) * left);
    }
    return sum;
}

static clup_status report(const fit *fit, place *at, clup_scaling_result *result)
{
    double covariance[COLUMNS_MOST * COLUMNS_MOST], x[COLUMNS_MOST], scales[COLUMNS_MOST];
    const unsigned columns = fit->columns, first = fit->nonlinear, terms = fit->model->terms;
    at->chi2 = chi2_at(fit, at);
    if (!clup_least_squares(fit->matrix, fit->off, fit->rows, columns, x, scales))
        return undetermined(fit);
    clup_least_covariance(fit->matrix, columns, scales, covariance);
    const double factor = excess(fit);
    for (unsigned k = 0; k < columns * columns; k++)
        covariance[k] *= factor;
    memcpy(result->values, at->parameters, sizeof result->values);
    for (unsigned i = 0; i < first; i++)
        for (unsigned j = 0; j < first; j++)
            result->covariance[fit->parameter[i]][fit->parameter[j]] = covariance[i * columns + j];
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        result->errors[p] = sqrt(result->covariance[p][p]);
        result->low[p] = result->values[p] - result->errors[p];
        result->high[p] = result->values[p] + result->errors[p];
    }
    for (unsigned k = 0; k < columns - first; k++) {
        const unsigned c = first + k;
        *(k < terms ? &result->a[k] : &result->b[k - terms]) = at->terms[k];
        *(k < terms ? &result->a_errors[k]
                    : &result->b_errors[k - terms]) = sqrt(covariance[c * columns + c]);
    }
    result->chi2 = at->chi2;
    result->freedom = (unsigned)(fit->rows - columns);
    result->probability = clup_chi2_above(at->chi2, result->freedom);
    result->quality = NAN;
    result->sizes = clup_scaling_sizes(fit->scaling, fit->model->least);
    result->points = fit->rows;
    return CLUP_OK;
}

clup_status clup_scaling_fit(const clup_scaling *scaling, const clup_scaling_model *model,
                             clup_scaling_result *result)
{
    CLUP_NEED(scaling);
    CLUP_NEED(model);
    CLUP_NEED(result);
    fit fit = {.scaling = scaling, .model = model};
    place best;
    *result = (clup_scaling_result){0};
    clup_status status = clup_scaling_check(scaling, model);
    if (status == CLUP_OK)
        status = prepare(&fit);
    if (status != CLUP_OK)
        return status;
    status = find(&fit, &best);
    if (status == CLUP_OK)
        status = report(&fit, &best, result);
    free(fit.matrix);
    return status;
}
