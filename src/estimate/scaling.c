/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of finite-size scaling: kept by length, with what makes their errors independent. */
#include "estimate/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/linear.h"

/* Of a covariance that is known: the least eigenvalue, relative to the largest. */
#define ROUNDING 1e-10

clup_status clup_scaling_create(clup_scaling **out)
{
    CLUP_NEED(out);
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CLUP_OK : clup_fail_memory("the sizes");
}

static void drop(scaling_set *set)
{
    free(set->x);
    free(set->values);
    free(set->errors);
    free(set->white);
}

void clup_scaling_free(clup_scaling *scaling)
{
    for (size_t k = 0; scaling != NULL && k < scaling->count; k++)
        drop(&scaling->sets[k]);
    if (scaling != NULL)
        free(scaling->sets);
    free(scaling);
}

static clup_status check(double length, const double *x, const double *values,
                         const double *covariance, size_t count, unsigned blocks)
{
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no values");
    if (!(length > 0) || !isfinite(length))
        return clup_fail(CLUP_ERROR_USAGE, "length %g is not above 0", length);
    if (blocks > 0 && blocks < 4)
        return clup_fail(CLUP_ERROR_USAGE, "a covariance of %u blocks; 4 are needed", blocks);
    for (size_t k = 0; k < count; k++) {
        const double variance = covariance[k * count + k];
        if (!isfinite(x[k]) || !isfinite(values[k]))
            return clup_fail(CLUP_ERROR_USAGE, "value %g at %g of length %g is not finite",
                             values[k], x[k], length);
        if (!(variance > 0) || !isfinite(variance))
            return clup_fail(CLUP_ERROR_USAGE,
                             "the error at %.9g of length %g is not above 0: its square is %g",
                             x[k], length, variance);
        for (size_t j = 0; j < k; j++) {
            const double scale = sqrt(variance * covariance[j * count + j]);
            if (!(fabs(covariance[k * count + j] - covariance[j * count + k]) <= 1e-9 * scale))
                return clup_fail(CLUP_ERROR_USAGE,
                                 "the covariance of length %g is not symmetric: %g and %g", length,
                                 covariance[k * count + j], covariance[j * count + k]);
        }
    }
    return CLUP_OK;
}

/* Sets the rows of white by the eigenvectors of the correlation matrix. room[2 n^2 + n] is working
 * space. */
static clup_status whiten(scaling_set *set, const double *covariance, unsigned blocks, double *room)
{
    const size_t n = set->count, most = blocks > 0 && blocks / 8 < n ? blocks / 8 : n;
    double *matrix = room, *vectors = matrix + n * n, *values = vectors + n * n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            matrix[i * n + j] = covariance[i * n + j] / (set->errors[i] * set->errors[j]);
    clup_eigen(matrix, n, values, vectors);
    if (!(values[n - 1] > -1e-6 * values[0]))
        return clup_fail(CLUP_ERROR_USAGE,
                         "the covariance of length %g is none: an eigenvalue of the correlations "
                         "is %g",
                         set->length, values[n - 1]);
    const double least = values[0] * (blocks > 0 ? CLUP_SCALING_CUT : ROUNDING);
    while (set->kept < n && values[set->kept] >= least && (set->kept == 0 || set->kept < most))
        set->kept++;
    const double b = blocks, excess = b > set->kept + 2. ? (b - set->kept - 2.) / (b - 1) : 1;
    for (size_t k = 0; k < set->kept; k++)
        for (size_t j = 0; j < n; j++)
            set->white[k * n + j] = vectors[k * n + j] *
                                    sqrt((blocks > 0 ? excess : 1) / values[k]) / set->errors[j];
    return CLUP_OK;
}

static clup_status fill(scaling_set *set, double length, const double *x, const double *values,
                        const double *covariance, size_t count, unsigned blocks)
{
    const size_t room_size = 2 * count * count + count;
    *set = (scaling_set){length,
                         malloc(count * sizeof *set->x),
                         malloc(count * sizeof *set->values),
                         malloc(count * sizeof *set->errors),
                         malloc(count * count * sizeof *set->white),
                         count,
                         0,
                         blocks};
    double *room = malloc(room_size * sizeof *room);
    if (set->x == NULL || set->values == NULL || set->errors == NULL || set->white == NULL ||
        room == NULL) {
        free(room);
        return clup_fail_memory("the values");
    }
    memcpy(set->x, x, count * sizeof *x);
    memcpy(set->values, values, count * sizeof *values);
    for (size_t k = 0; k < count; k++)
        set->errors[k] = sqrt(covariance[k * count + k]);
    const clup_status status = whiten(set, covariance, blocks, room);
    free(room);
    return status;
}

clup_status clup_scaling_add(clup_scaling *scaling, double length, const double *x,
                             const double *values, const double *covariance, size_t count,
                             unsigned blocks)
{
    scaling_set set = {0};
    CLUP_NEED(scaling);
    CLUP_NEED(x);
    CLUP_NEED(values);
    CLUP_NEED(covariance);
    clup_status status = check(length, x, values, covariance, count, blocks);
    if (status != CLUP_OK)
        return status;
    status = fill(&set, length, x, values, covariance, count, blocks);
    scaling_set *grown = status == CLUP_OK
                             ? realloc(scaling->sets, (scaling->count + 1) * sizeof *grown)
                             : NULL;
    if (grown == NULL) {
        drop(&set);
        return status != CLUP_OK ? status : clup_fail_memory("the values");
    }
    size_t at = scaling->count++;
    for (; at > 0 && grown[at - 1].length > length; at--)
        grown[at] = grown[at - 1];
    grown[at] = set;
    scaling->sets = grown;
    return CLUP_OK;
}

double clup_scaling_length(const clup_scaling *scaling, size_t row, size_t *values, size_t *kept)
{
    size_t first = 0, counts[2] = {0};
    double length = 0;
    for (size_t k = 0; scaling != NULL && k < scaling->count; k++) {
        const scaling_set *set = &scaling->sets[k];
        first += k > 0 && set->length > scaling->sets[k - 1].length;
        if (first != row)
            continue;
        length = set->length;
        counts[0] += set->count;
        counts[1] += set->kept;
    }
    if (values != NULL)
        *values = counts[0];
    if (kept != NULL)
        *kept = counts[1];
    return length;
}

/* ---- models ---------------------------------------------------------------------------------- */

size_t clup_scaling_sizes(const clup_scaling *scaling, double least)
{
    size_t sizes = 0;
    for (size_t k = 0; k < scaling->count; k++)
        sizes += scaling->sets[k].length >= least &&
                 (k == 0 || scaling->sets[k].length > scaling->sets[k - 1].length);
    return sizes;
}

clup_status clup_scaling_check(const clup_scaling *scaling, const clup_scaling_model *model)
{
    static const char *const names[CLUP_SCALING_PARAMETERS] = {"x_c", "nu", "kappa", "omega"};
    const unsigned exponents = 1u << CLUP_SCALING_NU | 1u << CLUP_SCALING_KAPPA |
                               1u << CLUP_SCALING_OMEGA;
    if (model->terms == 0 || model->terms > CLUP_SCALING_TERMS ||
        model->corrections > CLUP_SCALING_TERMS)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%u terms and %u corrections; there are 1 to %d, and 0 "
                         "to %d",
                         model->terms, model->corrections, CLUP_SCALING_TERMS, CLUP_SCALING_TERMS);
    if (model->fitted >> CLUP_SCALING_PARAMETERS != 0)
        return clup_fail(CLUP_ERROR_USAGE, "fitted is %#x, which has an unknown parameter",
                         model->fitted);
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        const double value = model->values[p];
        const bool searched = clup_scaling_fits(model, p) && isnan(value),
                   positive = p == CLUP_SCALING_NU || p == CLUP_SCALING_OMEGA;
        if (p == CLUP_SCALING_OMEGA && model->corrections == 0) {
            if (clup_scaling_fits(model, p))
                return clup_fail(CLUP_ERROR_USAGE, "omega is fitted, without any corrections");
        } else if (!searched && (!isfinite(value) || (positive && !(value > 0)))) {
            return clup_fail(CLUP_ERROR_USAGE, "%s is %g, which is not %s", names[p], value,
                             positive ? "a number above 0" : "finite");
        }
    }
    const clup_status status = CLUP_RESERVED(model, "the model");
    if (status != CLUP_OK)
        return status;
    const size_t sizes = clup_scaling_sizes(scaling, model->least);
    if (sizes == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no sizes from %g on", model->least);
    if (sizes < 2 && (model->fitted & exponents) != 0)
        return clup_fail(CLUP_ERROR_USAGE, "one size alone, %g: exponents need two sizes or more",
                         scaling->sets[scaling->count - 1].length);
    return CLUP_OK;
}

static double sum_of(const double *terms, unsigned count, double z, double *slope)
{
    double sum = 0;
    *slope = 0;
    for (unsigned k = count; k-- > 0;) {
        *slope = *slope * z + sum;
        sum = sum * z + terms[k];
    }
    return sum;
}

scaling_sums clup_scaling_sums(const double parameters[CLUP_SCALING_PARAMETERS], const double *a,
                               unsigned terms, const double *b, unsigned corrections, double length,
                               double x)
{
    scaling_sums sums = {.z = (x - parameters[CLUP_SCALING_X_C]) *
                              pow(length, 1 / parameters[CLUP_SCALING_NU])};
    sums.p = sum_of(a, terms, sums.z, &sums.p_slope);
    sums.q = sum_of(b, corrections, sums.z, &sums.q_slope);
    return sums;
}

double clup_scaling_value(const clup_scaling_result *result, double length, double x)
{
    if (result == NULL)
        return NAN;
    const double *of = result->values;
    const scaling_sums sums = clup_scaling_sums(of, result->a, CLUP_SCALING_TERMS, result->b,
                                                CLUP_SCALING_TERMS, length, x);
    const double correction = sums.q != 0 ? pow(length, -of[CLUP_SCALING_OMEGA]) * sums.q : 0;
    return pow(length, of[CLUP_SCALING_KAPPA]) * (sums.p + correction);
}
