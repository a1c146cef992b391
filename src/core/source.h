/* SPDX-License-Identifier: BSD-3-Clause */
/* References of the first stage, which decides which bonds are active. */
#ifndef CLUP_CORE_SOURCE_H
#define CLUP_CORE_SOURCE_H
#include "core/prepared.h"

/* Reference of the variant fk: draws bonds[directions*sites], one byte a bond, plane by plane, from
 * spins[sites]. CLUP_INTERRUPTED when the watch ends it, here and below. */
clup_status clup_reference_fk(const lattice_args *lattice, random_key key, clup_bond_law law,
                              const uint8_t *spins, uint8_t *bonds);

/* References of kernel variants: fk, bond percolation and site percolation. */
clup_serial clup_serial_fk, clup_serial_bond, clup_serial_site;

#endif
