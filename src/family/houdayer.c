/* SPDX-License-Identifier: BSD-3-Clause */
/* How Houdayer's cluster moves are launched, and their reference. */
#include "family/houdayer.h"

#include "core/disorder.h"
#include "family/family.h"

uint64_t clup_houdayer_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    return which == 0 ? state->replicas * clup_lattice_sites(&state->lattice) * sizeof(cl_uint) : 0;
}

clup_status clup_run_houdayer(clup_prepared *prepared)
{
    clup_state *state = prepared->state;
    clup_status status = CLUP_OK;
    for (state->move_round = 0; state->move_round < state->method.houdayer && status == CLUP_OK;
         state->move_round++)
        status = clup_prepared_run(prepared);
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
