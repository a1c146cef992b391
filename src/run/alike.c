/* SPDX-License-Identifier: BSD-3-Clause */
/* Which replicas have the same temperature. */
#include <stdlib.h>

#include "run/simulation.h"

static int compare(const void *left, const void *right)
{
    const clup_alike *a = left, *b = right;
    return a->beta != b->beta ? (a->beta > b->beta) - (a->beta < b->beta)
                              : (a->replica > b->replica) - (a->replica < b->replica);
}

void clup_simulation_find_alike(clup_simulation *simulation)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    clup_alike *sorted = simulation->alike;
    for (uint32_t r = 0; r < replicas; r++)
        sorted[r] = (clup_alike){.beta = simulation->betas[r], .replica = r};
    qsort(sorted, replicas, sizeof *sorted, compare);
    for (uint32_t k = 0, first = 0; k < replicas; k++) {
        const bool ends = k + 1 == replicas || sorted[k + 1].beta != sorted[k].beta;
        clup_alike *own = &sorted[sorted[k].replica];
        own->first = sorted[first].replica;
        own->next = ends ? replicas : sorted[k + 1].replica;
        first = ends ? k + 1 : first;
    }
}

uint32_t clup_simulation_first_alike(const clup_simulation *simulation, uint32_t replica)
{
    return simulation->alike[replica].first;
}

uint32_t clup_simulation_next_alike(const clup_simulation *simulation, uint32_t replica)
{
    return simulation->alike[replica].next;
}
