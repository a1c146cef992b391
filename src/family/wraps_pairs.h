/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from the device what wrapping clusters need: pairs of roots that bonds across periodic
 * boundaries connect, and roots of clusters at the ends of open axes. */
#ifndef CLUP_FAMILY_WRAPS_PAIRS_H
#define CLUP_FAMILY_WRAPS_PAIRS_H
#include "family/wraps.h"
#include "core/prepared.h"

/* The kernel variant wraps of sites.def. Its prepared stage finds the pairs of roots, and then
 * unites them. */
clup_status clup_run_wraps(clup_prepared *prepared);
uint64_t clup_wraps_scratch(const clup_prepared *prepared, unsigned which);

/* Finds the clusters that wrap in each replica, from a prepared stage that was run: sets
 * wrapped[replicas] to clup_wraps_any of each. */
clup_status clup_wraps_read(clup_wraps *wraps, const clup_prepared *prepared, unsigned *wrapped);
/* As clup_wraps_read, for a lattice divided into subdomains. All processes must call it. */
clup_status clup_wraps_read_parts(clup_wraps *wraps, const clup_prepared *prepared,
                                  unsigned *wrapped);

#endif
