/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals that have the true mean with a probability of 95 %. */
#ifndef CLUP_ESTIMATE_INTERVAL_H
#define CLUP_ESTIMATE_INTERVAL_H
#include <stddef.h>

/* What a series of count values says of the distribution of its mean: tau is its tau_int, window
 * what it was summed up to; skewness and kurtosis are those of a single value. */
typedef struct clup_spread {
    double count, tau, window, skewness, kurtosis;
} clup_spread;

/* Puts into sides[0] how far the interval reaches below the mean, and into sides[1] how far above,
 * both in units of the standard error.
 *
 * The mean less its true value, in units of the error that the same values tell, is skewed against
 * their skewness: a run that happens to see large values has a large mean and a large error, one
 * that does not has a small mean with an error that is too small. P. Hall's cubic (J. R. Stat. Soc.
 * B 54, 221 (1992)) of it is normal but for terms of 1/count. The skewness of a mean of correlated
 * values is that of independent ones times up to 3/2: squares of a normal process with rho =
 * exp(-t/T) have 3/2. Beyond that the error is that of Student's t, with the number of degrees of
 * freedom that follows from how well it is known, by the kurtosis as far as the skewness does not
 * say it already, and by tau. */
void clup_interval(const clup_spread *spread, double sides[2]);

#endif
