/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of observables: the rows of observables.def, one after the other. clup_observable has
 * names for the first of them, which stay; others have numbers alone. */
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
