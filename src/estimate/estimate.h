/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes observables from the series of a simulation. */
#ifndef CLUP_ESTIMATE_ESTIMATE_H
#define CLUP_ESTIMATE_ESTIMATE_H
#include <stdbool.h>

#include "base/status.h"
#include "core/record.clh"
#include "estimate/means.h"
#include "estimate/observed.h"
#include "estimate/parts.h"
#include "estimate/vacancies.h"

/* Columns of kept values, one value for each sweep; columns that are not measured are not kept. */
enum {
#define COLUMN(NAME, VALUE) CLUP_COLUMN_##NAME,
#include "estimate/observables.def"
    CLUP_COLUMNS
};
typedef struct clup_history {
    bool kept[CLUP_COLUMNS];
    double *columns[CLUP_COLUMNS];
    size_t count, capacity;
} clup_history;

/* Describes the system that records are of. */
typedef struct clup_system {
    double beta, sites, q;
    double unsatisfied, unit; /* energy: unsatisfied, less unit times the satisfied bonds */
    double lengths[3];        /* of axes that have waves, see clup_modes_length */
    double links;             /* bonds of Ising spins; 0 for other models */
    clup_vacancies vacant;
    unsigned axes;
    uint32_t half[3];     /* pairs at half of an axis: their number in the arrays (pairs.clh) */
    double half_pairs[3]; /* and how many there are; 0 where the arrays do not have them */
    bool all;             /* sweeps give every cluster a new spin */
    bool improved;        /* clusters give improved estimators */
    bool amplitudes;      /* sums of amplitudes over clusters do */
    double components;    /* of the magnetisation where it is a vector, else 0 */
    bool directed;        /* the magnetisation is a vector, see clup_problem_components */
    uint32_t format;
} clup_system;

/* Returns the largest of the lengths. */
double clup_system_length(const clup_system *system);
/* Returns the format of records (record.clh) that an observable needs, with Swendsen-Wang or
 * another algorithm: RECORD_CLUSTERS or another group of numbers, or 0. */
uint32_t clup_observable_format(clup_observable observable, clup_algorithm algorithm);

/* Adds sweeps by their records, which are packed as for clup_sweep_records_get (sweep_record.h).
 * The first record of all decides which columns are kept. */
clup_status clup_history_add(clup_history *history, const clup_system *system,
                             const uint32_t *records, size_t apart, size_t count);
/* Makes room for so many values in the kept columns; their values stay. */
clup_status clup_history_reserve(clup_history *history, size_t count);
void clup_history_clear(clup_history *history);
/* Whether an observable is a mean of values of single sweeps; else it is a function of means. */
bool clup_observable_is_mean(clup_observable observable);
/* Whether an observable follows from the spins of its system alone. Else it depends on what a sweep
 * did, thus on its bonds too, or on another system, and the energies of its system do not tell it
 * at another temperature. */
bool clup_observable_of_spins(clup_observable observable);
/* Whether an observable follows from the Fortuin-Kasteleyn bonds whose number fk_bonds is. */
bool clup_observable_of_bonds(clup_observable observable);
/* Returns what one value of an observable stands for, see clup_simulation_vector. */
double clup_vector_at(const clup_simulation *simulation, clup_observable observable,
                      size_t element);
/* Compares the simulation's problem with another; CLUP_ERROR_USAGE names the first field that
 * differs. */
clup_status clup_simulation_like(const clup_simulation *simulation, const clup_problem *problem);
/* Computes the means of a history, of at least one sweep. */
clup_status clup_history_means(const clup_history *history, const clup_system *system,
                               clup_means *means);
/* See clup_simulation_estimate and clup_simulation_estimates_of; where of is NULL, the first
 * of_count observables. */
clup_status clup_history_estimate(const clup_history *history, const clup_system *system,
                                  clup_estimate *estimates);
clup_status clup_history_estimates_of(const clup_history *history, const clup_system *system,
                                      const clup_observable *of, size_t of_count,
                                      clup_estimate *estimates);
/* Makes a part (parts.h) of the series of each of of_count observables that has the error of the
 * observable (clup_measured_values), for functions of means about the means that are given. A part
 * has a mean of NAN where the observable is not known. */
clup_status clup_history_parts(const clup_history *history, const clup_system *system,
                               const clup_means *means, const clup_observable *of, size_t of_count,
                               clup_part *parts);
/* See clup_simulation_series; count sweeps from the first on, which the history must have. */
clup_status clup_history_series(const clup_history *history, const clup_system *system,
                                clup_observable observable, size_t first, size_t count,
                                double *values);

#endif
