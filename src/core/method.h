/* SPDX-License-Identifier: BSD-3-Clause */
/* What a method draws besides bonds, for kernels that are told and for the serial reference. */
#ifndef CLUP_CORE_METHOD_H
#define CLUP_CORE_METHOD_H
#include "core/lattice.h"
#include "core/random.clh"

/* Wolff's choice in a sweep: the site whose cluster is updated, and what is added to its spins. */
typedef struct clup_wolff_choice {
    uint32_t site, shift;
} clup_wolff_choice;
clup_wolff_choice clup_wolff_choose(const lattice_args *lattice, random_key key, unsigned q);

/* Few-cluster's p_flip in units of 2^-32, rounded to nearest, but neither 0 nor 1: then the chain
 * would not be ergodic. */
uint32_t clup_flip_below(double p_flip);

/* CLUP_ERROR_USAGE names what is out of range, in the problem or the method, and why. method NULL
 * is all zeros. */
clup_status clup_method_check(const clup_problem *problem, const clup_method *method);

#endif
