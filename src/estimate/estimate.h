/* SPDX-License-Identifier: BSD-3-Clause */
/* From the series of a simulation to its observables. */
#ifndef CLUP_ESTIMATE_ESTIMATE_H
#define CLUP_ESTIMATE_ESTIMATE_H
#include <stdbool.h>

#include "base/status.h"
#include "core/record.clh"
#include "estimate/observed.h"

/* One value a sweep of each that is kept; what is not measured is not. */
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

/* Of what the records are. */
typedef struct clup_system {
    double beta, sites, q;
    double lengths[3]; /* of axes with waves, see clup_modes_length */
    unsigned axes;
    bool all; /* sweeps give every cluster a new spin */
    uint32_t format;
} clup_system;

/* The longest of the lengths. */
double clup_system_length(const clup_system *system);
/* The format of records (record.clh) that an observable needs, with Swendsen-Wang or another
 * algorithm: RECORD_CLUSTERS or another group of numbers, or 0. */
uint32_t clup_observable_format(clup_observable observable, clup_algorithm algorithm);

/* Adds sweeps by their records, as clup_sweep_records_get (sweep_record.h) has them. The first one
 * of all says what is kept. */
clup_status clup_history_add(clup_history *history, const clup_system *system,
                             const uint32_t *records, size_t apart, size_t count);
/* Room for so many values of what is kept, which has those that it had. */
clup_status clup_history_reserve(clup_history *history, size_t count);
void clup_history_clear(clup_history *history);
/* Whether an observable is a mean of values that sweeps have; else it is a function of means. */
bool clup_observable_is_mean(clup_observable observable);
/* Whether it follows from the spins of a moment; else from what a sweep did with them, which
 * depends on its bonds too, so that energies do not tell it at another temperature. */
bool clup_observable_of_spins(clup_observable observable);
/* What one of the values of an observable belongs to, see clup_simulation_vector. */
double clup_vector_at(const clup_simulation *simulation, clup_observable observable,
                      size_t element);
/* CLUP_ERROR_USAGE names the first field in which the simulation's problem is another one. */
clup_status clup_simulation_like(const clup_simulation *simulation, const clup_problem *problem);
/* See clup_simulation_estimate; and clup_simulation_estimates_of, of NULL being the first of_count
 * observables. */
clup_status clup_history_estimate(const clup_history *history, const clup_system *system,
                                  clup_estimate *estimates);
clup_status clup_history_estimates_of(const clup_history *history, const clup_system *system,
                                      const clup_observable *of, size_t of_count,
                                      clup_estimate *estimates);
/* See clup_simulation_series; count sweeps from the first on, which the history has. */
clup_status clup_history_series(const clup_history *history, const clup_system *system,
                                clup_observable observable, size_t first, size_t count,
                                double *values);

#endif
