/* SPDX-License-Identifier: BSD-3-Clause */
/* Which systems overlaps compare, and the serial definition of what is counted. */
#include "estimate/overlap.h"

#include <stdlib.h>

#include "core/disorder.h"
#include "core/energy.h"
#include "core/model.h"
#include "core/record.clh"
#include "core/source.h"
#include "measure/overlap.clh"

bool clup_has_overlap(const clup_problem *problem)
{
    return problem->model == CLUP_POTTS || problem->model == CLUP_ISING;
}

bool clup_has_links(const clup_problem *problem)
{
    return clup_has_overlap(problem) && problem->q == 2 && !clup_has_matrix(problem);
}

/* ---- partners -------------------------------------------------------------------------------- */

/* A replica, and what its partner has in common with it. */
typedef struct place {
    uint32_t sample, replica;
    double beta;
} place;

static bool alike(const place *a, const place *b)
{
    return a->sample == b->sample && a->beta == b->beta;
}

/* Sorts replicas that are alike beside each other, by their numbers. */
static int order(const void *left, const void *right)
{
    const place *a = left, *b = right;
    return a->sample != b->sample ? (a->sample < b->sample ? -1 : 1)
           : a->beta != b->beta   ? (a->beta < b->beta ? -1 : 1)
                                  : (a->replica > b->replica) - (a->replica < b->replica);
}

/* Sets the partners of places[count], sorted: of those that are alike, the next one, and of the
 * last the first; or where twos is set, the other one of each two. Returns whether each has a
 * partner; else *alone is a replica that has none. */
static bool pair(const place *places, uint32_t count, bool twos, uint32_t *partners,
                 uint32_t *alone)
{
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && alike(&places[end], &places[first]); end++)
            ;
        if (end == first + 1) {
            *alone = places[first].replica;
            return false;
        }
        for (uint32_t k = first; k < end && partners != NULL; k++) {
            const uint32_t next = k + 1 < end ? k + 1 : twos ? k : first;
            partners[places[k].replica] = places[twos && (k - first) % 2 == 1 ? k - 1 : next]
                                              .replica;
        }
    }
    return true;
}

/* Sets the partners of all systems, see pair(); what says what needs them. */
static clup_status find(const clup_problem *problem, bool twos, const char *what,
                        uint32_t *partners)
{
    clup_status status = CLUP_OK;
    const uint32_t count = clup_problem_replicas(problem);
    uint32_t alone;
    place *places = malloc(count * sizeof *places);
    if (places == NULL)
        return clup_fail_memory("the replicas");
    for (uint32_t r = 0; r < count; r++)
        places[r] = (place){.sample = clup_disorder_sample(problem, r),
                            .replica = r,
                            .beta = clup_problem_beta(problem, r)};
    qsort(places, count, sizeof *places, order);
    if (!pair(places, count, twos, partners, &alone))
        status = clup_fail(CLUP_ERROR_USAGE,
                           "%s systems at one temperature with the same couplings, and replica %u "
                           "has no other such system",
                           what, alone);
    free(places);
    return status;
}

clup_status clup_problem_partners(const clup_problem *problem, uint32_t *partners)
{
    const clup_status status = clup_problem_check(problem);
    if (status != CLUP_OK)
        return status;
    return clup_has_overlap(problem)
               ? find(problem, false, "overlaps compare", partners)
               : clup_fail(CLUP_ERROR_USAGE,
                           "overlaps compare the states of the Potts and the Ising model, not of "
                           "%s",
                           clup_model_of(problem->model)->called);
}

clup_status clup_problem_mates(const clup_problem *problem, uint32_t *mates)
{
    return find(problem, true, "Houdayer's moves take", mates);
}

/* ---- reference ------------------------------------------------------------------------------- */

void clup_overlap_reference(const lattice_args *lattice, const clup_laws *laws,
                            const int32_t *table, const clup_problem *problem, const uint8_t *spins,
                            const uint8_t *partner, uint32_t format, uint32_t *record)
{
    int64_t sums[OVERLAP_SUMS] = {0};
    const bool links = clup_has_links(problem);
    for (uint64_t i = 0; i < clup_lattice_sites(lattice); i++) {
        const uint32_t row = (uint32_t)(i / lattice->nx);
        const uint32_t at[] = {(uint32_t)(i % lattice->nx), row % lattice->ny, row / lattice->ny};
        for (unsigned d = 0; d < clup_lattice_of(lattice)->directions && links; d++)
            sums[1] += clup_bond_is_satisfied(lattice, laws, spins, d, i) !=
                       clup_bond_is_satisfied(lattice, laws, partner, d, i);
        const bool vacant = clup_site_is_vacant(lattice, laws, i);
        if (spins[i] != partner[i] && !vacant)
            continue;
        sums[0] += !vacant;
        for (unsigned k = 0; k < MODE_SUMS; k++)
            sums[(vacant ? OVERLAP_VACANT : OVERLAP_WAVES) + k] +=
                table[mode_place(*lattice, k / 2, at[k / 2]) + k % 2];
    }
    overlap_put(record + record_place(format, RECORD_OVERLAP), problem->q, sums);
}
