/* SPDX-License-Identifier: BSD-3-Clause */
/* The overlap of two systems on the host, see overlap.clh. */
#ifndef CLUP_ESTIMATE_OVERLAP_H
#define CLUP_ESTIMATE_OVERLAP_H
#include "core/lattice.h"

/* Whether a problem's model has states that overlaps compare, and whether it has links. */
bool clup_has_overlap(const clup_problem *problem);
bool clup_has_links(const clup_problem *problem);
/* Writes the overlap of spins[sites] with the spins of a partner to a record. laws are those of
 * both, table is that of modes.h, and links says whether the model has them. */
void clup_overlap_reference(const lattice_args *lattice, const clup_laws *laws,
                            const int32_t *table, bool links, const uint8_t *spins,
                            const uint8_t *partner, uint32_t format, uint32_t *record);

#endif
