/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of a binomial distribution. */
#include "estimate/binomial.h"

#include <stdlib.h>

/* Weights that are so much smaller than the largest one are left out. */
#define LEAST 1e-18

/* Returns the weight of n + 1 relative to that of n. */
static double ratio(uint64_t steps, double p, uint64_t n)
{
    return (double)(steps - n) / (double)(n + 1) * (p / (1 - p));
}

clup_status clup_binomial_create(uint64_t steps, double p, clup_binomial *binomial)
{
    const double mode = p * ((double)steps + 1);
    const uint64_t middle = mode >= (double)steps ? steps : (uint64_t)mode;
    double weight = 1, sum = 0;
    *binomial = (clup_binomial){.p = p, .first = middle, .last = middle};
    while (p < 1 && binomial->last < steps && weight > LEAST)
        weight *= ratio(steps, p, binomial->last++);
    weight = 1;
    while (p > 0 && binomial->first > 0 && weight > LEAST)
        weight /= ratio(steps, p, --binomial->first);
    const uint64_t first = binomial->first, count = binomial->last - first + 1;
    binomial->weights = malloc(count * sizeof *binomial->weights);
    binomial->tails = malloc(count * sizeof *binomial->tails);
    if (binomial->weights == NULL || binomial->tails == NULL)
        return clup_fail_memory("the weights of numbers");
    binomial->weights[middle - first] = 1;
    for (uint64_t n = middle; n < binomial->last; n++)
        binomial->weights[n + 1 - first] = binomial->weights[n - first] * ratio(steps, p, n);
    for (uint64_t n = middle; n > first; n--)
        binomial->weights[n - 1 - first] = binomial->weights[n - first] / ratio(steps, p, n - 1);
    for (uint64_t k = 0; k < count; k++)
        sum += binomial->weights[k];
    for (uint64_t k = count; k-- > 0;) {
        binomial->weights[k] /= sum;
        binomial->tails[k] = binomial->weights[k] + (k + 1 < count ? binomial->tails[k + 1] : 0);
    }
    return CLUP_OK;
}

void clup_binomial_clear(clup_binomial *binomial)
{
    free(binomial->weights);
    free(binomial->tails);
    *binomial = (clup_binomial){0};
}

double clup_binomial_mean(const clup_binomial *binomial, const double *values)
{
    /* exact where all values are equal */
    const double base = values[binomial->first];
    double sum = 0;
    for (uint64_t n = binomial->first; n <= binomial->last; n++)
        sum += binomial->weights[n - binomial->first] * (values[n] - base);
    return base + sum;
}

double clup_binomial_from(const clup_binomial *binomial, uint64_t n)
{
    return n > binomial->last ? 0 : n <= binomial->first ? 1 : binomial->tails[n - binomial->first];
}
