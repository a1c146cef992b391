/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrices of energies of models, and the words that kernels get of them. */
#include "core/matrix.h"

#include <stdlib.h>

#include "core/couplings.h"
#include "core/disorder.h"
#include "core/model.h"
#include "core/table.h"
#include "core/vector.h"
#include "core/weight.clh"
#include "measure/twist.clh"
#include "program.h"

/* ---- involutions ----------------------------------------------------------------------------- */

/* Returns the number of involutions. The clock model has q reflections, number r from s to r - s
 * mod q; for q = 2 only that with r = 1, as r = 0 changes nothing. An axis leads through a state
 * or, for even q, between two. A table names its involutions. Another model has a swap of each pair
 * of states. */
static unsigned involutions_of(const clup_problem *problem)
{
    const unsigned q = problem->q;
    if (problem->model == CLUP_TABLE)
        return problem->table->involutions;
    return problem->model != CLUP_CLOCK ? q * (q - 1) / 2 : q > 2 ? q : 1;
}

/* Writes images[q], what an involution makes of each state. */
static void write_images(const clup_problem *problem, unsigned number, uint32_t *images)
{
    const unsigned q = problem->q;
    unsigned a = 0, b;
    for (unsigned s = 0; problem->model == CLUP_TABLE && s < q; s++)
        images[s] = problem->table->images[number * q + s];
    if (problem->model == CLUP_TABLE)
        return;
    if (problem->model == CLUP_CLOCK) {
        for (unsigned s = 0; s < q; s++)
            images[s] = ((q > 2 ? number : 1) + q - s) % q;
        return;
    }
    while (number >= q - 1 - a)
        number -= q - 1 - a++;
    b = a + 1 + number;
    for (unsigned s = 0; s < q; s++)
        images[s] = s == a ? b : s == b ? a : s;
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Returns the place of a gap among the levels, or where it has to be inserted. */
static unsigned place_of(const clup_matrix *matrix, uint32_t gap)
{
    unsigned low = 0, high = matrix->levels;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (matrix->gaps[middle] < gap)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds a level for a gap that has none. */
static clup_status add_level(clup_matrix *matrix, uint32_t gap)
{
    const unsigned place = place_of(matrix, gap);
    if (place < matrix->levels && matrix->gaps[place] == gap)
        return CLUP_OK;
    if (matrix->levels == UINT16_MAX)
        return clup_fail(CLUP_ERROR_USAGE, "there are more than %u differences of energies",
                         UINT16_MAX);
    if (matrix->levels % 64 == 0) {
        uint32_t *more = realloc(matrix->gaps, (matrix->levels + 64) * sizeof *more);
        if (more == NULL)
            return clup_fail_memory("the energies");
        matrix->gaps = more;
    }
    for (unsigned k = matrix->levels++; k > place; k--)
        matrix->gaps[k] = matrix->gaps[k - 1];
    matrix->gaps[place] = gap;
    return CLUP_OK;
}

/* Energies of all pairs, of bonds of a class, and of all states, as they are looked up many
 * times. */
typedef struct energies {
    int64_t bond[CLUP_MATRIX_STATES][CLUP_MATRIX_STATES], site[CLUP_MATRIX_STATES];
} energies;

static energies energies_of(const clup_problem *problem, unsigned k)
{
    energies of = {0};
    for (unsigned s = 0; s < problem->q; s++) {
        for (unsigned t = 0; t < problem->q; t++)
            of.bond[s][t] = clup_matrix_bond_energy(problem, k, s, t);
        of.site[s] = clup_matrix_site_energy(problem, s);
    }
    return of;
}

/* Return by how much the energy grows when state s takes its image. */
static uint32_t bond_gap(const energies *of, const uint32_t *images, unsigned s, unsigned t)
{
    const int64_t gap = of->bond[images[s]][t] - of->bond[s][t];
    return gap > 0 ? (uint32_t)gap : 0;
}

static uint32_t site_gap(const energies *of, const uint32_t *images, unsigned s)
{
    const int64_t gap = of->site[images[s]] - of->site[s];
    return gap > 0 ? (uint32_t)gap : 0;
}

static clup_status add_levels(const clup_problem *problem, clup_matrix *matrix)
{
    const unsigned q = problem->q;
    uint32_t images[CLUP_MATRIX_STATES], last = 0;
    clup_status status;
    CLUP_TRY(add_level(matrix, 0));
    for (unsigned k = 0; k < matrix->classes; k++) {
        const energies of = energies_of(problem, k);
        for (unsigned r = 0; r < matrix->involutions; r++) {
            write_images(problem, r, images);
            for (unsigned s = 0; s < q; s++) {
                CLUP_TRY(add_level(matrix, site_gap(&of, images, s)));
                for (unsigned t = 0; t < q; t++) {
                    const uint32_t gap = bond_gap(&of, images, s, t);
                    if (gap != last)
                        CLUP_TRY(add_level(matrix, last = gap));
                }
            }
        }
    }
done:
    return status;
}

/* ---- words of kernels ------------------------------------------------------------------------ */

static void write_energies(const clup_problem *problem, clup_matrix *matrix)
{
    const unsigned q = problem->q, planes = matrix->planes, classes = matrix->classes;
    uint32_t *words = matrix->words;
    words[MATRIX_LAWS] = matrix->law_words;
    words[MATRIX_INVOLUTIONS] = matrix->involutions;
    for (unsigned k = 0; k < classes; k++) {
        const clup_energies range = clup_pair_bonds(problem, k);
        const int64_t most = range.most;
        words[matrix_widths(planes, classes) + k] = (uint32_t)(most - range.least);
        const energies of = energies_of(problem, k);
        for (unsigned s = 0; s < q; s++)
            for (unsigned t = 0; t < q; t++)
                words[matrix_weights(planes, k) + matrix_pair(planes, s, t)] =
                    (uint32_t)(most - of.bond[s][t]);
    }
    for (unsigned k = 0; k < classes && problem->model == CLUP_CLOCK; k++)
        for (unsigned s = 0; s < q; s++) {
            uint32_t *currents = words + matrix_currents(planes, classes, k);
            currents[s] = (uint32_t)-clup_matrix_bond_energy(problem, k, s, 0);
            currents[(1u << planes) + s] = (uint32_t)clup_clock_current(problem, k, s);
        }
    const int64_t most = clup_pair_sites(problem).most;
    for (unsigned s = 0; s < q; s++) {
        words[matrix_site_weights(planes, classes) + s] = (uint32_t)(most - clup_matrix_site_energy(
                                                                                problem, s));
        words[matrix_cosines(planes, classes) + s] = (uint32_t)clup_matrix_cosine(problem, s);
        words[matrix_sines(planes, classes) + s] = (uint32_t)clup_matrix_sine(problem, s);
    }
}

static uint16_t *pair_levels(const clup_matrix *matrix, unsigned involution, unsigned k)
{
    return (uint16_t *)(matrix->words +
                        matrix_involution(matrix->planes, matrix->classes, involution) +
                        (2u << matrix->planes)) +
           (k << 2 * matrix->planes);
}

static void write_involutions(const clup_problem *problem, clup_matrix *matrix)
{
    const unsigned q = problem->q, planes = matrix->planes;
    for (unsigned k = 0; k < matrix->classes; k++) {
        const energies of = energies_of(problem, k);
        for (unsigned r = 0; r < matrix->involutions; r++) {
            uint32_t *images = matrix->words + matrix_involution(planes, matrix->classes, r),
                     *levels = images + (1u << planes);
            uint16_t *pairs = pair_levels(matrix, r, k);
            write_images(problem, r, images);
            for (unsigned s = 0; s < q; s++) {
                levels[s] = place_of(matrix, site_gap(&of, images, s));
                for (unsigned t = 0; t < q; t++)
                    pairs[matrix_pair(planes, s, t)] = (uint16_t)place_of(
                        matrix, bond_gap(&of, images, s, t));
            }
        }
    }
}

clup_status clup_matrix_create(const clup_problem *problem, clup_matrix **out)
{
    clup_matrix *matrix = calloc(1, sizeof *matrix);
    clup_status status = matrix != NULL ? CLUP_OK : clup_fail_memory("the energies");
    *out = NULL;
    CLUP_TRY(status);
    matrix->states = problem->q;
    matrix->planes = clup_spin_planes(problem->q);
    matrix->classes = clup_problem_classes(problem).count;
    matrix->involutions = involutions_of(problem);
    CLUP_TRY(add_levels(problem, matrix));
    matrix->law_words = matrix->levels + 2;
    matrix->word_count = matrix_involution(matrix->planes, matrix->classes, matrix->involutions);
    matrix->words = calloc(matrix->word_count, sizeof *matrix->words);
    if (matrix->words == NULL)
        CLUP_TRY(clup_fail_memory("the energies"));
    write_energies(problem, matrix);
    write_involutions(problem, matrix);
    *out = matrix;
done:
    if (status != CLUP_OK)
        clup_matrix_free(matrix);
    return status;
}

void clup_matrix_free(clup_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free(matrix->gaps);
    free(matrix->words);
    free(matrix);
}

void clup_matrix_laws(const clup_matrix *matrix, double beta, uint32_t *laws)
{
    const uint64_t step = clup_step_of(CLUP_COUPLING_UNIT, beta);
    laws[0] = 0;
    for (unsigned k = 1; k < matrix->levels; k++) {
        const bond_law law = clup_bond_law_of(CLUP_COUPLING_UNIT * matrix->gaps[k] * beta);
        laws[k] = law.always ? MATRIX_ALWAYS : law.threshold;
    }
    laws[matrix->levels] = (uint32_t)step;
    laws[matrix->levels + 1] = (uint32_t)(step >> 32);
}

/* ---- single bonds --------------------------------------------------------------------------- */

/* The coupling of a bond, beside what its class says. */
typedef struct own_coupling {
    uint32_t size;
    bool turned;
} own_coupling;

static own_coupling coupling_of(const lattice_args *lattice, const clup_laws *laws, unsigned d,
                                uint64_t i)
{
    return (own_coupling){laws->sizes != NULL ? clup_bond_weight(lattice, laws, d, i) : MATRIX_ONE,
                          laws->signs != NULL && clup_bit_of_bond(lattice, laws->signs, d, i)};
}

uint32_t clup_matrix_bond_weight(const lattice_args *lattice, const clup_laws *laws, unsigned d,
                                 uint64_t i, unsigned s, unsigned t)
{
    const clup_matrix *matrix = laws->matrix;
    const unsigned k = class_of(d, matrix->classes);
    const own_coupling own = coupling_of(lattice, laws, d, i);
    return matrix_own_weight(
        matrix->words[matrix_weights(matrix->planes, k) + matrix_pair(matrix->planes, s, t)],
        matrix->words[matrix_widths(matrix->planes, matrix->classes) + k], own.turned, own.size);
}

uint32_t clup_matrix_site_weight(const clup_matrix *matrix, unsigned s)
{
    return matrix->words[matrix_site_weights(matrix->planes, matrix->classes) + s];
}

/* ---- references ------------------------------------------------------------------------------ */

static bond_law law_of(uint32_t threshold)
{
    return (bond_law){.threshold = threshold, .always = threshold == MATRIX_ALWAYS};
}

unsigned clup_matrix_image(const clup_matrix *matrix, unsigned involution, unsigned s)
{
    return matrix->words[matrix_involution(matrix->planes, matrix->classes, involution) + s];
}

bond_law clup_matrix_bond_law(const lattice_args *lattice, const clup_laws *laws,
                              unsigned involution, unsigned d, uint64_t i, unsigned s, unsigned t)
{
    const clup_matrix *matrix = laws->matrix;
    if (laws->signs == NULL && laws->sizes == NULL)
        return law_of(laws->thresholds[pair_levels(
            matrix, involution, class_of(d, matrix->classes))[matrix_pair(matrix->planes, s, t)]]);
    const uint32_t *step = laws->thresholds + matrix->levels;
    const uint32_t here = clup_matrix_bond_weight(lattice, laws, d, i, s, t),
                   there = clup_matrix_bond_weight(lattice, laws, d, i,
                                                   clup_matrix_image(matrix, involution, s), t);
    return law_of(
        gap_threshold((uint64_t)step[1] << 32 | step[0], here > there ? here - there : 0));
}

bond_law clup_matrix_site_law(const clup_laws *laws, unsigned involution, unsigned s)
{
    const clup_matrix *matrix = laws->matrix;
    return law_of(laws->thresholds[matrix->words[matrix_involution(matrix->planes, matrix->classes,
                                                                   involution) +
                                                 (1u << matrix->planes) + s]]);
}

void clup_matrix_turn(const lattice_args *lattice, const clup_laws *laws, unsigned d, uint64_t i,
                      unsigned s, unsigned t, int64_t *along, int64_t *across)
{
    const clup_matrix *matrix = laws->matrix;
    const int32_t *currents = (const int32_t *)matrix->words +
                              matrix_currents(matrix->planes, matrix->classes,
                                              class_of(d, matrix->classes));
    const unsigned by = turned_by(matrix->states, s, t);
    const own_coupling own = coupling_of(lattice, laws, d, i);
    *along = matrix_own_current(currents[by], own.turned, own.size);
    *across = matrix_own_current(currents[(1u << matrix->planes) + by], own.turned, own.size);
}
