/* SPDX-License-Identifier: BSD-3-Clause */
/* How the heat bath is launched. */
#include "family/heat.h"

#include "base/watch.h"
#include "core/heat.h"

/* Kernels that write to the scratch buffer, and back to the spins. */
enum { THERE, BACK };

uint64_t clup_heat_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? clup_buffer_kind_bytes(prepared->state, CLUP_BUFFER_SPINS) : 0;
}

/* Enqueues a sweep of a kernel that has items work-items for each layer of a lattice: in place, or
 * by the kernels THERE and BACK in turn. */
static clup_status run(clup_prepared *prepared, uint64_t items, cl_uint checkered, bool in_place)
{
    const lattice_args *lattice = &prepared->state->lattice;
    const cl_uint colours = heat_colours(*lattice, checkered),
                  launches = in_place ? colours : colours + colours % 2;
    const size_t group = clup_word_items(prepared->state->context);
    const uint64_t groups = (items * lattice->nz + group - 1) / group;
    clup_status status = CLUP_OK;
    bool held = false;
    /* there and back takes an even number; a colour that no site has copies the spins */
    for (cl_uint colour = 0; colour < launches; colour++) {
        const unsigned kernel = in_place || colour % 2 == 0 ? THERE : BACK;
        CLUP_TRY(clup_prepared_launch_groups(prepared, kernel, groups, group,
                                             CLUP_WITH(CLUP_ARG(colour), CLUP_ARG(checkered))));
        /* the next launch changes the spins */
        if (!held)
            clup_watch_hold();
        held = true;
    }
done:
    if (held)
        clup_watch_release();
    return status;
}

clup_status clup_run_heat_bath(clup_prepared *prepared)
{
    const lattice_args *lattice = &prepared->state->lattice;
    return run(prepared, (uint64_t)lattice->words * lattice->ny, clup_is_checkered(lattice), false);
}

clup_status clup_run_heat_bits(clup_prepared *prepared)
{
    const lattice_args *lattice = &prepared->state->lattice;
    const bool checkered = clup_is_checkered(lattice);
    const uint32_t rows = checkered ? lattice->ny / 2 + lattice->ny % 2 : lattice->ny;
    return run(prepared, (uint64_t)lattice->words * rows, checkered, false);
}

clup_status clup_run_heat_vectors(clup_prepared *prepared)
{
    const lattice_args *lattice = &prepared->state->lattice;
    return run(prepared, (uint64_t)lattice->words * lattice->ny, clup_is_checkered(lattice), true);
}

clup_status clup_run_heat_rounds(clup_prepared *prepared)
{
    clup_state *state = prepared->state;
    clup_status status = CLUP_OK;
    for (state->heat_round = 0; state->heat_round < state->method.heat_bath && status == CLUP_OK;
         state->heat_round++)
        status = clup_prepared_run(prepared);
    return status;
}

clup_status clup_run_overrelaxation(clup_prepared *prepared)
{
    clup_status status = CLUP_OK;
    for (uint64_t sweep = 0; sweep < prepared->state->method.overrelaxation && status == CLUP_OK;
         sweep++)
        status = clup_run_heat_vectors(prepared);
    return status;
}
