/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel tempering: systems that change places between temperatures. A place is what is called a
 * replica of the simulation, with its beta; the system that is there has a number of its own, that
 * of its random numbers and of its spins in the engine. */
#ifndef CLUP_RUN_TEMPERING_H
#define CLUP_RUN_TEMPERING_H
#include <stdbool.h>

#include "base/status.h"
#include "run/sweep_records.h"

/* 2^63 exp(-x) for x >= 0, rounded, to within 2^7; the same on every machine, as it is made with
 * integers. 0 from x = 44 on. */
uint64_t clup_weight(double x);

/* Where a system has been last of the two ends of its ladder: at none, at the lowest beta, or at
 * the highest one since it was at the lowest. */
typedef enum clup_trip { CLUP_TRIP_NONE, CLUP_TRIP_UP, CLUP_TRIP_DOWN } clup_trip;

/* Rung k of ladder l is place k ladders + l. Arrays are of one element for each place, or each
 * system. */
typedef struct clup_ladders {
    uint32_t ladders, rungs;
    uint64_t every;                /* sweeps from one exchange to the next */
    uint32_t *systems;             /* at each place */
    uint64_t *attempts, *accepted; /* of each place and the next rung of its ladder */
    uint64_t *trips;               /* there and back, of each system */
    uint32_t *ends;                /* a clup_trip of each system */
    clup_sweep_records history;    /* the systems at all places in each measured sweep */
    uint32_t *row, *sorted;        /* to work in: records of a sweep, of room words each */
    uint32_t room;
    double *betas;   /* the same: of each system */
    uint64_t *bonds; /* and of each place */
} clup_ladders;

/* That betas[replicas] are those of ladders, one for each time that the first of them is there: how
 * many. CLUP_ERROR_USAGE where there are not as many of each, they do not increase, there are fewer
 * than two rungs, or one is infinite. */
clup_status clup_ladders_of(const double *betas, uint32_t replicas, uint32_t *ladders);
/* Each system is at the place of its number. */
clup_status clup_ladders_create(const double *betas, uint32_t replicas, uint64_t every,
                                clup_ladders **out);
void clup_ladders_free(clup_ladders *ladders);
/* Room for records of so many words. */
clup_status clup_ladders_reserve(clup_ladders *ladders, uint32_t words);
/* Sorts such records, one for each system, by places. */
void clup_ladders_sort(clup_ladders *ladders, uint32_t words, uint32_t *records);
/* Neighbours change places after sweep number sweep of the seed: those of all pairs whose lower
 * rung is even, or odd, by turns. bonds[] are the bonds between equal spins at each place, betas[]
 * its temperatures. See random.clh for what is decided. */
void clup_ladders_swap(clup_ladders *ladders, uint64_t seed, uint32_t first_replica, uint64_t sweep,
                       const double *betas, const uint64_t *bonds);
/* Places betas[rungs] anew, all but the first and the last, so that neighbours change places as
 * often everywhere, by the mean energies of systems there; room[2 rungs] is to work in. */
void clup_ladder_place(double *betas, const double *energies, uint32_t rungs, double *room);

#endif
