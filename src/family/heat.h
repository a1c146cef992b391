/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat bath, cl/heat. */
#ifndef CLUP_FAMILY_HEAT_H
#define CLUP_FAMILY_HEAT_H
#include "core/prepared.h"

/* Enqueue a sweep of the heat bath, number state->heat_round; and all those that come before a
 * sweep of clusters. */
clup_status clup_run_heat_bath(clup_prepared *prepared);
clup_status clup_run_heat_bits(clup_prepared *prepared);
clup_status clup_run_heat_vectors(clup_prepared *prepared);
clup_status clup_run_heat_rounds(clup_prepared *prepared);
/* Enqueues the sweeps of overrelaxation that come before a sweep. */
clup_status clup_run_overrelaxation(clup_prepared *prepared);
uint64_t clup_heat_scratch(const clup_prepared *prepared, unsigned which);
/* Returns the fastest kernel variant of the heat bath for a state. */
const clup_variant *clup_heat_variant(const clup_state *state);
/* Returns the kernel variant of overrelaxation. */
const clup_variant *clup_overrelaxation_variant(void);
/* Does a sweep of the heat bath on the host, the round-th before a sweep of clusters. */
clup_status clup_heat_reference(clup_host *host, uint32_t round);
/* Does a sweep of overrelaxation on the host. */
clup_status clup_overrelax_reference(clup_host *host);

#endif
