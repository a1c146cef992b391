/* SPDX-License-Identifier: BSD-3-Clause */
/* The staggered magnetisation on the host, see sublattices.clh. */
#ifndef CLUP_ESTIMATE_SUBLATTICES_H
#define CLUP_ESTIMATE_SUBLATTICES_H
#include "core/lattice.h"

/* Writes the differences between sublattices to a record, from spins[sites]. laws have the matrix
 * of the model where states are angles. */
void clup_staggered_reference(const lattice_args *lattice, const clup_laws *laws,
                              const uint8_t *spins, uint32_t format, uint32_t *record);

#endif
