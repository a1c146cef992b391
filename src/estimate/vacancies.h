/* SPDX-License-Identifier: BSD-3-Clause */
/* Vacant sites of a system. Records count the other sites, and observables take the vacant ones
 * into account by these numbers. */
#ifndef CLUP_ESTIMATE_VACANCIES_H
#define CLUP_ESTIMATE_VACANCIES_H
#include "base/status.h"
#include "core/problem.h"

/* Let a vacant site count as the share 1/q in each state, so that the sums over all states are
 * those of a full lattice. Then sums of squares over the states are those of the other sites, less
 * the square of the sum over the vacant sites divided by q. */
typedef struct clup_vacancies {
    double sites;     /* how many are vacant */
    double waves[3];  /* the squares of their Fourier sums along each axis (modes.clh), in units of
                         1 */
    double staggered; /* four times the square of their staggered sum (sublattices.clh) */
} clup_vacancies;

/* Finds the vacant sites of a replica; all numbers are 0 where the problem has none.
 * CLUP_INTERRUPTED when the watch ends it. */
clup_status clup_vacancies_find(const clup_problem *problem, uint32_t replica,
                                clup_vacancies *vacant);

#endif
