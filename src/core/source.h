/* SPDX-License-Identifier: BSD-3-Clause */
/* References of the first stage, which decides which bonds are active. */
#ifndef CLUP_CORE_SOURCE_H
#define CLUP_CORE_SOURCE_H
#include "core/prepared.h"

/* Reference of the variant fk: draws bonds[directions*sites], one byte a bond, plane by plane, from
 * spins[sites]. CLUP_INTERRUPTED when the watch ends it, here and below. */
clup_status clup_reference_fk(const lattice_args *lattice, random_key key, const clup_laws *laws,
                              const uint8_t *spins, uint8_t *bonds);

/* Writes to drawn[sites] whether the 32-bit number that each site has of a purpose is below the
 * threshold of the site's law, which law_of returns. */
void clup_reference_draw_sites(const lattice_args *lattice, random_key key, unsigned purpose,
                               bond_law (*law_of)(const void *user, uint64_t i), const void *user,
                               uint8_t *drawn);

/* Whether site i has a bond along d (disorder.h) that is satisfied. */
bool clup_bond_is_satisfied(const lattice_args *lattice, const clup_laws *laws,
                            const uint8_t *spins, unsigned d, uint64_t i);

/* References of kernel variants: fk, bond percolation and site percolation. */
clup_serial clup_serial_fk, clup_serial_bond, clup_serial_site;

#endif
