/* Estimates of means and their errors. */
#ifndef CLUP_ESTIMATE_H
#define CLUP_ESTIMATE_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fewer than these, and an error is not to be relied on: a run of fewer than 50 tau_int is short,
 * for every command; and where a few rare events are most of what is seen, as excitations at low
 * temperature, the next ones may well change the mean by several errors. A run of fewer independent
 * values than CLUP_CORRECTED_LEAST is so short that a bias is not corrected. */
#define CLUP_INDEPENDENT_LEAST 25
#define CLUP_EVENTS_LEAST 10
#define CLUP_CORRECTED_LEAST 10

/* An estimate from a series of values. */
typedef struct clup_estimate {
    double mean;  /* without its bias, see below */
    double error; /* one standard deviation: the root of 2 tau_int variance/(number of values). NAN
                     for fewer than 4 values */
    double tau_int;     /* integrated autocorrelation time, 1/2 + sum of rho, in measured values: to
                           have it in sweeps, multiply by how many there are from one to the next */
    double independent; /* how many independent values the mean rests on: their number/(2 tau_int),
                           and no more than their number */
    double events; /* independent values other than the commonest one: their number times the share
                      of all values that are not, which is taken as 1/2 where it is more. Half of
                      independent for a continuous distribution, the number of rare events, 0 for
                      values that are all the same. The error is uncertain by some 1/(2
                      sqrt(events)) of itself. Of percolation, independent/(kurtosis - 1) */
    double low, high; /* the true value is between them with 95 %, as far as the errors of runs of
                         50 tau_int and more are known: not as far below the mean as above it where
                         values are skewed. NAN where the error is */
    double bias; /* what was added to the mean of a variance (specific_heat, susceptibility), since
                    deviations are from the mean of the same n values: it is too small by the factor
                    1 - 2 tau_int/n, with the tau_int of the energy or of abs_m. error, low and high
                    belong to the corrected value. NAN where n is less than 20 of these tau_int,
                    and nothing was added; 0 for others */
} clup_estimate;

/* What to know about an estimate before its error is used; the first of these that is so. */
typedef enum clup_note {
    CLUP_NOTE_NONE,
    CLUP_NOTE_CONSTANT, /* all values are the same: whatever would change them was not seen, or does
                           not exist */
    CLUP_NOTE_BIASED,   /* bias is NAN: the run is too short to correct it */
    CLUP_NOTE_SHORT,    /* independent < CLUP_INDEPENDENT_LEAST, or not known */
    CLUP_NOTE_FEW_EVENTS, /* events < CLUP_EVENTS_LEAST */
    CLUP_NOTES
} clup_note;
/* NONE for NULL, and for an estimate whose mean is not finite: of what was not measured it is NAN,
 * and chi at infinite beta is infinite. */
CLUP_API clup_note clup_estimate_note(const clup_estimate *estimate);

#ifdef __cplusplus
}
#endif

#endif
