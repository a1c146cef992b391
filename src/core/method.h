/* SPDX-License-Identifier: BSD-3-Clause */
/* Random choices of a method besides bonds, for kernels that receive them as arguments and for the
 * reference. */
#ifndef CLUP_CORE_METHOD_H
#define CLUP_CORE_METHOD_H
#include "core/lattice.h"
#include "core/random.clh"

/* Wolff's choice in a sweep: a site, whose cluster is updated, and the number that is added to the
 * spins of the cluster. */
typedef struct clup_wolff_choice {
    uint32_t site, shift;
} clup_wolff_choice;
clup_wolff_choice clup_wolff_choose(const lattice_args *lattice, random_key key, unsigned q);

/* Whether each sweep of an algorithm gives all sites a new spin. */
static inline bool clup_updates_all(clup_algorithm algorithm)
{
    return algorithm == CLUP_SWENDSEN_WANG || algorithm == CLUP_HEAT_BATH;
}
/* Returns few-cluster's p_flip in units of 2^-32, rounded to nearest, but neither 0 nor 1: with 0
 * or 1 the chain would not be ergodic. */
uint32_t clup_flip_below(double p_flip);

/* Returns what changes the spins before each sweep of a method's algorithm, as messages name it;
 * NULL for nothing. */
const char *clup_before_sweep(const clup_method *method);
/* Validates the problem and the method. CLUP_ERROR_USAGE names a value out of range, and says why.
 * method NULL is all zeros. */
clup_status clup_method_check(const clup_problem *problem, const clup_method *method);

#endif
