/* SPDX-License-Identifier: BSD-3-Clause */
/* Disorder: what is drawn for each bond once and for all, see cl/model/laws.clh and random.clh. */
#ifndef CLUP_CORE_DISORDER_H
#define CLUP_CORE_DISORDER_H
#include <stdbool.h>

#include "base/status.h"
#include "core/energy.h"
#include "core/lattice.h"

/* Whether single bonds or sites differ in any way; whether some of that is drawn, so that it has
 * samples; whether single bonds are absent, where they are diluted or sites are drawn as vacant;
 * whether sites are drawn as vacant; whether any are vacant, which holes of the lattice are too.
 * See clup_has_random_signs and clup_has_sizes, too. */
bool clup_has_disorder(const clup_problem *problem);
bool clup_has_samples(const clup_problem *problem);
bool clup_has_absent_bonds(const clup_problem *problem);
bool clup_has_drawn_vacancies(const clup_problem *problem);
bool clup_has_vacancies(const clup_problem *problem);
/* Validates the disorder. CLUP_ERROR_USAGE names what its model cannot have. */
clup_status clup_disorder_check(const clup_problem *problem);
/* Returns the number of the sample of disorder that a replica has, 0 where there is one for all;
 * and how many replicas, from the first on, have different ones: replica r + that many has the
 * sample of replica r. */
uint32_t clup_disorder_sample(const clup_problem *problem, uint32_t replica);
uint32_t clup_disorder_period(const clup_problem *problem);
/* Returns the words of the disorder of a replica on a lattice, which is the problem's or a
 * subdomain of it: for signs and for missing bonds, where the problem has them, a plane of words
 * for each direction, and for sizes 32 planes for each; then for vacant sites one plane, and their
 * number in two words. clup_disorder_fill writes them. CLUP_INTERRUPTED when the watch ends it. */
uint64_t clup_disorder_words(const clup_problem *problem, const lattice_args *lattice);
clup_status clup_disorder_fill(const clup_problem *problem, const lattice_args *lattice,
                               uint32_t replica, uint32_t *words);
/* Draws the vacant sites of a row of the whole lattice of a replica, words[lattice->words]; none
 * where the problem has none. */
void clup_disorder_vacant_row(const clup_problem *problem, const lattice_args *lattice,
                              uint32_t replica, uint64_t row, uint32_t *words);
/* Counts the vacant sites of the whole lattice of a replica. */
clup_status clup_disorder_vacant_sites(const clup_problem *problem, uint32_t replica,
                                       uint64_t *count);
/* Returns a number that no size of a coupling along d is above, where bonds have a coupling each.
 */
uint64_t clup_size_most(const clup_problem *problem, unsigned d);
/* Sets where laws find the disorder in such words. */
void clup_disorder_in(const clup_problem *problem, const lattice_args *lattice,
                      const uint32_t *words, clup_laws *laws);
/* Returns the bit of site i in a plane of direction d. */
static inline bool clup_bit_of_bond(const lattice_args *lattice, const uint32_t *planes, unsigned d,
                                    uint64_t i)
{
    const uint64_t row = d * (uint64_t)lattice_rows(*lattice) + i / lattice->nx,
                   x = i % lattice->nx;
    return planes[row * lattice->words + x / 32] >> x % 32 & 1;
}
/* Returns the size of the coupling of the bond along d from site i, in units of the energy: of the
 * bond itself, or of its class. */
uint32_t clup_bond_weight(const lattice_args *lattice, const clup_laws *laws, unsigned d,
                          uint64_t i);
/* Whether site i has a bond along d, which leads to neighbour (of a graph, i is the edge, and the
 * lattice that of clup_bonds_of_laws); and whether unequal spins satisfy
 * it, as its coupling is negative. */
bool clup_bond_exists(const lattice_args *lattice, const clup_laws *laws, unsigned d, uint64_t i,
                      uint64_t *neighbour);
bool clup_bond_is_unequal(const lattice_args *lattice, const clup_laws *laws, unsigned d,
                          uint64_t i);
/* Whether site i is vacant. */
static inline bool clup_site_is_vacant(const lattice_args *lattice, const clup_laws *laws,
                                       uint64_t i)
{
    const uint64_t row = whole_row(*lattice, i / lattice->nx);
    return laws->vacant != NULL ? clup_bit_of_bond(lattice, laws->vacant, 0, i)
                                : clup_lattice_row_holes(lattice, row) >> i % lattice->nx % 32 & 1;
}
/* What a system has: sites that are not vacant, bonds along each direction and, where bonds have a
 * coupling each, the sums of the sizes of these couplings, in units. */
typedef struct clup_present {
    uint64_t sites, bonds[CLUP_DIRECTIONS_MAX], sizes[CLUP_DIRECTIONS_MAX];
    /* with a matrix: those of the bonds, or the sums of the sizes, whose couplings have the other
     * sign than their class */
    uint64_t turned[CLUP_DIRECTIONS_MAX];
} clup_present;
/* Counts the bonds and the sites that a replica has: of the whole lattice, without those that are
 * absent or vacant. */
clup_status clup_disorder_count(const clup_problem *problem, uint32_t replica,
                                clup_present *present);

#endif
