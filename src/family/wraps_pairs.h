/* SPDX-License-Identifier: BSD-3-Clause */
/* What the device says of clusters that wrap: the roots that bonds across periodic boundaries join,
 * and those at the ends of open axes. */
#ifndef CLUP_FAMILY_WRAPS_PAIRS_H
#define CLUP_FAMILY_WRAPS_PAIRS_H
#include "family/wraps.h"
#include "core/prepared.h"

/* The row wraps of sites.def, whose prepared finds the pairs of roots, and then unites them. */
clup_status clup_run_wraps(clup_prepared *prepared);
uint64_t clup_wraps_scratch(const clup_prepared *prepared, unsigned which);

/* The clusters of each replica, from a prepared that was run: wrapped[replicas] has clup_wraps_any.
 */
clup_status clup_wraps_read(clup_wraps *wraps, const clup_prepared *prepared, unsigned *wrapped);
/* The same of a lattice that several processes have parts of, all of which call it. */
clup_status clup_wraps_read_parts(clup_wraps *wraps, const clup_prepared *prepared,
                                  unsigned *wrapped);

#endif
