/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlaps of systems that are in several processes. */
#include "run/overlaps.h"

#include <stdlib.h>

#include "core/disorder.h"
#include "core/record.clh"
#include "estimate/modes.h"
#include "estimate/overlap.h"

clup_status clup_overlaps_create(const clup_problem *problem, uint32_t first, uint32_t count,
                                 clup_overlaps *overlaps)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_problem_sites(problem);
    clup_status status = CLUP_OK;
    *overlaps = (clup_overlaps){.problem = *problem, .first = first, .count = count};
    overlaps->problem.betas = NULL;
    overlaps->disorder_each = clup_disorder_words(problem, &lattice);
    overlaps->partners = calloc(problem->replicas, sizeof *overlaps->partners);
    overlaps->spins = malloc(problem->replicas * sites);
    overlaps->table = clup_modes_table(&lattice);
    overlaps->disorder = malloc((count * overlaps->disorder_each + 1) * sizeof(uint32_t));
    if (overlaps->partners == NULL || overlaps->spins == NULL || overlaps->table == NULL ||
        overlaps->disorder == NULL)
        CLUP_TRY(clup_fail_memory("the overlaps"));
    for (uint32_t r = 0; r < count; r++)
        CLUP_TRY(clup_disorder_fill(problem, &lattice, first + r,
                                    overlaps->disorder + r * overlaps->disorder_each));
done:
    if (status != CLUP_OK)
        clup_overlaps_clear(overlaps);
    return status;
}

void clup_overlaps_clear(clup_overlaps *overlaps)
{
    free(overlaps->partners);
    free(overlaps->spins);
    free(overlaps->table);
    free(overlaps->disorder);
    *overlaps = (clup_overlaps){0};
}

void clup_overlaps_write(const clup_overlaps *overlaps, uint32_t format, uint32_t *records)
{
    const clup_problem *problem = &overlaps->problem;
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_problem_sites(problem);
    clup_laws laws = {.classes = 1};
    for (uint32_t r = 0; r < overlaps->count; r++) {
        const uint32_t system = overlaps->first + r, partner = overlaps->partners[system];
        clup_disorder_in(problem, &lattice, overlaps->disorder + r * overlaps->disorder_each,
                         &laws);
        clup_overlap_reference(&lattice, &laws, overlaps->table, problem,
                               overlaps->spins + system * sites, overlaps->spins + partner * sites,
                               format, records + (size_t)r * record_words(format));
    }
}
