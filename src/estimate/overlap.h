/* SPDX-License-Identifier: BSD-3-Clause */
/* The overlap of two systems on the host, see overlap.clh. */
#ifndef CLUP_ESTIMATE_OVERLAP_H
#define CLUP_ESTIMATE_OVERLAP_H
#include "core/lattice.h"

/* Whether a problem's model has states that overlaps compare, and whether it has links. */
bool clup_has_overlap(const clup_problem *problem);
bool clup_has_links(const clup_problem *problem);
/* Finds which system moves with which (mates.clh): of those at one temperature with the
 * same couplings, by their numbers, the first with the second, the third with the fourth, ..; a
 * last one that is left has itself. CLUP_ERROR_USAGE where one is alone from the start. */
clup_status clup_problem_mates(const clup_problem *problem, uint32_t *mates);
/* Writes the overlap of spins[sites] with the spins of a partner to a record. laws are those of
 * both, table is that of modes.h. */
void clup_overlap_reference(const lattice_args *lattice, const clup_laws *laws,
                            const int32_t *table, const clup_problem *problem, const uint8_t *spins,
                            const uint8_t *partner, uint32_t format, uint32_t *record);

#endif
