/* SPDX-License-Identifier: BSD-3-Clause */
/* Houdayer's cluster moves, cl/houdayer. */
#ifndef CLUP_FAMILY_HOUDAYER_H
#define CLUP_FAMILY_HOUDAYER_H
#include "core/prepared.h"

/* Returns the kernel variant of the moves. */
const clup_variant *clup_houdayer_variant(void);
uint64_t clup_houdayer_scratch(const clup_prepared *prepared, unsigned which);
/* Enqueues the moves that come before a sweep: state->method.houdayer of each pair. */
clup_status clup_run_houdayer(clup_prepared *prepared);
/* Does move number round before a sweep on the host, of two systems, the first of which has the
 * lower number. */
clup_status clup_houdayer_reference(clup_host *first, clup_host *second, uint32_t round);

#endif
