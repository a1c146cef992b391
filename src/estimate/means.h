/* SPDX-License-Identifier: BSD-3-Clause */
/* Means over sweeps, and functions of means, from the values of observables in each sweep. The
 * sweeps are those of a simulation, of a record, or sweeps at another temperature. */
#ifndef CLUP_ESTIMATE_MEANS_H
#define CLUP_ESTIMATE_MEANS_H
#include <stdbool.h>

#include "base/status.h"
#include "estimate/observed.h"

/* The quantities whose means are taken. */
enum {
#define MEAN(NAME, VALUE) CLUP_MEAN_##NAME,
#include "estimate/observables.def"
    CLUP_MEANS
};

/* Measured sweeps of a system of so many sites; length is that of the longest axis with waves, NAN
 * if there is none. values[o][count] are the values of observable o, if it is a mean; NULL if they
 * are not known. */
typedef struct clup_measured {
    double beta, sites, length;
    size_t count;
    const double *values[OBSERVED];
} clup_measured;

/* The means from which observables are computed. Energies count from energy0. */
typedef struct clup_means {
    double beta, sites, length, energy0, of[CLUP_MEANS];
} clup_means;

/* Whether the measured sweeps determine a mean, or an observable. */
bool clup_measured_has_mean(const clup_measured *measured, unsigned mean);
bool clup_measured_has(const clup_measured *measured, clup_observable observable);
/* The contribution of sweep k to a mean that the measured sweeps determine. */
double clup_measured_sweep(const clup_measured *measured, unsigned mean, size_t k, double energy0);
/* The means of at least one measured sweep; NAN where they are not determined. */
clup_means clup_measured_means(const clup_measured *measured);
/* The means of all measured sweeps but first to end - 1; means are those of all. */
clup_means clup_measured_means_without(const clup_measured *measured, const clup_means *means,
                                       size_t first, size_t end);
/* Lets the energies of means count from another energy0. */
void clup_means_count_from(clup_means *means, double energy0);
/* Adds part times other to the means; both count their energies from one energy0. */
void clup_means_add(clup_means *means, const clup_means *other, double part);
/* The value of an observable; NAN where the means do not determine it. */
double clup_means_value(const clup_means *means, clup_observable observable);

/* Sets values[count] to a series whose mean has the error of an observable, which the measured
 * sweeps must determine. For a mean, these are the values in the sweeps. For a function of means,
 * they are the jackknife's pseudo-values less the function's value: n times the value of all n
 * sweeps, less n - 1 times the value without one sweep, less the value of all. Pseudo-values tell
 * what each sweep contributes, beyond the linear order. */
void clup_measured_values(const clup_measured *measured, const clup_means *means,
                          clup_observable observable, double *values);
/* Whether an observable is a variance; *mean is then the observable whose variance it is. Its mean
 * is taken over the same sweeps, so that the variance is too small by the square of the error of
 * this mean. */
bool clup_observable_is_variance(clup_observable observable, clup_observable *mean);
/* Returns what must be added to a variance because its mean comes from the same sweeps. mean_error
 * is the error of that mean. */
double clup_variance_bias(const clup_means *means, clup_observable observable, double mean_error);
/* Completes an estimate that was made of the values of clup_measured_values(): moves its mean, with
 * the interval, to whole, the value of the observable by all sweeps. If the observable is a
 * variance, also removes its bias, from the value, the error and the interval (bias of
 * clup_estimate). */
void clup_measured_move(const clup_measured *measured, clup_observable observable, double whole,
                        clup_estimate *estimate);
/* The estimate of an observable; all NAN if the observable is not known. room[count] is working
 * space. */
clup_estimate clup_measured_estimate(const clup_measured *measured, const clup_means *means,
                                     clup_observable observable, double *room);
/* Sets without[b] to the value of an observable without block b of so many blocks (blocks.h). */
void clup_measured_without(const clup_measured *measured, const clup_means *means,
                           clup_observable observable, unsigned blocks, double *without);

#endif
