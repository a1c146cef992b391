/* SPDX-License-Identifier: BSD-3-Clause */
/* How the heat bath is launched. */
#include "family/heat.h"

#include "base/watch.h"
#include "core/heat.h"
#include "family/strip.h"

/* Kernels that write to the scratch buffer, and back to the spins. */
enum { THERE, BACK };

uint64_t clup_heat_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? clup_buffer_kind_bytes(prepared->state, CLUP_BUFFER_SPINS) : 0;
}

/* How a kernel updates the sites of a colour. */
typedef struct updates {
    bool pairs;    /* on checkered lattices a work-item has a word of two rows, else of one */
    bool in_place; /* else the kernels THERE and BACK take turns */
} updates;

/* Returns the work-items for some rows. */
static uint64_t items_of(const lattice_args *lattice, clup_rows rows, bool pairs)
{
    const bool in_layers = clup_lattice_of(lattice)->axes > 2;
    const uint64_t layers = in_layers ? (rows.end - rows.first) / lattice->ny : 1;
    /* the first pair of rows of the whole lattice may begin before a subdomain in the plane */
    const uint64_t before = pairs && !in_layers ? whole_row(*lattice, rows.first) % 2 : 0,
                   each = in_layers ? lattice->ny : rows.end - rows.first + before;
    return layers * lattice->words * (pairs ? each / 2 + each % 2 : each);
}

/* Enqueues the update of a colour, in some rows. */
static clup_status update_colour(clup_prepared *prepared, updates by, clup_rows rows,
                                 cl_uint colour, cl_uint checkered)
{
    const size_t group = clup_word_items(prepared->state->context);
    const unsigned kernel = by.in_place || colour % 2 == 0 ? THERE : BACK;
    if (rows.first >= rows.end)
        return CLUP_OK;
    const uint64_t items = items_of(&prepared->state->lattice, rows, by.pairs && checkered);
    return clup_prepared_launch_groups(prepared, kernel, (items + group - 1) / group, group,
                                       CLUP_WITH(CLUP_ARG(colour), CLUP_ARG(checkered),
                                                 CLUP_ARG_AS(first, rows.first),
                                                 CLUP_ARG_AS(end, rows.end)));
}

/* Returns the buffer where the update of a colour writes the spins. */
static cl_mem written(const clup_prepared *prepared, updates by, cl_uint colour)
{
    return by.in_place || colour % 2 != 0 ? prepared->state->spins : prepared->scratch[0];
}

/* Updates a colour in a subdomain and in its strip. */
static clup_status update_part(clup_prepared *prepared, updates by, cl_uint colour,
                               cl_uint checkered)
{
    clup_state *state = prepared->state;
    clup_prepared *strip = clup_strip_stage(prepared);
    clup_status status = CLUP_OK;
    CLUP_TRY(update_colour(prepared, by, clup_strip_own_rows(state), colour, checkered));
    if (strip != NULL)
        CLUP_TRY(update_colour(strip, by, clup_strip_rows(strip->state), colour, checkered));
    CLUP_TRY(clup_strip_agree(state, written(prepared, by, colour),
                              strip != NULL ? written(strip, by, colour) : NULL));
done:
    return status;
}

/* Enqueues a sweep. */
static clup_status run(clup_prepared *prepared, updates by)
{
    clup_state *state = prepared->state;
    const lattice_args whole = whole_lattice(state->lattice,
                                             clup_lattice_of(&state->lattice)->axes);
    const cl_uint checkered = clup_is_checkered(&whole), colours = heat_colours(whole, checkered),
                  launches = by.in_place ? colours : colours + colours % 2;
    const clup_rows all = {0, lattice_rows(state->lattice)};
    clup_status status = CLUP_OK;
    bool held = false;
    if (state->strip != NULL)
        CLUP_TRY(clup_strip_begin(state));
    /* there and back takes an even number; a colour that no site has copies the spins */
    for (cl_uint colour = 0; colour < launches; colour++) {
        CLUP_TRY(state->strip != NULL ? update_part(prepared, by, colour, checkered)
                                      : update_colour(prepared, by, all, colour, checkered));
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
    return run(prepared, (updates){.in_place = false});
}

clup_status clup_run_heat_bits(clup_prepared *prepared)
{
    return run(prepared, (updates){.pairs = true});
}

clup_status clup_run_heat_vectors(clup_prepared *prepared)
{
    return run(prepared, (updates){.in_place = true});
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
