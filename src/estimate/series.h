/* SPDX-License-Identifier: BSD-3-Clause */
/* Error analysis of a time series. */
#ifndef CLUP_ESTIMATE_SERIES_H
#define CLUP_ESTIMATE_SERIES_H
#include "base/status.h"

/* The estimate of the mean of values[count]. tau_int is 1/2 + sum of rho(t), t = 1..W, with the
 * first W >= 6 tau_int (Madras and Sokal, J. Stat. Phys. 50, 109 (1988)), times 1 + (2W+1)/count,
 * as deviations are from the mean of the same series (U. Wolff, Comput. Phys. Commun. 156, 143
 * (2004), Eq. (49)). Only the mean is known for fewer than 4 values, for NANs, and if there is no
 * memory for a second series. */
clup_estimate clup_series_estimate(const double *values, size_t count);

/* The same; *window is the window W, 0 where there is no error. */
clup_estimate clup_series_estimate_window(const double *values, size_t count, size_t *window);

/* The estimate of a mean from the central moments of a value (of second to fourth order), tau, the
 * window of tau, and the number of values. events is 0. */
clup_estimate clup_estimate_by(double mean, const double moments[3], double tau, double window,
                               double n);

/* An estimate with a mean only, which may be NAN. */
clup_estimate clup_estimate_of_mean(double mean);

/* Returns the tau_int of a series, 1/2 for fewer than 4 values and for a constant series; *window
 * is the window W of its sum. */
double clup_series_tau(const double *values, size_t count, size_t *window);

/* Sets rho[last + 1] to the normalised autocorrelations at distances 0 to last, which must be below
 * count; deviations are from the mean of the series, and products are averaged over those that
 * there are. NAN for a constant series. */
clup_status clup_series_rho(const double *values, size_t count, size_t last, double *rho);

/* Sums of independent values that are added one by one; all zeros for no values. The sums are
 * central, see clup_sums_add. */
typedef struct clup_sums {
    uint64_t count;
    double mean, squares, cubes, fourths;
} clup_sums;
void clup_sums_add(clup_sums *sums, double value);
/* Returns the sums of values[count], which are added several at a time; and adds those of others to
 * *sums. */
clup_sums clup_sums_of(const double *values, size_t count);
void clup_sums_join(clup_sums *sums, const clup_sums *others);
/* The estimate of the mean of the values; tau_int is 1/2. */
clup_estimate clup_sums_estimate(const clup_sums *sums);

#endif
