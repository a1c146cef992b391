/* SPDX-License-Identifier: BSD-3-Clause */
/* Couplings: classes of bonds, their laws, and energies. */
#ifndef CLUP_CORE_COUPLINGS_H
#define CLUP_CORE_COUPLINGS_H
#include <stdbool.h>

#include "base/status.h"
#include "core/disorder.h"
#include "core/energy.h"
#include "core/lattice.h"
#include "core/random.clh"

/* The classes of bonds of a problem, see class_of() in random.clh. */
typedef struct clup_bond_classes {
    unsigned count;
    uint32_t weight[CLUP_DIRECTIONS_MAX]; /* for each class: how many units a bond has less energy
                                           * when it is satisfied */
    bool unequal[CLUP_DIRECTIONS_MAX]; /* for each class: a bond between unequal spins is satisfied
                                        */
    uint32_t field;                    /* how many units a site has less energy along the field; 0
                                        * for no field, and with a matrix */
    bool down;                         /* along the field is state 1, not 0; false with a matrix */
    double unit;                       /* of the energy */
} clup_bond_classes;

/* Whether clusters flip (cl/model/ising.clh): in the Ising model where bonds differ, or in a
 * field. */
bool clup_clusters_flip(const clup_problem *problem);
/* Validates the couplings and the field. CLUP_ERROR_USAGE names the first that its model cannot
 * have. */
clup_status clup_couplings_check(const clup_problem *problem);
/* Validates that energies and magnetisations can be counted. clup_disorder_check and
 * clup_bond_couplings_check must have passed. CLUP_ERROR_USAGE where they are too large. */
clup_status clup_energies_check(const clup_problem *problem);
/* Whether a problem has other couplings than 1, disorder, a field, or a matrix of energies. */
bool clup_bonds_differ(const clup_problem *problem);
/* Whether clusters give improved estimators: their spins are equal, no field holds them, and they
 * are assigned any spin or flip. */
bool clup_clusters_estimate(const clup_problem *problem);
/* Whether sums of amplitudes over clusters (measure_fk.cl) give improved estimators, which they do
 * for these models with any couplings and in a field too: Ising, XY and Heisenberg. */
bool clup_amplitudes_estimate(const clup_problem *problem);
/* Whether a state and its active bonds have the weight (e^(beta gap) - 1)^b, b the number of active
 * bonds: all bonds have couplings of one size, and there is no field. gap, which may be NULL, is
 * the energy that a bond loses by being satisfied. */
bool clup_bonds_weigh(const clup_problem *problem, double *gap);
/* Returns the classes of bonds of a problem with right couplings. */
clup_bond_classes clup_problem_classes(const clup_problem *problem);
/* Returns the sum of the weights of all satisfied bonds, and of all sites along the field, where
 * every bond is satisfied and every site along the field; or a number above it. */
uint64_t clup_problem_most_satisfied(const clup_problem *problem);
/* Returns by how much the energy of a bond is less when it is satisfied, the mean over directions;
 * 1 for models without energies. */
double clup_energy_gap(const clup_problem *problem);
/* Returns the energy of a system while no bond is satisfied and no site is along the field; with a
 * matrix, while each bond and site has its highest energy. Any other state has that energy less
 * clup_bond_classes.unit times the sum of the weights of its satisfied bonds and sites along the
 * field. clup_energy_of returns the energy of a system without disorder where that sum is
 * satisfied. */
double clup_energy_unsatisfied(const clup_problem *problem, const clup_present *present);
double clup_energy_of(const clup_problem *problem, double satisfied);
/* Return beta times an energy, and times that for which a weight of 1 stands, in units of 2^-58
 * (gap_threshold(), heat_weight()). At 64 and more it is the largest number. */
uint64_t clup_step_of(double energy, double beta);
uint64_t clup_energy_step(const clup_problem *problem, double beta);
/* Returns the laws of a system at an inverse temperature: a satisfied bond, or a site along the
 * field, whose energy is less by gap, is active, or tied, with probability 1 - exp(-beta gap). With
 * a matrix of energies the caller adds it and its thresholds (matrix.h). */
clup_laws clup_problem_laws(const clup_problem *problem, double beta);

#endif
