/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance of values, or of derivatives by beta, at several temperatures. */
#include <math.h>
#include <stdlib.h>

#include "estimate/reweight.h"

static clup_status check(unsigned derivative, const double *betas, size_t count)
{
    if (derivative > 1)
        return clup_fail(CLUP_ERROR_USAGE, "derivative number %u; there are 0 and 1", derivative);
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no temperatures");
    for (size_t k = 0; k < count; k++)
        if (!(betas[k] >= 0) || !isfinite(betas[k]))
            return clup_fail(CLUP_ERROR_USAGE, "beta %g is not a number from 0 up", betas[k]);
    return CLUP_OK;
}

/* The value or the derivative, of all values or without a block. */
static double value_at(const reweight_curve *curve, unsigned derivative, double beta, int without)
{
    double slope;
    if (derivative == 0)
        return without < 0 ? clup_reweight_corrected(curve, beta)
                           : clup_reweight_value(curve, beta, without);
    (void)clup_reweight_slope(curve, beta, without, &slope);
    return slope;
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
    reweight_curve curve;
    CLUP_NEED(reweighting);
    CLUP_NEED(name);
    CLUP_NEED(betas);
    CLUP_NEED(values);
    CLUP_NEED(covariance);
    clup_status status = check(derivative, betas, count);
    if (status == CLUP_OK)
        status = clup_reweight_curve(reweighting, name, &curve);
    if (status != CLUP_OK)
        return status;
    const unsigned blocks = reweighting->blocks;
    double *without = malloc((blocks * count + 1) * sizeof *without);
    if (without == NULL)
        return clup_fail_memory("the covariance");
    for (size_t k = 0; k < count; k++) {
        for (unsigned b = 0; b < blocks; b++)
            without[b * count + k] = value_at(&curve, derivative, betas[k], (int)b);
        values[k] = value_at(&curve, derivative, betas[k], -1);
    }
    spread(without, blocks, count, covariance);
    free(without);
    return CLUP_OK;
}
