/* SPDX-License-Identifier: BSD-3-Clause */
/* How Houdayer's cluster moves are launched, and their reference. */
#include "family/houdayer.h"

#include <stdlib.h>

#include "core/disorder.h"
#include "family/family.h"

static const char *const labels_stored = "sites";

/* Returns whether the state's own plan has a label for each site. */
static bool has_labels(const clup_state *state)
{
    return clup_layout_beside(state->layout, labels_stored) == state->layout;
}

/* Finds the first variant of local labelling that the device can run, with the largest tile, and
 * the first consolidation. */
static void find_labelling(const clup_state *state, const clup_variant *found[2], unsigned tile[3])
{
    const unsigned most = clup_lattice_of(&state->lattice)->axes > 2 ? 16 : 32;
    for (size_t k = 0; k < clup_locals.count; k++)
        for (unsigned edge = most; edge > 0; edge /= 2) {
            clup_variant_tile(&clup_locals.variants[k], &state->lattice, edge, tile);
            if (clup_prepared_check_beside(&clup_locals.variants[k], state, labels_stored, tile) ==
                CLUP_OK) {
                found[0] = &clup_locals.variants[k];
                found[1] = clup_consolidations.variants;
                return;
            }
        }
    /* the last one, whose preparation says why not */
    found[0] = &clup_locals.variants[clup_locals.count - 1];
    found[1] = clup_consolidations.variants;
}

/* Creates the buffer of mates. */
static clup_status make_mates(clup_state *state)
{
    const uint64_t bytes = state->replicas * sizeof(cl_uint);
    clup_status status = CLUP_OK;
    cl_uint *mates = malloc(bytes);
    if (mates == NULL)
        return clup_fail_memory("the replicas");
    for (uint32_t r = 0; r < state->replicas; r++)
        mates[r] = r;
    CLUP_TRY(clup_buffer_create(state->context, bytes, "the replicas", &state->mates));
    CLUP_TRY(clup_buffer_write(state->context, state->mates, 0, bytes, mates));
done:
    free(mates);
    return status;
}

clup_status clup_houdayer_create(clup_state *state, clup_prepared *of_plan, const unsigned tile[3],
                                 clup_houdayer *moves)
{
    const clup_variant *found[2];
    unsigned own_tile[3];
    clup_status status = CLUP_OK;
    CLUP_TRY(make_mates(state));
    CLUP_TRY(clup_prepared_create_beside(clup_houdayer_variant(), state, labels_stored, tile,
                                         &moves->ends));
    moves->labels[0] = &of_plan[CLUP_LOCAL], moves->labels[1] = &of_plan[CLUP_CONSOLIDATE];
    if (has_labels(state))
        return CLUP_OK;
    find_labelling(state, found, own_tile);
    for (unsigned k = 0; k < 2; k++) {
        moves->labels[k] = &moves->own[k];
        CLUP_TRY(
            clup_prepared_create_beside(found[k], state, labels_stored, own_tile, &moves->own[k]));
    }
done:
    return status;
}

void clup_houdayer_need(clup_state *state, const unsigned tile[3], clup_need *need)
{
    const clup_variant *found[2];
    unsigned own_tile[3];
    clup_need_add(need, state->replicas * sizeof(cl_uint), "the replicas");
    clup_prepared_need(clup_houdayer_variant(), state, tile, need);
    if (has_labels(state))
        return;
    find_labelling(state, found, own_tile);
    for (unsigned k = 0; k < 2; k++)
        clup_prepared_need(found[k], state, own_tile, need);
}

void clup_houdayer_clear(clup_houdayer *moves)
{
    clup_prepared_clear(&moves->ends);
    for (unsigned k = 0; k < 2; k++)
        clup_prepared_clear(&moves->own[k]);
}

/* The kernels of the moves' bonds and action. */
enum { BONDS, ACTION };

clup_status clup_houdayer_run(clup_houdayer *moves)
{
    clup_state *state = moves->ends.state;
    clup_status status = CLUP_OK;
    for (state->move_round = 0; state->move_round < state->method.houdayer; state->move_round++) {
        CLUP_TRY(clup_prepared_launch(&moves->ends, BONDS, NULL));
        for (unsigned k = 0; k < 2; k++)
            CLUP_TRY(clup_prepared_run(moves->labels[k]));
        CLUP_TRY(clup_prepared_launch(&moves->ends, ACTION, NULL));
    }
done:
    return status;
}

clup_status clup_houdayer_reference(clup_host *first, clup_host *second, uint32_t round)
{
    const lattice_args *lattice = &first->lattice;
    const uint64_t sites = clup_lattice_sites(lattice);
    clup_status status = CLUP_OK;
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        for (uint64_t i = 0; i < sites; i++) {
            uint64_t to;
            first->bonds[d * sites + i] = first->spins[i] != second->spins[i] &&
                                          clup_bond_exists(lattice, &first->laws, d, i, &to) &&
                                          first->spins[to] != second->spins[to];
        }
    CLUP_TRY(clup_reference_labels(lattice, first->bonds, first->labels));
    for (uint64_t i = 0; i < sites; i++)
        if (random_block(first->key, PURPOSE_PAIR, first->labels[i], round).v[0] >> 31) {
            const uint8_t spin = first->spins[i];
            first->spins[i] = second->spins[i];
            second->spins[i] = spin;
        }
done:
    return status;
}
