/* Error analysis of a time series. */
#ifndef CLUP_OBSERVE_SERIES_H
#define CLUP_OBSERVE_SERIES_H
#include <stddef.h>

/* Integrated autocorrelation time 1/2 + sum of rho(t), t = 1..W, with the first W >= 6 tau (Madras and Sokal,
 * J. Stat. Phys. 50, 109 (1988)); 1/2 for a constant series, NAN for fewer than 4 values and for NANs. */
double clup_series_tau(const double *values, size_t count);

/* Means of bins of length values each: bins[count/length]; values left over are dropped from the front. */
void clup_series_bin(const double *values, size_t count, size_t length, double *bins);

#endif
