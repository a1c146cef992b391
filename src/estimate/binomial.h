/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of the numbers of active bonds or occupied sites at a probability. */
#ifndef CLUP_ESTIMATE_BINOMIAL_H
#define CLUP_ESTIMATE_BINOMIAL_H
#include "base/status.h"

/* Of steps numbers, each active with probability p: the probability that n of them are, for n from
 * first to last. Outside it is less than 1e-18 of the largest one. */
typedef struct clup_binomial {
    double p;
    uint64_t first, last;
    double *weights; /* [last - first + 1], their sum is 1 */
    double *tails;   /* [last - first + 1], the probability of n and more */
} clup_binomial;

clup_status clup_binomial_create(uint64_t steps, double p, clup_binomial *binomial);
void clup_binomial_clear(clup_binomial *binomial);
/* Returns the mean of values[steps + 1]. */
double clup_binomial_mean(const clup_binomial *binomial, const double *values);
/* Returns the probability of n and more. */
double clup_binomial_from(const clup_binomial *binomial, uint64_t n);

#endif
