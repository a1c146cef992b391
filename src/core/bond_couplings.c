/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps couplings of single bonds until the program ends, each once; and validates problems that
 * have them. */
#include "core/bond_couplings.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "core/energy.h"
#include "core/model.h"
#include "program.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static clup_bond_couplings *kept;

static clup_bond_couplings *find(const char *id)
{
    clup_bond_couplings *couplings = kept;
    while (couplings != NULL && strcmp(couplings->id, id) != 0)
        couplings = couplings->next;
    return couplings;
}

static void free_couplings(clup_bond_couplings *couplings)
{
    if (couplings == NULL)
        return;
    free(couplings->units);
    free(couplings->fold);
    free(couplings);
}

static void add(clup_bond_couplings *couplings)
{
    couplings->next = kept;
    kept = couplings;
}

const clup_bond_couplings *clup_bond_couplings_known(const char *id)
{
    if (strlen(id) != sizeof kept->id - 1 || strspn(id, "0123456789abcdef") != strlen(id))
        return NULL;
    pthread_mutex_lock(&lock);
    clup_bond_couplings *couplings = find(id);
    if (couplings == NULL && (couplings = calloc(1, sizeof *couplings)) != NULL) {
        strcpy(couplings->id, id);
        add(couplings);
    }
    pthread_mutex_unlock(&lock);
    return couplings;
}

/* Keeps couplings. Returns those that are kept: others that are equal, where there are any, and the
 * new ones are freed. What only stood for them gets their numbers. */
static const clup_bond_couplings *keep(clup_bond_couplings *couplings)
{
    pthread_mutex_lock(&lock);
    clup_bond_couplings *same = find(couplings->id);
    if (same == NULL)
        add(couplings);
    else if (same->units == NULL) {
        clup_bond_couplings *const next = same->next;
        *same = *couplings;
        same->next = next;
        couplings->units = NULL;
        couplings->fold = NULL;
    }
    pthread_mutex_unlock(&lock);
    if (same == NULL)
        return couplings;
    free_couplings(couplings);
    return same;
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
    clup_sha256_finish(&state, couplings->id);
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
    CLUP_TRY(make_fold(couplings));
    *out = keep(couplings);
    couplings = NULL;
done:
    free_couplings(couplings);
    return status;
}

/* Whether couplings are more than an id, which may get its numbers at any time. */
static bool are_known(const clup_bond_couplings *couplings)
{
    pthread_mutex_lock(&lock);
    const bool known = couplings->units != NULL;
    pthread_mutex_unlock(&lock);
    return known;
}

clup_status clup_bond_couplings_need(const clup_problem *problem)
{
    const clup_bond_couplings *couplings = problem->bond_couplings;
    return couplings == NULL || are_known(couplings)
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "the couplings of the bonds, with SHA-256 %.12s.., are not known: their "
                           "file has to be given again",
                           couplings->id);
}

clup_status clup_bond_couplings_check(const clup_problem *problem)
{
    const clup_bond_couplings *couplings = problem->bond_couplings;
    const unsigned directions = clup_problem_directions(problem);
    const uint64_t sites = clup_problem_sites(problem);
    if (couplings == NULL)
        return CLUP_OK;
    if (are_known(couplings) && !couplings->folded &&
        (couplings->directions != directions || couplings->sites != sites))
        return clup_fail(CLUP_ERROR_USAGE,
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
