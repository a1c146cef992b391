/* SPDX-License-Identifier: BSD-3-Clause */
/* Means over sweeps, and functions of them, by the values that observables have in every sweep:
 * those of a simulation, of a record, or at another temperature. */
#ifndef CLUP_ESTIMATE_MEANS_H
#define CLUP_ESTIMATE_MEANS_H
#include <stdbool.h>

#include "base/status.h"
#include "estimate/observed.h"

/* What means are taken of. */
enum {
#define MEAN(NAME, VALUE) CLUP_MEAN_##NAME,
#include "estimate/observables.def"
    CLUP_MEANS
};

/* Sweeps of a system of so many sites; length is that of the longest axis with waves, NAN for none.
 * values[count] are there of each observable that is a mean, NULL of what is not known. */
typedef struct clup_measured {
    double beta, sites, length;
    size_t count;
    const double *values[OBSERVED];
} clup_measured;

/* What the value of an observable follows from. Energies count from energy0. */
typedef struct clup_means {
    double beta, sites, length, energy0, of[CLUP_MEANS];
} clup_means;

/* Whether a measured tells what a mean is of, and an observable. */
bool clup_measured_has_mean(const clup_measured *measured, unsigned mean);
bool clup_measured_has(const clup_measured *measured, clup_observable observable);
/* What sweep k adds to a mean that the measured has. */
double clup_measured_sweep(const clup_measured *measured, unsigned mean, size_t k, double energy0);
/* The means that a measured of one sweep at least has; NAN for others. */
clup_means clup_measured_means(const clup_measured *measured);
/* The value of an observable; one that the means do not tell is NAN. */
double clup_means_value(const clup_means *means, clup_observable observable);

/* values[count] of an observable that the measured has, whose mean's error is the observable's. Of
 * a mean they are those of the sweeps. Of a function of means they are the jackknife's
 * pseudo-values less whole, its value: n times that of all n sweeps less n - 1 times that without
 * one. They tell what each sweep adds to it, beyond the linear order. */
void clup_measured_values(const clup_measured *measured, const clup_means *means,
                          clup_observable observable, double *values);
/* Whether an observable is a variance, and then of which one: its mean is that of the same sweeps,
 * so that the variance is too small by the square of the error of this mean. */
bool clup_observable_is_variance(clup_observable observable, clup_observable *mean);
/* What has to be added to a variance for that, by the error of the mean. */
double clup_variance_bias(const clup_means *means, clup_observable observable, double mean_error);
/* Moves an estimate of an observable by its pseudo-values, with its error and its interval, to
 * whole, the value, and takes the bias of a variance away, see clup_estimate. */
void clup_measured_move(const clup_measured *measured, clup_observable observable, double whole,
                        clup_estimate *estimate);
/* The estimate of an observable; one that is not known has NAN throughout. room[count] is for the
 * values. */
clup_estimate clup_measured_estimate(const clup_measured *measured, const clup_means *means,
                                     clup_observable observable, double *room);
/* The value of an observable without each of so many blocks (blocks.h). */
void clup_measured_without(const clup_measured *measured, const clup_means *means,
                           clup_observable observable, unsigned blocks, double *without);

#endif
