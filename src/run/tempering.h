/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel tempering: systems change places between temperatures. A place is a replica of the
 * simulation, with its beta. A system has a number of its own, which its random numbers and its
 * spins in the engine keep at every place. */
#ifndef CLUP_RUN_TEMPERING_H
#define CLUP_RUN_TEMPERING_H
#include <stdbool.h>

#include "base/status.h"
#include "run/sweep_records.h"

/* At which end of its ladder a system was last: at none, at the lowest beta, or at the highest beta
 * after the lowest. */
typedef enum clup_trip { CLUP_TRIP_NONE, CLUP_TRIP_UP, CLUP_TRIP_DOWN } clup_trip;

/* Rung k of ladder l is place k ladders + l. Arrays have one element for each place, or each
 * system. */
typedef struct clup_ladders {
    uint32_t ladders, rungs;
    uint64_t every;                /* sweeps from one exchange to the next */
    uint32_t *systems;             /* the system at each place */
    uint64_t *attempts, *accepted; /* exchanges between each place and the next rung of its ladder
                                    */
    uint64_t *trips;               /* round trips of each system */
    uint32_t *ends;                /* a clup_trip of each system */
    clup_sweep_records history;    /* the systems at all places in each measured sweep */
    uint32_t *row, *sorted;        /* working space: records of a sweep, of room words each */
    uint32_t room;
    double *betas;       /* working space, one for each system */
    uint64_t *satisfied; /* working space, one for each place */
} clup_ladders;

/* Counts the ladders in betas[replicas]: as many as replicas have the first beta. CLUP_ERROR_USAGE
 * if not as many replicas have each beta, if betas do not increase, if there are fewer than two of
 * them, or if one is infinite. */
clup_status clup_ladders_of(const double *betas, uint32_t replicas, uint32_t *ladders);
/* Makes ladders in which each system is at the place of its number. */
clup_status clup_ladders_create(const double *betas, uint32_t replicas, uint64_t every,
                                clup_ladders **out);
void clup_ladders_free(clup_ladders *ladders);
/* Makes room for records of so many words. */
clup_status clup_ladders_reserve(clup_ladders *ladders, uint32_t words);
/* Sorts records of so many words, one for each system, by places. */
void clup_ladders_sort(clup_ladders *ladders, uint32_t words, uint32_t *records);
/* Exchanges systems of neighbouring rungs after sweep number sweep of the seed: pairs whose lower
 * rung is even, or odd, by turns. satisfied[] are the satisfied bonds at each place, times their
 * weights, betas[] the temperatures of the places; unit is the energy of weight 1. See random.clh
 * for the decision. */
void clup_ladders_swap(clup_ladders *ladders, uint64_t seed, uint32_t first_replica, uint64_t sweep,
                       const double *betas, double unit, const uint64_t *satisfied);
/* Places betas[rungs] anew, all but the first and the last, so that neighbours exchange equally
 * often everywhere, by the mean energies at each rung. room[2 rungs] is working space. */
void clup_ladder_place(double *betas, const double *energies, uint32_t rungs, double *room);

#endif
