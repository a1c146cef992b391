/* SPDX-License-Identifier: BSD-3-Clause */
/* Vacant sites: their number, and their sums. */
#include "estimate/vacancies.h"

#include <math.h>
#include <stdlib.h>

#include "base/watch.h"
#include "core/disorder.h"
#include "core/modes.clh"
#include "estimate/modes.h"
#include "estimate/sublattices.h"
#include "measure/sublattices.clh"

/* The sums over vacant sites. */
typedef struct vacant_sums {
    uint64_t sites;
    int64_t waves[MODE_SUMS], on[3]; /* on each sublattice */
} vacant_sums;

/* Adds the vacant sites of a row, as bits of words. */
static void add_row(const lattice_args *lattice, const int32_t *table, unsigned sublattices,
                    uint64_t row, const uint32_t *words, vacant_sums *sums)
{
    const uint32_t y = (uint32_t)(row % lattice->ny), z = (uint32_t)(row / lattice->ny);
    for (uint32_t w = 0; w < lattice->words; w++)
        for (uint32_t bits = words[w]; bits != 0; bits &= bits - 1) {
            const uint32_t at[] = {32 * w + (uint32_t)__builtin_ctz(bits), y, z};
            sums->sites++;
            for (unsigned k = 0; k < MODE_SUMS; k++)
                sums->waves[k] += table[mode_place(*lattice, k / 2, at[k / 2]) + k % 2];
            if (sublattices > 0)
                sums->on[sublattice_of(sublattices, at[0], y, z)]++;
        }
}

/* Returns how many of the first n numbers have a rest when they are divided by m. */
static int64_t with_rest(uint32_t n, unsigned m, unsigned rest)
{
    return n > rest ? (int64_t)((n - rest - 1) / m + 1) : 0;
}

/* Sets on[3] to the numbers of sites of the whole lattice on each sublattice. */
static void count_sublattices(const lattice_args *lattice, unsigned sublattices, int64_t on[3])
{
    for (unsigned k = 0; k < sublattices * sublattices * sublattices; k++) {
        const unsigned x = k % sublattices, y = k / sublattices % sublattices,
                       z = k / sublattices / sublattices;
        on[sublattice_of(sublattices, x, y, z)] += with_rest(lattice->nx, sublattices, x) *
                                                   with_rest(lattice->ny, sublattices, y) *
                                                   with_rest(lattice->nz, sublattices, z);
    }
}

static double square(int64_t sum)
{
    const double x = (double)sum;
    return x * x;
}

clup_status clup_vacancies_find(const clup_problem *problem, uint32_t replica,
                                clup_vacancies *vacant)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const unsigned sublattices = clup_problem_sublattices(problem);
    const uint64_t rows = clup_problem_sites(problem) / lattice.nx;
    clup_status status = CLUP_OK;
    vacant_sums sums = {0};
    int64_t on[3] = {0};
    uint32_t *words = malloc(lattice.words * sizeof *words);
    int32_t *table = clup_modes_table(&lattice);
    *vacant = (clup_vacancies){0};
    if (words == NULL || table == NULL)
        CLUP_TRY(clup_fail_memory("the disorder"));
    count_sublattices(&lattice, sublattices, on);
    for (uint64_t row = 0; row < rows && clup_has_vacancies(problem); row++) {
        CLUP_TRY(clup_watch_ask_at(row * lattice.words));
        clup_disorder_vacant_row(problem, &lattice, replica, row, words);
        add_row(&lattice, table, sublattices, row, words, &sums);
    }
    for (unsigned k = 0; k < sublattices; k++)
        on[k] -= sums.on[k];
    const int64_t a = on[0] - on[1], b = sublattices > 2 ? on[0] - on[2] : 0;
    vacant->sites = (double)sums.sites;
    vacant->drawn = vacant->sites - (double)clup_problem_holes(problem);
    vacant->staggered = square(2 * a - b) + 3 * square(b);
    for (unsigned k = 0; k < MODE_SUMS; k++)
        vacant->waves[k / 2] += ldexp(square(sums.waves[k]), -2 * MODE_BITS);
done:
    free(words);
    free(table);
    return status;
}

clup_status clup_problem_vacant(const clup_problem *problem, uint32_t replica, uint8_t *vacant)
{
    CLUP_NEED(vacant);
    clup_status status = clup_problem_check(problem);
    uint32_t *words = NULL;
    CLUP_TRY(status);
    if (replica >= clup_problem_replicas(problem))
        CLUP_TRY(clup_fail(CLUP_ERROR_USAGE, "there is no replica %u", replica));
    const lattice_args lattice = clup_lattice_args(problem);
    if ((words = malloc(lattice.words * sizeof *words)) == NULL)
        CLUP_TRY(clup_fail_memory("the disorder"));
    for (uint64_t row = 0; row < clup_problem_sites(problem) / lattice.nx; row++) {
        clup_disorder_vacant_row(problem, &lattice, replica, row, words);
        for (uint32_t x = 0; x < lattice.nx; x++)
            vacant[row * lattice.nx + x] = words[x / 32] >> x % 32 & 1;
    }
done:
    free(words);
    return status;
}
