/* SPDX-License-Identifier: BSD-3-Clause */
/* Series of several equal, independent systems: the mean over all of them, its error by the errors
 * of the single series, and whether their means differ by more than that. */
#ifndef CLUP_ESTIMATE_PARTS_H
#define CLUP_ESTIMATE_PARTS_H
#include <stdbool.h>

#include "estimate/series.h"

/* A series. */
typedef struct clup_part {
    clup_sums sums;     /* of its values */
    double tau, window; /* see clup_series_tau; tau is NAN for fewer than 4 values */
    double events;      /* see clup_estimate */
} clup_part;
clup_part clup_part_of(const double *values, size_t count);

/* Series that are added one by one; all zeros for none. */
typedef struct clup_parts {
    clup_sums values;              /* of all */
    clup_sums means;               /* of the means of the series */
    double squares, taus, windows; /* the sum over series of the squares of the deviations from
                                      their own means; and of these times tau, and times window */
    double independent, events;    /* sums */
    bool unknown;                  /* a series is too short for an error */
} clup_parts;
void clup_parts_add(clup_parts *parts, const clup_part *part);

/* The estimate of the mean of all values. The square of the error is that of the series, each with
 * the square of its share of the values. tau_int is their mean, weighted by variance. */
clup_estimate clup_parts_estimate(const clup_parts *parts);

/* Sets chi2, freedom and probability of an average of these series. */
void clup_parts_compare(const clup_parts *parts, clup_average *average);

#endif
