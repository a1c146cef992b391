/* SPDX-License-Identifier: BSD-3-Clause */
/* Models with a matrix of energies, one for each pair of states, and involutions: a bond keeps its
 * energy when both its ends take one, see cl/model/matrix.clh. */
#ifndef CLUP_CORE_MATRIX_H
#define CLUP_CORE_MATRIX_H
#include <stdbool.h>

#include "base/status.h"
#include "core/energy.h"
#include "core/lattice.h"
#include "model/matrix_sizes.clh"

struct clup_matrix {
    unsigned states, planes, classes, involutions;
    unsigned levels, law_words; /* law_words: of the laws of a system, see matrix_sizes.clh */
    uint32_t *gaps; /* [levels]: amounts of energy in units of CLUP_COUPLING_UNIT; the first is 0 */
    uint32_t *words; /* see matrix_sizes.clh */
    uint64_t word_count;
};

/* Creates the matrix of a problem that has one; clup_matrix_free(NULL) is allowed. */
clup_status clup_matrix_create(const clup_problem *problem, clup_matrix **out);
void clup_matrix_free(clup_matrix *matrix);
/* Writes laws[law_words], those of a system at an inverse temperature. */
void clup_matrix_laws(const clup_matrix *matrix, double beta, uint32_t *laws);
/* Return by how many units the bond along d from site i between s and t, and a site, have less
 * energy than the highest. */
uint32_t clup_matrix_bond_weight(const lattice_args *lattice, const clup_laws *laws, unsigned d,
                                 uint64_t i, unsigned s, unsigned t);
uint32_t clup_matrix_site_weight(const clup_matrix *matrix, unsigned s);
/* For references. clup_matrix_bond_law returns the law of such a bond in a sweep with an
 * involution, clup_matrix_site_law that of a site; clup_matrix_image what the involution makes of a
 * state. clup_matrix_turn sets along and across to J cos and J sin of the angle from s to t. */
bond_law clup_matrix_bond_law(const lattice_args *lattice, const clup_laws *laws,
                              unsigned involution, unsigned d, uint64_t i, unsigned s, unsigned t);
bond_law clup_matrix_site_law(const clup_laws *laws, unsigned involution, unsigned s);
unsigned clup_matrix_image(const clup_matrix *matrix, unsigned involution, unsigned s);
void clup_matrix_turn(const lattice_args *lattice, const clup_laws *laws, unsigned d, uint64_t i,
                      unsigned s, unsigned t, int64_t *along, int64_t *across);

#endif
