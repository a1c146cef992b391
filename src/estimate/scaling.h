/* SPDX-License-Identifier: BSD-3-Clause */
/* Finite-size scaling: the values, and searches of parameters. */
#ifndef CLUP_ESTIMATE_SCALING_H
#define CLUP_ESTIMATE_SCALING_H
#include <stdbool.h>

#include "base/status.h"

/* Values of one call of clup_scaling_add. */
typedef struct scaling_set {
    double length, *x, *values, *errors; /* [count] */
    /* [kept][count]: a row times the deviations from a model is a deviation with variance 1 that is
     * independent of those of other rows */
    double *white;
    size_t count, kept;
    unsigned blocks; /* 0 for a known covariance */
} scaling_set;
struct clup_scaling {
    scaling_set *sets; /* by length */
    size_t count;
};

/* The sums that clup_scaling_model describes: P = sum of a_k z^k, Q = sum of b_k z^k. */
typedef struct scaling_sums {
    double z, p, p_slope, q, q_slope;
} scaling_sums;
scaling_sums clup_scaling_sums(const double parameters[CLUP_SCALING_PARAMETERS], const double *a,
                               unsigned terms, const double *b, unsigned corrections, double length,
                               double x);

/* Validates a model and the values for it. */
clup_status clup_scaling_check(const clup_scaling *scaling, const clup_scaling_model *model);
/* Returns the number of different lengths from least on. */
size_t clup_scaling_sizes(const clup_scaling *scaling, double least);
/* Whether a parameter is fitted. */
static inline bool clup_scaling_fits(const clup_scaling_model *model, unsigned parameter)
{
    return model->fitted >> parameter & 1;
}

/* Evaluates of at places that fill the ranges of the fitted parameters, see clup_scaling_model.
 * Keeps the best: *count of at most most, those with the least values, in ascending order. Values
 * that are not finite do not count. */
typedef struct scaling_start {
    double parameters[CLUP_SCALING_PARAMETERS], value;
} scaling_start;
void clup_scaling_search(const clup_scaling *scaling, const clup_scaling_model *model,
                         double (*of)(void *context, const double *parameters), void *context,
                         scaling_start *starts, size_t most, size_t *count);

#endif
