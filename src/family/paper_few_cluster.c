/* SPDX-License-Identifier: BSD-3-Clause */
/* Few-cluster updates: places seeds, grows their clusters until all are complete, and updates the
 * spins. */
#include <string.h>

#include "paper/few_cluster.clh"
#include "family/paper.h"
#include "core/method.h"

enum { SEED, GROW, RESET };
enum { QUEUES, GROWTHS, FOREST, PENDING };

/* Steps of growth in a launch: the most, when all groups run at once, and the fewest. They keep a
 * launch far below 100 ms. */
#define STEPS_MOST 1024u
#define STEPS_LEAST 4u

uint32_t clup_few_cluster_ring_entries;

static uint64_t seeds_of(const clup_state *state)
{
    return (uint64_t)state->method.seeds_per_side * state->method.seeds_per_side;
}

static uint64_t between(uint64_t least, uint64_t value, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Work-items of a group: the paper's formula for full occupancy, rounded down to a power of two. */
size_t clup_few_cluster_items(const clup_prepared *prepared)
{
    const clup_context *context = prepared->state->context;
    const clup_machine *unit = &context->machine;
    uint64_t groups = between(1, seeds_of(prepared->state) / (uint64_t)unit->units,
                              unit->resident_groups);
    size_t items = 32;
    while (2 * items <= unit->active_items / groups)
        items *= 2;
    while (items > clup_group_limit(context))
        items /= 2;
    return items;
}

static cl_uint steps_of(const clup_state *state)
{
    uint64_t at_once = (uint64_t)state->context->machine.units *
                       state->context->machine.resident_groups;
    return (cl_uint)between(STEPS_LEAST, STEPS_MOST / ((seeds_of(state) - 1) / at_once + 1),
                            STEPS_MOST);
}

static uint64_t power_of_two(uint64_t least)
{
    uint64_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

/* Returns several times the circumference of the lattice, as the front of a growing cluster is
 * about as long as the circumference; but no more than needed. */
static uint64_t ring_entries(const lattice_args *lattice)
{
    uint64_t front = between(1024, 4 * ((uint64_t)lattice->nx + lattice->ny), 0x80000000u),
             sites = clup_lattice_sites(lattice);
    return clup_few_cluster_ring_entries > 0 ? clup_few_cluster_ring_entries
                                             : power_of_two(front < sites ? front : sites);
}

static uint64_t scratch(const clup_prepared *prepared, unsigned which, uint64_t entries)
{
    uint64_t seeds = seeds_of(prepared->state);
    const uint64_t bytes[CLUP_PREPARED_SCRATCH] = {
        /* bytes that do not fit 64 bits become more than any device has */
        [QUEUES] = entries < UINT64_MAX / 8 / seeds ? seeds * entries * sizeof(cl_uint)
                                                    : UINT64_MAX / 2,
        [GROWTHS] = seeds * sizeof(growth),
        [FOREST] = seeds * sizeof(cl_uint),
        [PENDING] = CLUP_ITERATIONS_MAX * sizeof(cl_uint),
    };
    return bytes[which];
}

uint64_t clup_few_cluster_scratch(const clup_prepared *prepared, unsigned which)
{
    return scratch(prepared, which, ring_entries(&prepared->state->lattice));
}

uint64_t clup_few_cluster_linear_scratch(const clup_prepared *prepared, unsigned which)
{
    return scratch(prepared, which, clup_lattice_sites(&prepared->state->lattice));
}

static cl_uint entries_of(const clup_prepared *prepared)
{
    return (cl_uint)(prepared->scratch_bytes[QUEUES] / sizeof(cl_uint) / seeds_of(prepared->state));
}

static clup_status grow(clup_prepared *prepared, cl_uint launch)
{
    const clup_state *state = prepared->state;
    const cl_uint entries = entries_of(prepared), steps = steps_of(state);
    return clup_prepared_launch_groups(
        prepared, GROW, seeds_of(state), clup_few_cluster_items(prepared),
        CLUP_WITH(CLUP_ARG_AS(threshold, state->law.threshold),
                  CLUP_ARG_AS(always, state->law.always), CLUP_ARG(entries), CLUP_ARG(steps),
                  CLUP_ARG(launch)));
}

/* The labels, which no other kernel needs, note which seed has claimed a site. They are zeros
 * between sweeps. */
clup_status clup_run_few_cluster(clup_prepared *prepared)
{
    const clup_state *state = prepared->state;
    const uint64_t sites = clup_lattice_sites(&state->lattice);
    const size_t items = clup_word_items(state->context);
    const cl_uint side = state->method.seeds_per_side, entries = entries_of(prepared),
                  flip_below = clup_flip_below(state->method.p_flip);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_prepared_launch_groups(prepared, SEED, (seeds_of(state) + items - 1) / items,
                                         items, CLUP_WITH(CLUP_ARG(side), CLUP_ARG(entries))));
    /* each step takes a site or looks at one, and each scan but the last finds a lost site */
    CLUP_TRY(clup_iterate(prepared, PENDING, sites * (sites + 2), grow));
    CLUP_TRY(clup_prepared_launch(prepared, RESET, CLUP_WITH(CLUP_ARG(flip_below))));
done:
    /* the sweep is given up, and its claims are removed */
    if (status == CLUP_INTERRUPTED &&
        clup_buffer_zero(state->context, CLUP_ACTION, state->labels,
                         clup_buffer_kind_bytes(state, CLUP_BUFFER_LABELS)) != CLUP_OK)
        status = CLUP_ERROR_RUNTIME;
    return status;
}
