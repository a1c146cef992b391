/* SPDX-License-Identifier: BSD-3-Clause */
/* What the helicity modulus is made of, on the host, see twist.clh. */
#ifndef CLUP_ESTIMATE_TWIST_H
#define CLUP_ESTIMATE_TWIST_H
#include "core/lattice.h"

/* Writes the numbers of all axes to a record, from spins[sites]; laws have the matrix of the
 * model. */
void clup_twist_reference(const lattice_args *lattice, const clup_laws *laws, const uint8_t *spins,
                          uint32_t format, uint32_t *record);

#endif
