/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals that contain the true mean with a probability of 95 %. */
#ifndef CLUP_ESTIMATE_INTERVAL_H
#define CLUP_ESTIMATE_INTERVAL_H
#include <stddef.h>

/* A series of count values, as far as the distribution of its mean depends on it: tau is its
 * tau_int, window the window of the sum for tau; skewness and kurtosis are those of a single
 * value. */
typedef struct clup_spread {
    double count, tau, window, skewness, kurtosis;
} clup_spread;

/* Returns the number of degrees of freedom of the error, by the uncertainties of the variance and
 * of tau. */
double clup_spread_freedom(const clup_spread *spread);

/* Sets sides[0] to the distance that the interval reaches below the mean, and sides[1] to that
 * above, both in units of the standard error.
 *
 * (Mean - true mean)/error is skewed in the direction opposite to the values: a run that happens to
 * see large values has a large mean and a large error; a run that does not has a small mean with an
 * error that is too small. P. Hall's cubic of it (J. R. Stat. Soc. B 54, 221 (1992)) is normal up
 * to terms of 1/count. For correlated values the skewness of the mean is that of independent values
 * times a factor of up to 3/2; squares of a normal process with rho = exp(-t/T) have 3/2. The
 * uncertainty of the error enters by Student's t, with a number of degrees of freedom that follows
 * from the kurtosis, as far as the skewness has not accounted for it, and from tau. */
void clup_interval(const clup_spread *spread, double sides[2]);

#endif
