/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws disorder, 32 bonds at a time, as kernels draw active bonds. */
#include "core/disorder.h"

#include "core/graph.h"

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

static const unsigned purposes[] = {
    [CLUP_SIGNS] = PURPOSE_SIGN, [CLUP_ABSENT] = PURPOSE_ABSENT, [CLUP_VACANT] = PURPOSE_ABSENT};

bool clup_has_disorder(const clup_problem *problem)
{
    return clup_has_samples(problem) || problem->bond_couplings != NULL;
}

bool clup_has_samples(const clup_problem *problem)
{
    for (unsigned k = 0; k < CLUP_DISORDERS; k++)
        if (problem->disorder[k] > 0)
            return true;
    return false;
}

bool clup_has_absent_bonds(const clup_problem *problem)
{
    return problem->disorder[CLUP_ABSENT] > 0 || clup_has_drawn_vacancies(problem);
}

bool clup_has_drawn_vacancies(const clup_problem *problem)
{
    return problem->disorder[CLUP_VACANT] > 0;
}

bool clup_has_vacancies(const clup_problem *problem)
{
    return clup_has_drawn_vacancies(problem) || clup_lattice_has_holes(problem->lattice);
}

clup_status clup_disorder_check(const clup_problem *problem)
{
    const double normal = problem->disorder[CLUP_NORMAL];
    char text[32];
    for (unsigned k = 0; k < CLUP_DISORDERS; k++)
        if (k != CLUP_NORMAL && !(problem->disorder[k] >= 0 && problem->disorder[k] <= 1))
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
    if (normal > 0 && problem->disorder[CLUP_SIGNS] > 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "disorder gauss draws signs as well, and does not go with pm");
    return CLUP_OK;
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

uint64_t clup_disorder_words(const clup_problem *problem, const lattice_args *sites)
{
    const lattice_args bonds = clup_bonds_of_problem(problem, sites), *const lattice = &bonds;
    const uint64_t planes = clup_has_random_signs(problem) + clup_has_absent_bonds(problem) +
                            (clup_has_sizes(problem) ? 32 : 0);
    return planes * plane_words(lattice) +
           (clup_has_drawn_vacancies(problem) ? lattice_words(*lattice) + 2 : 0);
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

/* Returns the index of the random numbers of the bonds along d of a word of the whole lattice; the
 * direction after the last one stands for sites. */
static uint64_t index_of(const lattice_args *lattice, unsigned d, uint64_t word)
{
    return d * lattice->rows_whole * lattice->words + word;
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
    const uint64_t index = index_of(lattice, d, whole_word(*lattice, w, row)),
                   deviation = deviation_along(problem, d);
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

/* Draws a kind of disorder for a word of the whole lattice, along d. */
static uint32_t draw_word(const clup_problem *problem, const lattice_args *lattice, unsigned kind,
                          uint32_t sample, unsigned d, uint64_t word)
{
    const random_key key = {problem->disorder_seed, 0, 0, sample << 16};
    return draw(key, purposes[kind], index_of(lattice, d, word),
                clup_law_of_probability(problem->disorder[kind]));
}

/* ---- rows of absent bonds and of vacant sites ------------------------------------------------ */

/* Draws the vacant sites of a row of the whole lattice, words[lattice->words], and adds its holes.
 */
static void draw_vacant(const clup_problem *problem, const lattice_args *lattice, uint32_t sample,
                        uint64_t row, uint32_t *words)
{
    const unsigned sites = clup_lattice_of(lattice)->directions;
    for (uint32_t w = 0; w < lattice->words; w++)
        words[w] = word_mask(*lattice, w) & (clup_lattice_row_holes(lattice, row) |
                                             (clup_has_drawn_vacancies(problem)
                                                  ? draw_word(problem, lattice, CLUP_VACANT, sample,
                                                              sites, row * lattice->words + w)
                                                  : 0));
}

void clup_disorder_vacant_row(const clup_problem *problem, const lattice_args *lattice,
                              uint32_t replica, uint64_t row, uint32_t *words)
{
    draw_vacant(problem, lattice, clup_disorder_sample(problem, replica), row, words);
}

/* Returns the bits of a row of sites to which a step of -1, 0 or 1 leads from word w. */
static uint32_t bits_ahead(const lattice_args *lattice, const uint32_t *row, int step, uint32_t w)
{
    const uint32_t last = lattice->words - 1;
    if (step > 0)
        return row[w] >> 1 | (row[w < last ? w + 1 : 0] & 1) << last_bit(*lattice, w);
    if (step < 0)
        return row[w] << 1 | (w > 0 ? row[w - 1] >> 31 : row[last] >> last_bit(*lattice, last) & 1);
    return row[w];
}

/* Draws the absent bonds along d from a row of a lattice, words[lattice->words]: diluted ones, and
 * those of vacant sites. vacant are those of the row, and there is room for those of another. */
static void draw_absent(const clup_problem *problem, const lattice_args *lattice, uint32_t sample,
                        unsigned d, uint32_t row, const uint32_t *vacant, uint32_t *room,
                        uint32_t *words)
{
    const lattice_offset offset = clup_lattice_of(lattice)->offsets[d];
    const uint64_t here = whole_row(*lattice, row);
    const uint32_t there = row_at(clup_lattice_args(problem), offset, (uint32_t)here);
    const bool any = clup_has_drawn_vacancies(problem) && there != NOWHERE;
    if (any && there != here)
        draw_vacant(problem, lattice, sample, there, room);
    for (uint32_t w = 0; w < lattice->words; w++) {
        words[w] = problem->disorder[CLUP_ABSENT] > 0
                       ? draw_word(problem, lattice, CLUP_ABSENT, sample, d,
                                   here * lattice->words + w)
                       : 0;
        if (any)
            words[w] |= vacant[w] | bits_ahead(lattice, there != here ? room : vacant, offset.x, w);
    }
}

/* Returns room for so many rows of words; NULL where memory is short. */
static uint32_t *rows_of_words(const lattice_args *lattice, unsigned count)
{
    return calloc((size_t)count * lattice->words, sizeof(uint32_t));
}

/* Returns how many bits of words[count] are set. */
static uint64_t bits_set(const uint32_t *words, uint64_t count)
{
    uint64_t bits = 0;
    for (uint64_t k = 0; k < count; k++)
        bits += (uint64_t)__builtin_popcount(words[k]);
    return bits;
}

clup_status clup_disorder_vacant_sites(const clup_problem *problem, uint32_t replica,
                                       uint64_t *count)
{
    const lattice_args lattice = clup_lattice_args(problem);
    uint32_t *const words = rows_of_words(&lattice, 1);
    clup_status status = words != NULL ? CLUP_OK : clup_fail_memory("the disorder");
    *count = 0;
    for (uint64_t row = 0; row < lattice.rows_whole && status == CLUP_OK; row++) {
        CLUP_TRY(clup_watch_ask_at(row * lattice.words));
        clup_disorder_vacant_row(problem, &lattice, replica, row, words);
        *count += bits_set(words, lattice.words);
    }
done:
    free(words);
    return status;
}

clup_status clup_disorder_fill(const clup_problem *problem, const lattice_args *sites,
                               uint32_t replica, uint32_t *words)
{
    const lattice_args bonds = clup_bonds_of_problem(problem, sites), *const lattice = &bonds;
    const uint32_t sample = clup_disorder_sample(problem, replica);
    const uint64_t plane = plane_words(lattice), apart = lattice_words(*lattice);
    clup_laws to;
    uint32_t *const room = rows_of_words(lattice, 1);
    clup_status status = clup_bond_couplings_need(problem);
    if (status == CLUP_OK && room == NULL)
        status = clup_fail_memory("the disorder");
    CLUP_TRY(status);
    clup_disorder_in(problem, sites, words, &to);
    uint32_t *const absent = words + (to.signs != NULL ? plane : 0),
                    *const own = absent + (to.absent != NULL ? plane : 0),
                    *const vacant = own + (to.sizes != NULL ? 32 * plane : 0);
    for (uint32_t row = 0; row < lattice_rows(*lattice) && to.vacant != NULL; row++) {
        CLUP_TRY(clup_watch_ask_at(row * (uint64_t)lattice->words));
        draw_vacant(problem, lattice, sample, whole_row(*lattice, row),
                    vacant + (uint64_t)row * lattice->words);
    }
    if (to.vacant != NULL) {
        const uint64_t count = bits_set(vacant, apart);
        vacant[apart] = (uint32_t)count, vacant[apart + 1] = (uint32_t)(count >> 32);
    }
    uint64_t at = 0;
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions && clup_has_disorder(problem);
         d++)
        for (uint32_t row = 0; row < lattice_rows(*lattice); row++, at += lattice->words) {
            CLUP_TRY(clup_watch_ask_at(row * (uint64_t)lattice->words));
            if (to.absent != NULL)
                draw_absent(problem, lattice, sample, d, row,
                            to.vacant != NULL ? vacant + (uint64_t)row * lattice->words : NULL,
                            room, absent + at);
            for (uint32_t w = 0; w < lattice->words && to.signs != NULL; w++)
                if (to.sizes == NULL)
                    words[at + w] = draw_word(problem, lattice, CLUP_SIGNS, sample, d,
                                              whole_word(*lattice, w, row));
            for (uint32_t w = 0; w < lattice->words && to.sizes != NULL; w++) {
                const uint32_t signs = set_sizes(problem, lattice, sample, d, w, row, apart,
                                                 own + d * 31 * apart + at + w);
                if (to.signs != NULL)
                    words[at + w] = signs;
            }
        }
done:
    free(room);
    return status;
}

void clup_disorder_in(const clup_problem *problem, const lattice_args *lattice,
                      const uint32_t *words, clup_laws *laws)
{
    const lattice_args bonds = clup_bonds_of_problem(problem, lattice);
    const uint64_t plane = plane_words(&bonds);
    laws->signs = laws->absent = laws->sizes = laws->vacant = NULL;
    if (clup_has_random_signs(problem)) {
        laws->signs = words;
        words += plane;
    }
    if (clup_has_absent_bonds(problem)) {
        laws->absent = words;
        words += plane;
    }
    if (clup_has_sizes(problem)) {
        laws->sizes = words;
        words += 32 * plane;
    }
    if (clup_has_drawn_vacancies(problem))
        laws->vacant = words;
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
    if (laws->edges > 0) {
        *neighbour = laws->ends[i][1];
        return laws->absent == NULL || !clup_bit_of_bond(lattice, laws->absent, d, i);
    }
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

clup_status clup_disorder_count(const clup_problem *problem, uint32_t replica,
                                clup_present *present)
{
    const lattice_args sites = clup_lattice_args(problem),
                       lattice = clup_bonds_of_problem(problem, &sites);
    const unsigned directions = clup_lattice_of(&lattice)->directions;
    const uint32_t sample = clup_disorder_sample(problem, replica);
    const bool sized = clup_has_sizes(problem),
               signs = clup_has_random_signs(problem) && clup_has_matrix(problem),
               some = clup_has_absent_bonds(problem),
               holes = clup_lattice_has_holes(problem->lattice);
    uint32_t *const vacant = rows_of_words(&lattice, 3);
    clup_status status = clup_bond_couplings_need(problem);
    if (status == CLUP_OK)
        status = clup_graph_need(problem);
    if (status == CLUP_OK && vacant == NULL)
        status = clup_fail_memory("the disorder");
    CLUP_TRY(status);
    uint32_t *const room = vacant + lattice.words, *const absent = room + lattice.words;
    *present = (clup_present){.sites = clup_problem_sites(problem)};
    for (unsigned d = 0; d < directions; d++)
        present->bonds[d] = clup_problem_bonds(problem, d);
    for (uint32_t row = 0; row < lattice_rows(lattice) && (some || sized || signs || holes);
         row++) {
        CLUP_TRY(clup_watch_ask_at(row * (uint64_t)lattice.words));
        draw_vacant(problem, &lattice, sample, row, vacant);
        present->sites -= bits_set(vacant, lattice.words);
        for (unsigned d = 0; d < directions; d++) {
            const lattice_offset offset = clup_lattice_of(&lattice)->offsets[d];
            if (row_at(lattice, offset, row) == NOWHERE)
                continue;
            if (some)
                draw_absent(problem, &lattice, sample, d, row, vacant, room, absent);
            for (uint32_t w = 0; w < lattice.words; w++) {
                const uint32_t all = problem->graph != NULL
                                         ? word_mask(lattice, w)
                                         : step_mask(lattice, offset.x, w) &
                                               pattern_bonds(lattice,
                                                             clup_lattice_of(&lattice)->axes,
                                                             offset, row),
                               there = all & ~absent[w];
                uint32_t own[32], turned = 0;
                present->bonds[d] -= (uint64_t)__builtin_popcount(all & absent[w]);
                if (sized)
                    turned = set_sizes(problem, &lattice, sample, d, w, row, 1, own);
                else if (signs)
                    turned = draw_word(problem, &lattice, CLUP_SIGNS, sample, d,
                                       whole_word(lattice, w, row));
                for (unsigned j = 0; j < 32 && sized; j++)
                    present->sizes[d] += there >> j & 1 ? own[j] : 0;
                for (unsigned j = 0; j < 32 && signs; j++)
                    present->turned[d] += (there & turned) >> j & 1 ? (sized ? own[j] : 1) : 0;
            }
        }
    }
done:
    free(vacant);
    return status;
}
