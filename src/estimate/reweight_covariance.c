/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance of values at other temperatures, and derivatives by the temperature. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/reweight.h"

/* The step of a derivative, in units of the distance over which weights change: 1 over the standard
 * deviation of the energy. The error is of second order. */
#define STEP 1e-3

/* The curve of one observable: its row, and the step of its derivative; 0 for its value. */
typedef struct curve {
    const clup_reweighting *of;
    unsigned row;
    double step;
} curve;

static double value_at(const curve *curve, double beta, int without)
{
    double values[OBSERVED], others[OBSERVED];
    /* no temperature is negative */
    const double below = fmax(0, beta - curve->step), above = beta + curve->step;
    clup_reweight_rows(curve->of, curve->step > 0 ? above : beta, without, values);
    if (!(curve->step > 0))
        return values[curve->row];
    clup_reweight_rows(curve->of, below, without, others);
    return (values[curve->row] - others[curve->row]) / (above - below);
}

/* The standard deviation of the energies that were sampled, at least that of one level. */
static double deviation(const clup_reweighting *of)
{
    double weight = 0, mean = 0, square = 0;
    for (size_t k = 0; k < of->levels; k++) {
        weight += of->level[k].weight;
        mean += of->level[k].weight * of->level[k].energy;
        square += of->level[k].weight * of->level[k].energy * of->level[k].energy;
    }
    mean /= weight;
    return sqrt(fmax(1, square / weight - mean * mean));
}

static clup_status check(const clup_reweighting *of, const char *name, unsigned derivative,
                         const double *betas, size_t count, unsigned *row)
{
    for (*row = 0; *row < of->rows; ++*row)
        if (strcmp(clup_observable_name(of->row[*row]), name) == 0)
            break;
    if (*row == of->rows)
        return clup_fail(CLUP_ERROR_USAGE, "'%.80s' is not known at other temperatures", name);
    if (derivative > 1)
        return clup_fail(CLUP_ERROR_USAGE, "derivative number %u; there are 0 and 1", derivative);
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no temperatures");
    for (size_t k = 0; k < count; k++)
        if (!(betas[k] >= 0) || !isfinite(betas[k]))
            return clup_fail(CLUP_ERROR_USAGE, "beta %g is not a number from 0 up", betas[k]);
    return CLUP_OK;
}

/* Sets covariance[count][count] by without[blocks][count], the values without each block; to NAN
 * with fewer than two blocks. */
static void spread(double *without, unsigned blocks, size_t count, double *covariance)
{
    for (size_t k = 0; k < count * count && blocks < 2; k++)
        covariance[k] = NAN;
    if (blocks < 2)
        return;
    for (size_t k = 0; k < count; k++) {
        double mean = 0;
        for (unsigned b = 0; b < blocks; b++)
            mean += (without[b * count + k] - without[k]) / blocks;
        mean += without[k];
        for (unsigned b = 0; b < blocks; b++)
            without[b * count + k] -= mean;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            double sum = 0;
            for (unsigned b = 0; b < blocks; b++)
                sum += without[b * count + i] * without[b * count + j];
            covariance[i * count + j] = sum * (blocks - 1) / blocks;
        }
}

clup_status clup_reweighting_covariance(const clup_reweighting *reweighting, const char *name,
                                        unsigned derivative, const double *betas, size_t count,
                                        double *values, double *covariance)
{
    curve curve = {.of = reweighting};
    CLUP_NEED(reweighting);
    CLUP_NEED(name);
    CLUP_NEED(betas);
    CLUP_NEED(values);
    CLUP_NEED(covariance);
    const clup_status status = check(reweighting, name, derivative, betas, count, &curve.row);
    if (status != CLUP_OK)
        return status;
    const unsigned blocks = reweighting->blocks;
    double *without = malloc((blocks * count + 1) * sizeof *without), errors[OBSERVED];
    if (without == NULL)
        return clup_fail_memory("the covariance");
    curve.step = derivative > 0 ? STEP / deviation(reweighting) : 0;
    for (size_t k = 0; k < count; k++) {
        for (unsigned b = 0; b < blocks; b++)
            without[b * count + k] = value_at(&curve, betas[k], (int)b);
        values[k] = value_at(&curve, betas[k], -1);
        if (derivative == 0) {
            clup_reweight_errors(reweighting, betas[k], errors);
            values[k] += clup_reweight_bias(reweighting, curve.row, betas[k], errors);
        }
    }
    spread(without, blocks, count, covariance);
    free(without);
    return CLUP_OK;
}
