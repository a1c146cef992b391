/* SPDX-License-Identifier: BSD-3-Clause */
/* Couplings of single bonds that users give, see clup_bond_couplings in problem.h. */
#ifndef CLUP_CORE_BOND_COUPLINGS_H
#define CLUP_CORE_BOND_COUPLINGS_H
#include <stdbool.h>

#include "base/status.h"
#include "core/kept.h"
#include "core/lattice.h"

struct clup_bond_couplings {
    clup_kept kept;
    unsigned directions;
    uint64_t sites;
    int32_t *units;                     /* [directions][sites], in units of CLUP_COUPLING_UNIT */
    uint32_t most[CLUP_DIRECTIONS_MAX]; /* the largest size along each direction */
    bool negative;                      /* some are */
    bool folded;                        /* for a lattice of any size: the numbers begin again after
                                           the last */
    clup_bond_couplings *fold;          /* the same numbers, folded */
};

/* Returns the couplings with this id: those that the program has, or what stands for them until it
 * gets them. NULL if id is none or there is no memory. */
const clup_bond_couplings *clup_bond_couplings_known(const char *id);
/* Validates the couplings of a problem, as far as they are known. CLUP_ERROR_USAGE for those that
 * do not fit it. clup_bond_couplings_need does so for a problem whose id alone is known. */
clup_status clup_bond_couplings_check(const clup_problem *problem);
clup_status clup_bond_couplings_need(const clup_problem *problem);

#endif
