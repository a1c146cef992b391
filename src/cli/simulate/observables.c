/* SPDX-License-Identifier: BSD-3-Clause */
/* The observables, and which of them are always measured. */
#include <string.h>

#include "cli/simulate/simulate.h"

unsigned simulate_observables(void)
{
    static unsigned count;
    while (count < SIMULATE_OBSERVABLES && clup_observable_name((clup_observable)count) != NULL)
        count++;
    return count;
}

int simulate_by_the_way(clup_observable observable)
{
    return strcmp(clup_observable_group(observable), clup_observable_group(CLUP_ENERGY)) == 0;
}
