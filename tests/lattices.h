/* SPDX-License-Identifier: BSD-3-Clause */
/* The lattices that tests of many kernels take. */
#ifndef CLUP_TESTS_LATTICES_H
#define CLUP_TESTS_LATTICES_H
#include "core/lattice.h"

/* Returns the lattice that comes after another one, or CLUP_LATTICES. Of lattices whose sites
 * differ it leaves out those whose steps and patterns others have as well: t_cells and t_identity
 * have these too. */
static inline clup_lattice_kind lattice_after(clup_lattice_kind lattice)
{
    switch (++lattice) {
    case CLUP_LATTICE_CHAIN: return CLUP_LATTICE_HONEYCOMB;
    case CLUP_LATTICE_SQUARE_OCTAGON: return CLUP_LATTICE_KAGOME;
    case CLUP_LATTICE_LIEB: return CLUP_LATTICES;
    default: return lattice;
    }
}

#endif
