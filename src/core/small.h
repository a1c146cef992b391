/* SPDX-License-Identifier: BSD-3-Clause */
/* Small problems for known-answer tests. */
#ifndef CLUP_CORE_SMALL_H
#define CLUP_CORE_SMALL_H
#include "core/lattice.h"

/* Returns a validated problem with a smaller lattice, for a known-answer test: few[] sites along
 * each axis, or more for the following reason. Some platforms compile a kernel once more for
 * launches of more than few_items work-items along an axis (quirks.h; 0 for other platforms). If
 * the problem has such launches, the small lattice has them too: it is made longer, but along no
 * axis longer than the problem, until even a launch whose work-items do each sites at a time
 * exceeds few_items. */
clup_problem clup_problem_small(const clup_problem *problem, const uint32_t few[3],
                                uint32_t few_items, unsigned each);

#endif
