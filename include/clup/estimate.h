/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates of means, and their errors. */
#ifndef CLUP_ESTIMATE_H
#define CLUP_ESTIMATE_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With fewer independent values or events than these, do not rely on an error.
 *
 * CLUP_INDEPENDENT_LEAST: a run of fewer than 50 tau_int is short, for every command.
 * CLUP_EVENTS_LEAST: where a few rare events make up most of what is seen, as excitations do at low
 * temperature, the next ones may change the mean by several errors.
 * CLUP_CORRECTED_LEAST: with fewer independent values the bias of a variance is not corrected. */
#define CLUP_INDEPENDENT_LEAST 25
#define CLUP_EVENTS_LEAST 10
#define CLUP_CORRECTED_LEAST 10

/* An estimate from a series of n values. */
typedef struct clup_estimate {
    double mean;        /* without its bias, see below */
    double error;       /* one standard deviation: the root of 2 tau_int variance/n. NAN for fewer
                           than 4 values */
    double tau_int;     /* integrated autocorrelation time, 1/2 + sum of rho, in measured values.
                           Multiply it by the distance of measured sweeps to have it in sweeps */
    double independent; /* how many independent values the mean rests on: n/(2 tau_int), and at most
                           n */
    double events; /* independent values that differ from the commonest one: independent times the
                      share of values that differ from it, or times 1/2 where that share is larger.
                      So it is half of independent for a continuous distribution, the number of rare
                      events, and 0 when all values are equal. The relative uncertainty of the error
                      is about 1/(2 sqrt(events)). Of percolation: independent/(kurtosis - 1) */
    double low, high; /* the true value lies between them with 95 % probability, as far as the
                         errors of runs of at least 50 tau_int are known. Where values are skewed,
                         low is not as far from the mean as high. NAN where error is */
    double bias;      /* what was added to the mean of a variance (specific_heat, susceptibility).
                         Deviations are taken from the mean of the same n values, which makes a
                         variance too small by the factor 1 - 2 tau_int/n, with the tau_int of the
                         energy or of abs_m. error, low and high belong to the corrected value. NAN
                         where n is less than 20 of these tau_int, and nothing was added; 0 for
                         other observables */
} clup_estimate;

/* What the error of an average was taken from. */
typedef enum clup_error_from {
    CLUP_FROM_NOTHING, /* it is not known, and NAN */
    CLUP_FROM_SERIES,  /* the errors of the single systems */
    CLUP_FROM_SCATTER, /* how the systems scatter, by the jackknife over systems */
    CLUP_FROM_SAMPLES  /* how samples of disorder scatter, by the jackknife over samples */
} clup_error_from;

/* With so many equal systems, the error of an average is taken from their scatter. */
#define CLUP_SCATTER_LEAST 32

/* An average over systems, see clup_simulation_averages. */
typedef struct clup_average {
    clup_estimate estimate; /* of all systems. From the scatter of samples tau_int is 1/2 and
                               independent the number of samples; else tau_int is that of the
                               systems, and independent and events are sums over them */
    clup_error_from from;
    /* Of equal systems, whether they scatter as much as their errors say: the sum over systems of
     * the squares of their deviations from the mean of all, each divided by the error of one
     * system, by the variance and tau_int of all. The probability that equal systems in equilibrium
     * have so large a sum or a larger one is that of the F distribution, whose second number of
     * degrees of freedom stands for the uncertainty of the error. NAN where the systems are not
     * equal, or one alone, or where nothing changes */
    double chi2, probability;
    double freedom; /* of chi2: systems less 1; of samples, samples less 1 */
    uint64_t reserved[3];
} clup_average;

/* What to know about an estimate before its error is used. */
typedef enum clup_note {
    CLUP_NOTE_NONE,
    CLUP_NOTE_CONSTANT,   /* all values are equal: events that would change them were not seen, or
                             do not exist */
    CLUP_NOTE_BIASED,     /* bias is NAN: the run is too short to correct it */
    CLUP_NOTE_SHORT,      /* independent is below CLUP_INDEPENDENT_LEAST, or not known */
    CLUP_NOTE_FEW_EVENTS, /* events is below CLUP_EVENTS_LEAST */
    CLUP_NOTE_DISAGREE,   /* of an average: the systems are not alike, see clup_average_note */
    CLUP_NOTES
} clup_note;

/* Returns the first note that applies. CLUP_NOTE_NONE for NULL, and for a mean that is not finite:
 * the mean of what was not measured is NAN, and chi at infinite beta is infinite. */
CLUP_API clup_note clup_estimate_note(const clup_estimate *estimate);

/* Returns the first note that applies to an average over equal systems: CLUP_NOTE_DISAGREE where
 * probability is below CLUP_DISAGREE_LEAST and chi2 above CLUP_DISAGREE_RATIO times freedom, as of
 * systems that are not in equilibrium, or stay in different phases; then those of the estimate. The
 * second condition is there because errors by tau_int are up to 10 % too small in short runs. Where
 * the error is from series, CLUP_NOTE_SHORT says that each of them is short. CLUP_NOTE_NONE for
 * NULL, averages over samples, and where the error is not known. */
#define CLUP_DISAGREE_LEAST 1e-4
#define CLUP_DISAGREE_RATIO 1.5
CLUP_API clup_note clup_average_note(const clup_average *average);

#ifdef __cplusplus
}
#endif

#endif
