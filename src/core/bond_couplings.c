/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps couplings of single bonds until the program ends, each once; and validates problems that
 * have them. */
#include "core/bond_couplings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "core/energy.h"
#include "core/graph.h"
#include "core/model.h"
#include "program.h"

static clup_keeper keeper = {PTHREAD_MUTEX_INITIALIZER, sizeof(clup_bond_couplings), NULL};

static void free_couplings(clup_bond_couplings *couplings)
{
    if (couplings == NULL)
        return;
    free(couplings->units);
    free(couplings->fold);
    free(couplings);
}

const clup_bond_couplings *clup_bond_couplings_known(const char *id)
{
    return (const clup_bond_couplings *)clup_kept_of_id(&keeper, id);
}

/* Makes the same couplings for a lattice of any size. */
static clup_status make_fold(clup_bond_couplings *couplings)
{
    if ((couplings->fold = malloc(sizeof *couplings)) == NULL)
        return clup_fail_memory("the couplings");
    *couplings->fold = *couplings;
    couplings->fold->fold = couplings->fold;
    couplings->fold->folded = true;
    return CLUP_OK;
}

static void set_id(clup_bond_couplings *couplings)
{
    const uint64_t header[] = {couplings->directions, couplings->sites};
    clup_sha256_state state;
    clup_sha256_start(&state);
    clup_sha256_add(&state, header, sizeof header);
    clup_sha256_add(&state, couplings->units,
                    couplings->directions * couplings->sites * sizeof *couplings->units);
    clup_sha256_finish(&state, couplings->kept.id);
}

/* Fills in the couplings from numbers. CLUP_ERROR_USAGE for one out of range. */
static clup_status fill(const double *numbers, clup_bond_couplings *couplings)
{
    const uint64_t sites = couplings->sites, count = couplings->directions * sites;
    bool any = false;
    for (uint64_t k = 0; k < count; k++) {
        const unsigned d = (unsigned)(k / sites);
        if (!(fabs(numbers[k]) <= CLUP_COUPLING_MOST)) {
            char text[32];
            return clup_fail(CLUP_ERROR_USAGE,
                             "the coupling of the bond along direction %u from site %llu, %s, is "
                             "not between -%d and %d",
                             d, (unsigned long long)(k % sites), clup_number_text(numbers[k], text),
                             CLUP_COUPLING_MOST, CLUP_COUPLING_MOST);
        }
        const int32_t units = clup_units_of(numbers[k]);
        const uint32_t size = (uint32_t)abs(units);
        couplings->units[k] = units;
        couplings->most[d] = size > couplings->most[d] ? size : couplings->most[d];
        couplings->negative = couplings->negative || units < 0;
        any = any || units != 0;
    }
    return any ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "all couplings are below %g, and count as 0",
                           CLUP_COUPLING_UNIT / 2);
}

clup_status clup_bond_couplings_make(const double *numbers, unsigned directions, uint64_t sites,
                                     const clup_bond_couplings **out)
{
    CLUP_NEED(numbers);
    CLUP_NEED(out);
    clup_status status = CLUP_OK;
    clup_bond_couplings *couplings = NULL;
    *out = NULL;
    if (directions < 1 || directions > CLUP_DIRECTIONS_MAX || sites < 1 ||
        sites > SIZE_MAX / sizeof *numbers / directions)
        return clup_fail(CLUP_ERROR_USAGE, "there are no couplings of %u directions and %llu sites",
                         directions, (unsigned long long)sites);
    if ((couplings = calloc(1, sizeof *couplings)) == NULL ||
        (couplings->units = malloc(directions * sites * sizeof *couplings->units)) == NULL)
        CLUP_TRY(clup_fail_memory("the couplings"));
    couplings->directions = directions;
    couplings->sites = sites;
    CLUP_TRY(fill(numbers, couplings));
    set_id(couplings);
    couplings->kept.known = true;
    CLUP_TRY(make_fold(couplings));
    const clup_kept *const kept = clup_kept_add(&keeper, &couplings->kept);
    *out = (const clup_bond_couplings *)kept;
    if (kept == &couplings->kept)
        couplings = NULL;
done:
    free_couplings(couplings);
    return status;
}

clup_status clup_bond_couplings_need(const clup_problem *problem)
{
    const clup_bond_couplings *couplings = problem->bond_couplings;
    return couplings == NULL || clup_kept_is_known(&keeper, &couplings->kept)
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "the couplings of the bonds, with SHA-256 %.12s.., are not known: their "
                           "file has to be given again",
                           couplings->kept.id);
}

clup_status clup_bond_couplings_check(const clup_problem *problem)
{
    const clup_bond_couplings *couplings = problem->bond_couplings;
    const unsigned directions = clup_problem_directions(problem);
    const bool of_graph = problem->lattice == CLUP_LATTICE_GRAPH;
    if (couplings == NULL)
        return CLUP_OK;
    const uint64_t sites = of_graph ? clup_graph_edges(problem) : clup_problem_sites(problem);
    if (clup_kept_is_known(&keeper, &couplings->kept) && !couplings->folded && sites > 0 &&
        (couplings->directions != directions || couplings->sites != sites))
        return of_graph
                   ? clup_fail(CLUP_ERROR_USAGE,
                               "there are couplings for %u x %llu bonds: the graph has %llu "
                               "edges",
                               couplings->directions, (unsigned long long)couplings->sites,
                               (unsigned long long)sites)
                   : clup_fail(
                         CLUP_ERROR_USAGE,
                         "there are couplings for %u directions and %llu sites: the %s lattice has "
                         "%u directions and, of this size, %llu sites",
                         couplings->directions, (unsigned long long)couplings->sites,
                         clup_lattice_name(problem->lattice), directions,
                         (unsigned long long)sites);
    if (clup_has_couplings(problem))
        return clup_fail(CLUP_ERROR_USAGE,
                         "couplings of single bonds go without couplings of directions");
    return problem->disorder[0] == 0 && problem->disorder[2] == 0
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "couplings of single bonds go without disorder but "
                                             "dilution of bonds and sites");
}
