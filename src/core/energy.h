/* SPDX-License-Identifier: BSD-3-Clause */
/* Couplings and fields as whole numbers, and the energies of models with a matrix
 * (cl/model/matrix.clh). */
#ifndef CLUP_CORE_ENERGY_H
#define CLUP_CORE_ENERGY_H
#include <stdbool.h>

#include "base/status.h"
#include "core/lattice.h"

/* Couplings are multiples of 2^-20, so that energies are added as whole numbers. */
#define CLUP_COUPLING_UNIT 0x1p-20
#define CLUP_COUPLING_MOST 16

/* Returns a coupling or field in units of CLUP_COUPLING_UNIT; 0 where it is out of range. */
int32_t clup_units_of(double coupling);
/* Return the coupling of the bonds along d, and the field, in units of CLUP_COUPLING_UNIT. */
int32_t clup_coupling_units(const clup_problem *problem, unsigned d);
int32_t clup_field_units(const clup_problem *problem);
/* Whether a problem has other couplings than 1 in all directions. */
bool clup_has_couplings(const clup_problem *problem);
/* The indices of clup_problem.disorder. */
enum { CLUP_SIGNS, CLUP_ABSENT, CLUP_NORMAL, CLUP_VACANT, CLUP_DISORDERS };
/* Whether the couplings of single bonds have another sign than those of their class; and whether
 * bonds have a coupling each. */
bool clup_has_random_signs(const clup_problem *problem);
bool clup_has_sizes(const clup_problem *problem);
/* Whether sites have an energy that depends on their state. */
bool clup_has_field(const clup_problem *problem);
/* Whether the couplings of some direction are negative. */
bool clup_has_negative_couplings(const clup_problem *problem);

/* Most states of a model with a matrix. */
#define CLUP_MATRIX_STATES 64
/* Whether a problem has a matrix of energies: the clock model, a table; the Potts model with
 * negative couplings or in a field. */
bool clup_has_matrix(const clup_problem *problem);
/* Returns what messages call a model with a matrix. */
const char *clup_matrix_called(clup_model model);
/* Whether energies are those of pairs of spins, in units of CLUP_COUPLING_UNIT: of a matrix, or of
 * vectors (vector.h). */
bool clup_has_pair_energies(const clup_problem *problem);
/* Validates the number of states. */
clup_status clup_matrix_check(const clup_problem *problem);
/* Return the energy of a bond along d between s and t, and of a site in state s, in units of
 * CLUP_COUPLING_UNIT. Where bonds have a coupling each, it is the energy of a bond of coupling 1,
 * with the sign of the direction; also in the next functions. */
int64_t clup_matrix_bond_energy(const clup_problem *problem, unsigned d, unsigned s, unsigned t);
int64_t clup_matrix_site_energy(const clup_problem *problem, unsigned s);
/* Return the lowest and the highest energy of a bond along d, and of a site, where energies are
 * those of pairs. */
typedef struct clup_energies {
    int64_t least, most;
} clup_energies;
clup_energies clup_pair_bonds(const clup_problem *problem, unsigned d);
clup_energies clup_pair_sites(const clup_problem *problem);
/* Returns J sin(2 pi by/q) of a bond along d of the clock model, in units of
 * CLUP_COUPLING_UNIT. */
int32_t clup_clock_current(const clup_problem *problem, unsigned d, unsigned by);
/* Return the components of the direction of a state in units of 2^-26: the cosine and the sine of
 * its angle, or what a table says. */
int32_t clup_matrix_cosine(const clup_problem *problem, unsigned s);
int32_t clup_matrix_sine(const clup_problem *problem, unsigned s);

#endif
