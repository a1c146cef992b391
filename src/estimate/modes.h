/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier sums of spins on the host, see modes.clh. */
#ifndef CLUP_ESTIMATE_MODES_H
#define CLUP_ESTIMATE_MODES_H
#include "base/status.h"
#include "core/lattice.h"
#include "core/record.clh"

/* The number of sites along an axis that has waves, as it is periodic and longer than one site; 0
 * for other axes, and past the last axis. */
uint32_t clup_modes_length(const lattice_args *lattice, unsigned axis);
/* Makes the table of a lattice, mode_places() numbers, which the caller frees; NULL if there is no
 * memory. */
int32_t *clup_modes_table(const lattice_args *lattice);
/* Computes the numbers of modes in a record from spins[sites]; laws have the matrix of angles. */
void clup_modes_reference(const lattice_args *lattice, const clup_laws *laws, const int32_t *table,
                          const uint8_t *spins, sweep_record *record);

#endif
