/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws disorder, 32 bonds at a time, as kernels draw active bonds. */
#include "core/disorder.h"

#include <math.h>
#include <stdlib.h>

#include "base/watch.h"
#include "core/bond_couplings.h"
#include "core/energy.h"
#include "core/model.h"
#include "model/vector.clh"
#include "program.h"

/* The largest standard deviation of couplings, and above the largest size of a normal number,
 * sqrt(2 ln 2^33). */
#define NORMAL_MOST 2
#define NORMAL_LIMIT 7

static const unsigned purposes[] = {[CLUP_SIGNS] = PURPOSE_SIGN, [CLUP_ABSENT] = PURPOSE_ABSENT};

bool clup_has_disorder(const clup_problem *problem)
{
    return clup_has_samples(problem) || problem->bond_couplings != NULL;
}

bool clup_has_samples(const clup_problem *problem)
{
    return problem->disorder[CLUP_SIGNS] > 0 || problem->disorder[CLUP_ABSENT] > 0 ||
           problem->disorder[CLUP_NORMAL] > 0;
}

bool clup_has_random_signs(const clup_problem *problem)
{
    return problem->disorder[CLUP_SIGNS] > 0 || problem->disorder[CLUP_NORMAL] > 0 ||
           (problem->bond_couplings != NULL && problem->bond_couplings->negative);
}

bool clup_has_sizes(const clup_problem *problem)
{
    return problem->disorder[CLUP_NORMAL] > 0 || problem->bond_couplings != NULL;
}

clup_status clup_disorder_check(const clup_problem *problem)
{
    const double normal = problem->disorder[CLUP_NORMAL];
    char text[32];
    for (unsigned k = 0; k < CLUP_NORMAL; k++)
        if (!(problem->disorder[k] >= 0 && problem->disorder[k] <= 1))
            return clup_fail(CLUP_ERROR_USAGE, "disorder %s is no probability from 0 to 1",
                             clup_number_text(problem->disorder[k], text));
    if (!(normal >= 0 && normal <= NORMAL_MOST))
        return clup_fail(CLUP_ERROR_USAGE, "disorder gauss=%s is not from 0 to %d",
                         clup_number_text(normal, text), NORMAL_MOST);
    for (unsigned d = 0; d < clup_problem_directions(problem) && normal > 0; d++)
        if (!(fabs(problem->coupling[d]) * normal <= NORMAL_MOST))
            return clup_fail(CLUP_ERROR_USAGE,
                             "disorder gauss times the coupling %s is more than %d",
                             clup_number_text(problem->coupling[d], text), NORMAL_MOST);
    bool any = normal == 0;
    for (unsigned d = 0; d < clup_problem_directions(problem) && !any; d++)
        any = clup_size_most(problem, d) > 0;
    if (!any)
        return clup_fail(CLUP_ERROR_USAGE, "disorder gauss=%s makes all couplings count as 0",
                         clup_number_text(normal, text));
    if (normal > 0 && problem->model != CLUP_ISING)
        return clup_fail(CLUP_ERROR_USAGE, "disorder gauss is for the Ising model, not for %s",
                         clup_model_of(problem->model)->called);
    if (normal > 0 && problem->disorder[CLUP_SIGNS] > 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "disorder gauss draws signs as well, and does not go with pm");
    return problem->model == CLUP_ISING || clup_spin_numbers(problem) > 0 ||
                   problem->disorder[CLUP_SIGNS] == 0
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "disorder pm makes couplings negative, which the Ising, XY and "
                           "Heisenberg models can have, not %s",
                           clup_model_of(problem->model)->called);
}

uint32_t clup_disorder_sample(const clup_problem *problem, uint32_t replica)
{
    const uint32_t number = problem->first_replica + replica;
    if (!clup_has_samples(problem))
        return 0;
    return problem->disorder_samples > 0 ? number % problem->disorder_samples : number;
}

uint32_t clup_disorder_period(const clup_problem *problem)
{
    const uint32_t replicas = clup_problem_replicas(problem), samples = problem->disorder_samples;
    if (!clup_has_samples(problem))
        return 1;
    return samples > 0 && samples < replicas ? samples : replicas;
}

static uint64_t plane_words(const lattice_args *lattice)
{
    return clup_lattice_of(lattice)->directions * lattice_words(*lattice);
}

uint64_t clup_disorder_words(const clup_problem *problem, const lattice_args *lattice)
{
    const uint64_t planes = clup_has_random_signs(problem) + (problem->disorder[CLUP_ABSENT] > 0) +
                            (clup_has_sizes(problem) ? 32 : 0);
    return planes * plane_words(lattice);
}

/* ---- normal numbers -------------------------------------------------------------------------- */

/* Returns -2 ln(u), u = (2 number + 1)/2^33, in units of 2^-52. */
static uint64_t minus_two_logarithms(uint32_t number)
{
    const uint64_t u = 2 * (uint64_t)number + 1;
    const unsigned power = 63 - (unsigned)__builtin_clzll(u);
    uint64_t mantissa = u << (63 - power), logarithm = power; /* of 2; then with 40 bits more */
    for (unsigned k = 0; k < 40; k++) {
        mantissa = MUL_HI64(mantissa, mantissa); /* 2^62 to 2^64 */
        const bool two = mantissa >> 63;
        logarithm = logarithm << 1 | two;
        mantissa = two ? mantissa : mantissa << 1;
    }
    /* 2 ln 2 in units of 2^-63 */
    return MUL_HI64((((uint64_t)33 << 40) - logarithm) << 18, 0xB17217F7D1CF79ACu) >> 5;
}

/* Returns the square root of x < 2^58, rounded down. The root of the nearest double is at most 1
 * away. */
static uint64_t root_of(uint64_t x)
{
    uint64_t root = (uint64_t)sqrt((double)x);
    root += (root + 1) * (root + 1) <= x;
    return root - (root * root > x);
}

/* Returns a normal number of mean 0 and standard deviation 1, in units of 2^-26, by whole numbers
 * (G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 610 (1958)), so that every host draws the
 * same. Its size is below NORMAL_LIMIT. */
static int64_t normal_of(philox_block random)
{
    const int64_t radius = (int64_t)root_of(minus_two_logarithms(random.v[0])),
                  product = radius * vector_cosine(random.v[1]);
    return (product + VECTOR_ONE / 2) >> 30;
}

/* Returns the standard deviation of the couplings along d, in units. */
static uint64_t deviation_along(const clup_problem *problem, unsigned d)
{
    return (uint64_t)(fabs(clup_coupling_units(problem, d) * problem->disorder[CLUP_NORMAL]) + 0.5);
}

uint64_t clup_size_most(const clup_problem *problem, unsigned d)
{
    return problem->bond_couplings != NULL ? problem->bond_couplings->most[d]
                                           : deviation_along(problem, d) * NORMAL_LIMIT;
}

/* Returns the index of the random numbers of the bonds along d of word w of a row. */
static uint64_t index_of(const lattice_args *lattice, unsigned d, uint32_t w, uint32_t row)
{
    return d * lattice->rows_whole * lattice->words + whole_word(*lattice, w, row);
}

/* Copies the couplings of the bonds along d of word w of a row, as set_sizes() writes them. Where
 * the row ends, so do they. */
static uint32_t given_sizes(const clup_bond_couplings *couplings, const lattice_args *lattice,
                            unsigned d, uint32_t w, uint32_t row, uint64_t apart, uint32_t *sizes)
{
    const int32_t *units = couplings->units + d * couplings->sites;
    uint64_t site = (whole_row(*lattice, row) * lattice->nx + 32 * (uint64_t)w) % couplings->sites;
    uint32_t signs = 0;
    for (uint32_t j = 0; j < 32; j++, site = site + 1 < couplings->sites ? site + 1 : 0) {
        const int32_t coupling = 32 * w + j < lattice->nx ? units[site] : 0;
        sizes[j * apart] = (uint32_t)abs(coupling);
        signs |= (uint32_t)(coupling < 0) << j;
    }
    return signs;
}

/* Sets the couplings of the bonds along d of word w of a row, those of the problem or drawn: writes
 * their sizes, apart numbers from one to the next, and returns which of them have the other
 * sign. */
static uint32_t set_sizes(const clup_problem *problem, const lattice_args *lattice, uint32_t sample,
                          unsigned d, uint32_t w, uint32_t row, uint64_t apart, uint32_t *sizes)
{
    if (problem->bond_couplings != NULL)
        return given_sizes(problem->bond_couplings, lattice, d, w, row, apart, sizes);
    const random_key key = {problem->disorder_seed, 0, 0, sample << 16};
    const uint64_t index = index_of(lattice, d, w, row), deviation = deviation_along(problem, d);
    uint32_t signs = 0;
    for (unsigned j = 0; j < 32; j++) {
        const int64_t normal = normal_of(random_block(key, PURPOSE_NORMAL, index, j));
        sizes[j * apart] = (uint32_t)((deviation * (uint64_t)llabs(normal) + (1u << 25)) >> 26);
        signs |= (uint32_t)(normal < 0) << j;
    }
    return signs;
}

/* ---- planes of words ------------------------------------------------------------------------- */

/* Draws a bit for each of 32 bonds, 1 with the probability of the law. */
static uint32_t draw(random_key key, unsigned purpose, uint64_t index, bond_law law)
{
    uint32_t drawn = law.always ? 0xFFFFFFFFu : 0, undecided = ~drawn, threshold = law.threshold;
    for (unsigned block = 0; block < 8 && undecided != 0 && threshold != 0; block++) {
        const philox_block random = random_block(key, purpose, index, block);
        for (unsigned k = 0; k < 4; k++, threshold <<= 1) {
            const uint32_t bit = threshold >> 31 ? 0xFFFFFFFFu : 0;
            drawn |= undecided & ~random.v[k] & bit;
            undecided &= ~(random.v[k] ^ bit);
        }
    }
    return drawn;
}

/* Draws a kind of disorder for word w of a row, along d. */
static uint32_t draw_word(const clup_problem *problem, const lattice_args *lattice, unsigned kind,
                          uint32_t sample, unsigned d, uint32_t w, uint32_t row)
{
    const random_key key = {problem->disorder_seed, 0, 0, sample << 16};
    return draw(key, purposes[kind], index_of(lattice, d, w, row),
                clup_law_of_probability(problem->disorder[kind]));
}

clup_status clup_disorder_fill(const clup_problem *problem, const lattice_args *lattice,
                               uint32_t replica, uint32_t *words)
{
    const uint32_t sample = clup_disorder_sample(problem, replica);
    const uint64_t plane = plane_words(lattice), apart = lattice_words(*lattice);
    uint32_t *const absent = words + (clup_has_random_signs(problem) ? plane : 0),
                    *const sizes = absent + (problem->disorder[CLUP_ABSENT] > 0 ? plane : 0);
    uint64_t at = 0;
    clup_status status = clup_bond_couplings_need(problem);
    CLUP_TRY(status);
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions && clup_has_disorder(problem);
         d++)
        for (uint32_t row = 0; row < lattice_rows(*lattice); row++) {
            CLUP_TRY(clup_watch_ask_at(row * (uint64_t)lattice->words));
            for (uint32_t w = 0; w < lattice->words; w++, at++) {
                uint32_t signs = 0;
                if (clup_has_sizes(problem))
                    signs = set_sizes(problem, lattice, sample, d, w, row, apart,
                                      sizes + d * 31 * apart + at);
                else if (clup_has_random_signs(problem))
                    signs = draw_word(problem, lattice, CLUP_SIGNS, sample, d, w, row);
                if (clup_has_random_signs(problem))
                    words[at] = signs;
                if (problem->disorder[CLUP_ABSENT] > 0)
                    absent[at] = draw_word(problem, lattice, CLUP_ABSENT, sample, d, w, row);
            }
        }
done:
    return status;
}

void clup_disorder_in(const clup_problem *problem, const lattice_args *lattice,
                      const uint32_t *words, clup_laws *laws)
{
    const uint64_t plane = plane_words(lattice);
    laws->signs = laws->absent = laws->sizes = NULL;
    if (clup_has_random_signs(problem)) {
        laws->signs = words;
        words += plane;
    }
    if (problem->disorder[CLUP_ABSENT] > 0) {
        laws->absent = words;
        words += plane;
    }
    if (clup_has_sizes(problem))
        laws->sizes = words;
}

uint32_t clup_bond_weight(const lattice_args *lattice, const clup_laws *laws, unsigned d,
                          uint64_t i)
{
    const uint64_t x = i % lattice->nx, row = i / lattice->nx;
    return laws->sizes == NULL
               ? laws->of[class_of(d, laws->classes)].weight
               : laws->sizes[((32 * d + x % 32) * lattice_rows(*lattice) + row) * lattice->words +
                             x / 32];
}

bool clup_bond_exists(const lattice_args *lattice, const clup_laws *laws, unsigned d, uint64_t i,
                      uint64_t *neighbour)
{
    return clup_lattice_forward(lattice, d, (uint32_t)(i % lattice->nx),
                                (uint32_t)(i / lattice->nx), neighbour) &&
           !(laws->absent != NULL && clup_bit_of_bond(lattice, laws->absent, d, i));
}

bool clup_bond_is_unequal(const lattice_args *lattice, const clup_laws *laws, unsigned d,
                          uint64_t i)
{
    return (laws->of[class_of(d, laws->classes)].unequal != 0) !=
           (laws->signs != NULL && clup_bit_of_bond(lattice, laws->signs, d, i));
}

clup_status clup_disorder_bonds(const clup_problem *problem, uint32_t replica,
                                uint64_t bonds[CLUP_DIRECTIONS_MAX],
                                uint64_t sizes[CLUP_DIRECTIONS_MAX])
{
    const lattice_args lattice = clup_lattice_args(problem);
    const clup_lattice *row_of = clup_lattice_of(&lattice);
    const uint32_t sample = clup_disorder_sample(problem, replica);
    const bool some = problem->disorder[CLUP_ABSENT] > 0, sized = clup_has_sizes(problem);
    clup_status status = clup_bond_couplings_need(problem);
    CLUP_TRY(status);
    for (unsigned d = 0; d < row_of->directions; d++) {
        const lattice_offset offset = row_of->offsets[d];
        bonds[d] = clup_problem_bonds(problem, d);
        sizes[d] = 0;
        for (uint32_t row = 0; row < lattice_rows(lattice) && (some || sized); row++) {
            CLUP_TRY(clup_watch_ask_at(row * (uint64_t)lattice.words));
            for (uint32_t w = 0; w < lattice.words && row_at(lattice, offset, row) != NOWHERE;
                 w++) {
                const uint32_t all = step_mask(lattice, offset.x, w),
                               absent = some ? all & draw_word(problem, &lattice, CLUP_ABSENT,
                                                               sample, d, w, row)
                                             : 0;
                uint32_t own[32];
                bonds[d] -= (uint64_t)__builtin_popcount(absent);
                if (sized)
                    set_sizes(problem, &lattice, sample, d, w, row, 1, own);
                for (unsigned j = 0; j < 32 && sized; j++)
                    sizes[d] += (all & ~absent) >> j & 1 ? own[j] : 0;
            }
        }
    }
done:
    return status;
}
