/* SPDX-License-Identifier: BSD-3-Clause */
/* Local updates of a subdomain. */
#include "family/strip.h"

#include <stdlib.h>
#include <string.h>

/* Layers on their way, by their places in memory. */
enum { DOWN, UP, FROM_ABOVE, FROM_BELOW, ON_THEIR_WAY };

/* ---- layers ---------------------------------------------------------------------------------- */

static uint64_t layer_rows(const clup_state *state)
{
    const clup_subdomain *part = &state->subdomain;
    return lattice_rows(state->lattice) / (part->own + part->above);
}

/* A layer of spins is a piece of each plane of all replicas, or of so many planes that are stored
 * beside one another (state.h). Return the bytes of a word of a piece, the bytes of a piece,
 * the number of pieces, and a layer of spins in a buffer. */
static uint64_t word_bytes(const clup_state *state)
{
    return sizeof(cl_uint) * state->spin_store->beside;
}

static uint64_t piece_bytes(const clup_state *state)
{
    return word_bytes(state) * layer_rows(state) * state->lattice.words;
}

static uint64_t piece_count(const clup_state *state)
{
    return (uint64_t)state->replicas * state->planes / state->spin_store->beside;
}

static clup_strided layer_of(const clup_state *state, cl_mem spins, uint64_t layer)
{
    return (clup_strided){spins, layer * piece_bytes(state),
                          word_bytes(state) * clup_lattice_words(&state->lattice)};
}

static char *on_its_way(const clup_state *state, unsigned which)
{
    return state->strip->memory + which * piece_bytes(state) * piece_count(state);
}

/* Reorders a layer on its way, which is planes of words, since the devices of two processes may
 * store spins in different ways: from the order of the device to that of planes, or back. */
static void reorder(const clup_state *state, unsigned which, bool to_planes)
{
    const uint64_t beside = state->spin_store->beside, count = piece_bytes(state) / sizeof(cl_uint),
                   words = count / beside;
    cl_uint *piece = (cl_uint *)on_its_way(state, which), *const copy = state->strip->piece;
    for (uint64_t k = 0; k < piece_count(state) && beside > 1; k++, piece += count) {
        memcpy(copy, piece, count * sizeof *copy);
        for (uint64_t w = 0; w < words; w++)
            for (uint64_t j = 0; j < beside; j++)
                if (to_planes)
                    piece[j * words + w] = copy[w * beside + j];
                else
                    piece[w * beside + j] = copy[j * words + w];
    }
}

static clup_status read_layer(const clup_state *state, cl_mem spins, uint64_t layer, unsigned which)
{
    const clup_status status = clup_strided_read(state->context, layer_of(state, spins, layer),
                                                 piece_bytes(state), piece_count(state),
                                                 on_its_way(state, which));
    if (status == CLUP_OK)
        reorder(state, which, true);
    return status;
}

static clup_status write_layer(const clup_state *state, const clup_state *to, cl_mem spins,
                               uint64_t layer, unsigned which)
{
    reorder(state, which, false);
    return clup_strided_write(state->context, layer_of(to, spins, layer), piece_bytes(state),
                              piece_count(state), on_its_way(state, which));
}

/* Copies a layer between the subdomain and the strip. */
static clup_status copy_layer(const clup_state *from, cl_mem from_spins, uint64_t from_layer,
                              const clup_state *to, cl_mem to_spins, uint64_t to_layer)
{
    return clup_strided_copy(from->context, layer_of(from, from_spins, from_layer),
                             layer_of(to, to_spins, to_layer), piece_bytes(from),
                             piece_count(from));
}

/* ---- creating and clearing ------------------------------------------------------------------- */

/* Returns the layers of the strip, as a subdomain: the middle one is the first of part. */
static clup_subdomain strip_of(const clup_subdomain *part)
{
    clup_subdomain strip = *part;
    strip.first = (part->first > 0 ? part->first : part->layers) - 1;
    strip.own = 2;
    strip.above = part->own > 1 || part->above;
    return strip;
}

static clup_status make_strip(clup_state *state, const clup_problem *problem,
                              const unsigned tile[3], const clup_variant *heat,
                              const clup_variant *overrelax, clup_strip *strip)
{
    const clup_subdomain layers = strip_of(&state->subdomain);
    clup_status status = clup_state_create_part(state->context, problem, &state->method,
                                                state->layout, &layers, 0, 0, &strip->state);
    CLUP_TRY(status);
    strip->exists = true;
    if (heat != NULL)
        CLUP_TRY(clup_prepared_create_beside(heat, &strip->state, "spins", tile, &strip->heat));
    if (overrelax != NULL)
        CLUP_TRY(clup_prepared_create_beside(overrelax, &strip->state, "spins", tile,
                                             &strip->overrelax));
done:
    return status;
}

clup_status clup_strip_create(clup_state *state, const clup_problem *problem,
                              const unsigned tile[3], const clup_variant *heat,
                              const clup_variant *overrelax, clup_strip *strip)
{
    const uint64_t bytes = ON_THEIR_WAY * piece_bytes(state) * piece_count(state);
    clup_status status = CLUP_OK;
    state->strip = strip;
    strip->context = state->context;
    if (state->subdomain.below)
        CLUP_TRY(make_strip(state, problem, tile, heat, overrelax, strip));
    clup_pinned_create(state->context, bytes, NULL, &strip->pinned);
    strip->memory = strip->pinned.bytes != NULL ? strip->pinned.bytes : malloc(bytes);
    strip->piece = malloc(piece_bytes(state));
    if (strip->memory == NULL || strip->piece == NULL)
        CLUP_TRY(clup_fail_memory("the layers between subdomains"));
done:
    return status;
}

clup_status clup_strip_need(const clup_state *state, const clup_problem *problem,
                            const unsigned tile[3], const clup_variant *heat,
                            const clup_variant *overrelax, clup_need *need)
{
    const clup_subdomain layers = strip_of(&state->subdomain);
    clup_state strip;
    clup_status status = CLUP_OK;
    if (!state->subdomain.below)
        return CLUP_OK;
    CLUP_TRY(clup_state_describe_part(state->context, problem, &state->method, state->layout,
                                      &layers, 0, 0, &strip));
    clup_state_need(&strip, need);
    if (heat != NULL)
        clup_prepared_need(heat, &strip, tile, need);
    if (overrelax != NULL)
        clup_prepared_need(overrelax, &strip, tile, need);
done:
    return status;
}

void clup_strip_clear(clup_strip *strip)
{
    if (strip->context == NULL)
        return;
    clup_prepared_clear(&strip->heat);
    clup_prepared_clear(&strip->overrelax);
    if (strip->exists)
        clup_state_clear(&strip->state);
    if (strip->pinned.bytes == NULL)
        free(strip->memory);
    free(strip->piece);
    clup_pinned_free(strip->context, &strip->pinned);
    *strip = (clup_strip){0};
}

/* ---- updates --------------------------------------------------------------------------------- */

clup_prepared *clup_strip_stage(const clup_prepared *prepared)
{
    clup_strip *strip = prepared->state->strip;
    if (strip == NULL || !strip->exists)
        return NULL;
    return strip->heat.variant == prepared->variant ? &strip->heat : &strip->overrelax;
}

clup_rows clup_strip_own_rows(const clup_state *state)
{
    const clup_subdomain *part = &state->subdomain;
    const uint64_t rows = layer_rows(state);
    return (clup_rows){part->below ? (cl_uint)rows : 0, (cl_uint)(part->own * rows)};
}

clup_rows clup_strip_rows(const clup_state *state)
{
    const cl_uint rows = (cl_uint)layer_rows(state);
    return (clup_rows){rows, 2 * rows};
}

/* Exchanges layers in both directions. */
static clup_status swap_layers(const clup_state *state)
{
    const clup_ranks *ranks = state->context->ranks;
    const clup_subdomain *part = &state->subdomain;
    const uint32_t above = part->above ? (part->index + 1) % part->count : CLUP_NOBODY,
                   below = part->below ? (part->index + part->count - 1) % part->count
                                       : CLUP_NOBODY;
    const uint64_t bytes = piece_bytes(state) * piece_count(state);
    clup_status status = CLUP_OK;
    CLUP_TRY(ranks->exchange(ranks, above, on_its_way(state, UP), below,
                             on_its_way(state, FROM_BELOW), bytes));
    CLUP_TRY(ranks->exchange(ranks, below, on_its_way(state, DOWN), above,
                             on_its_way(state, FROM_ABOVE), bytes));
    state->strip->bytes += (part->above + part->below) * bytes;
    state->strip->rounds++;
done:
    return status;
}

clup_status clup_strip_agree(clup_state *state, cl_mem spins, cl_mem of_strip)
{
    const clup_subdomain *part = &state->subdomain;
    const clup_state *strip = &state->strip->state;
    clup_status status = CLUP_OK;
    if (part->below) {
        CLUP_TRY(copy_layer(strip, of_strip, 1, state, spins, 0));
        CLUP_TRY(read_layer(state, spins, 0, DOWN));
    }
    if (part->above)
        CLUP_TRY(read_layer(state, spins, part->own - 1, UP));
    CLUP_TRY(swap_layers(state));
    if (part->above)
        CLUP_TRY(write_layer(state, state, spins, part->own, FROM_ABOVE));
    if (part->below) {
        CLUP_TRY(write_layer(state, strip, of_strip, 0, FROM_BELOW));
        if (strip->subdomain.above)
            CLUP_TRY(copy_layer(state, spins, 1, strip, of_strip, 2));
    }
done:
    return status;
}

clup_status clup_strip_begin(clup_state *state)
{
    clup_strip *strip = state->strip;
    clup_status status = CLUP_OK;
    strip->state.key = state->key;
    strip->state.heat_round = state->heat_round;
    if (strip->exists)
        CLUP_TRY(copy_layer(state, state->spins, 0, &strip->state, strip->state.spins, 1));
    CLUP_TRY(clup_strip_agree(state, state->spins, strip->state.spins));
done:
    return status;
}
