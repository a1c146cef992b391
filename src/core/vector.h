/* SPDX-License-Identifier: BSD-3-Clause */
/* Models whose spins are vectors (cl/model/vector.clh), and the bytes of spins of all models. On
 * the host a vector is as many numbers of 32 bits as the model has, one after the other; a spin of
 * other models is a byte, the number of its state. */
#ifndef CLUP_CORE_VECTOR_H
#define CLUP_CORE_VECTOR_H
#include <stdbool.h>
#include <string.h>

#include "base/status.h"
#include "core/model.h"
#include "model/vector.clh"

/* Return the components of the magnetisation: 2 or 3 where it is a vector, of the clock model too,
 * else 0; and the part of a record's format (record.clh) that has them. */
unsigned clup_problem_components(const clup_problem *problem);
/* Whether energies depend on angles between spins, so that there is a helicity modulus. */
bool clup_has_rotations(const clup_problem *problem);
uint32_t clup_components_format(const clup_problem *problem);
/* Returns the planes of words in which a device stores spins. */
unsigned clup_problem_planes(const clup_problem *problem);
/* Returns the law of bonds that lose 2 strength (s.r)(t.r) of beta times the energy, see
 * vector_threshold(). An infinite strength, as a very large one, activates bonds whose product is
 * above 2^-25. */
bond_law clup_vector_law(double strength);
/* Reads spin i of spins. */
static inline void clup_vector_of_site(const uint8_t *spins, unsigned numbers, uint64_t i,
                                       uint32_t spin[VECTOR_NUMBERS_MOST])
{
    memcpy(spin, spins + 4 * numbers * i, 4 * numbers);
}
/* Writes the spins of an ordered start, count of them. */
void clup_ordered_spins(unsigned numbers, uint64_t count, uint8_t *spins);
/* Whether numbers are a vector: of three components, that its length is 1, but for 2^-20. */
bool clup_is_vector(unsigned numbers, const uint32_t *spin);
/* For references. Sets sums[3] to the components of all spins, in units of 2^-26, and returns the
 * weights of all bonds, and in a field of all sites, see vector_weight(). */
uint64_t clup_vectors_counted(const lattice_args *lattice, const clup_laws *laws,
                              const uint8_t *spins, int64_t sums[3]);
/* See vector_currents(): of the bond along d of site i to a neighbour. */
void clup_vector_currents(const lattice_args *lattice, const clup_laws *laws, const uint8_t *spins,
                          unsigned d, uint64_t i, uint64_t neighbour, int64_t *along,
                          int64_t *across);
/* Return the law of the bond along d of site i to a neighbour, and of a site that the field may
 * tie, in a sweep of this axis. */
bond_law clup_vector_bond_law(const lattice_args *lattice, const clup_laws *laws,
                              const uint32_t *axis, const uint8_t *spins, unsigned d, uint64_t i,
                              uint64_t neighbour);
bond_law clup_vector_site_law(const clup_laws *laws, const uint32_t *axis, const uint8_t *spins,
                              uint64_t i);

#endif
