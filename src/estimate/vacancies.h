/* SPDX-License-Identifier: BSD-3-Clause */
/* Vacant sites of a system. Records count the other sites, and observables take the vacant ones
 * into account by these numbers. */
#ifndef CLUP_ESTIMATE_VACANCIES_H
#define CLUP_ESTIMATE_VACANCIES_H
#include "base/status.h"
#include "core/problem.h"

/* States are unit vectors that add up to 0, so that the square of a sum of vectors is that of the
 * sums over the sites in each state, less the square of the sum over all sites that are there,
 * divided by q. At the wave vectors that are measured, the sum over all sites of a lattice is 0,
 * and that over the sites that are there is minus that over the vacant ones. */
typedef struct clup_vacancies {
    double sites;     /* how many are vacant, with holes of the lattice */
    double drawn;     /* how many of them are no holes */
    double waves[3];  /* the squares of their Fourier sums along each axis (modes.clh), in units of
                         1 */
    double staggered; /* four times the square of the staggered sum (sublattices.clh) over the sites
                         that are there; not 0 on open lattices of odd sizes, without vacant sites
                         too */
} clup_vacancies;

/* Finds these numbers for a replica. CLUP_INTERRUPTED when the watch ends it. */
clup_status clup_vacancies_find(const clup_problem *problem, uint32_t replica,
                                clup_vacancies *vacant);

#endif
