/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of observables, in the order of observables.def. clup_observable in clup.h names the
 * first of them, which never change; the others have no public name for their number. */
#ifndef CLUP_ESTIMATE_OBSERVED_H
#define CLUP_ESTIMATE_OBSERVED_H
#include "clup.h"

enum {
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) OBSERVED_##NAME,
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) OBSERVED_##NAME,
#define VECTOR(NAME, OF, TEXT, ABOUT, PART, AXIS, VALUE) OBSERVED_##NAME,
#include "estimate/observables.def"
    OBSERVED
};

#endif
