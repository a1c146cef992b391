/* What the device says of clusters that wrap: the roots that bonds across periodic boundaries join,
 * and those at the ends of open axes. */
#ifndef CLUP_FAMILY_WRAPS_PAIRS_H
#define CLUP_FAMILY_WRAPS_PAIRS_H
#include "family/wraps.h"
#include "core/pass.h"

/* The row wraps of sites.def, whose pass finds the pairs of roots, and then unites them. */
clup_status clup_run_wraps(clup_pass *pass);
uint64_t clup_wraps_scratch(const clup_pass *pass, unsigned which);

/* The clusters of each replica, from a pass that was run: wrapped[replicas] has clup_wraps_any. */
clup_status clup_wraps_read(clup_wraps *wraps, const clup_pass *pass, unsigned *wrapped);
/* The same of a lattice that several processes have parts of, all of which call it. */
clup_status clup_wraps_read_parts(clup_wraps *wraps, const clup_pass *pass, unsigned *wrapped);

#endif
