/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws disorder, 32 bonds at a time, as kernels draw active bonds. */
#include "core/disorder.h"

#include "base/watch.h"
#include "core/model.h"
#include "program.h"

static const unsigned purposes[CLUP_DISORDERS] = {PURPOSE_SIGN, PURPOSE_ABSENT};

bool clup_has_disorder(const clup_problem *problem)
{
    return problem->disorder[CLUP_SIGNS] > 0 || problem->disorder[CLUP_ABSENT] > 0;
}

clup_status clup_disorder_check(const clup_problem *problem)
{
    for (unsigned k = 0; k < CLUP_DISORDERS; k++)
        if (!(problem->disorder[k] >= 0 && problem->disorder[k] <= 1)) {
            char text[32];
            return clup_fail(CLUP_ERROR_USAGE, "disorder %s is no probability from 0 to 1",
                             clup_number_text(problem->disorder[k], text));
        }
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
    return problem->disorder_samples > 0 ? number % problem->disorder_samples : number;
}

static uint64_t plane_words(const lattice_args *lattice)
{
    return clup_lattice_of(lattice)->directions * lattice_words(*lattice);
}

uint64_t clup_disorder_words(const clup_problem *problem, const lattice_args *lattice)
{
    uint64_t kinds = 0;
    for (unsigned k = 0; k < CLUP_DISORDERS; k++)
        kinds += problem->disorder[k] > 0;
    return kinds * plane_words(lattice);
}

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
    const uint64_t index = d * lattice->rows_whole * lattice->words + whole_word(*lattice, w, row);
    return draw(key, purposes[kind], index, clup_law_of_probability(problem->disorder[kind]));
}

clup_status clup_disorder_fill(const clup_problem *problem, const lattice_args *lattice,
                               uint32_t replica, uint32_t *words)
{
    const uint32_t sample = clup_disorder_sample(problem, replica);
    clup_status status = CLUP_OK;
    for (unsigned kind = 0; kind < CLUP_DISORDERS; kind++)
        for (unsigned d = 0;
             d < clup_lattice_of(lattice)->directions && problem->disorder[kind] > 0; d++)
            for (uint32_t row = 0; row < lattice_rows(*lattice); row++) {
                CLUP_TRY(clup_watch_ask_at(row * (uint64_t)lattice->words));
                for (uint32_t w = 0; w < lattice->words; w++)
                    *words++ = draw_word(problem, lattice, kind, sample, d, w, row);
            }
done:
    return status;
}

void clup_disorder_in(const clup_problem *problem, const lattice_args *lattice,
                      const uint32_t *words, clup_laws *laws)
{
    const uint64_t plane = plane_words(lattice);
    laws->signs = problem->disorder[CLUP_SIGNS] > 0 ? words : NULL;
    laws->absent = problem->disorder[CLUP_ABSENT] > 0
                       ? words + (problem->disorder[CLUP_SIGNS] > 0 ? plane : 0)
                       : NULL;
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
                                uint64_t bonds[CLUP_DIRECTIONS_MAX])
{
    const lattice_args lattice = clup_lattice_args(problem);
    const clup_lattice *row_of = clup_lattice_of(&lattice);
    const uint32_t sample = clup_disorder_sample(problem, replica);
    clup_status status = CLUP_OK;
    for (unsigned d = 0; d < row_of->directions; d++) {
        const lattice_offset offset = row_of->offsets[d];
        bonds[d] = clup_problem_bonds(problem, d);
        for (uint32_t row = 0; row < lattice_rows(lattice) && problem->disorder[CLUP_ABSENT] > 0;
             row++) {
            CLUP_TRY(clup_watch_ask_at(row * (uint64_t)lattice.words));
            for (uint32_t w = 0; w < lattice.words && row_at(lattice, offset, row) != NOWHERE; w++)
                bonds[d] -= (uint64_t)__builtin_popcount(
                    step_mask(lattice, offset.x, w) &
                    draw_word(problem, &lattice, CLUP_ABSENT, sample, d, w, row));
        }
    }
done:
    return status;
}
