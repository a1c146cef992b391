/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs in place of lattices: launches, and memory. */
#include "family/graph.h"

#include <stdlib.h>

#include "family/measure.h"
#include "forest/wraps_sizes.clh"
#include "graph/graph_sizes.clh"

/* Two bytes for each of the 32 edges of the most work-items of a group. */
#define WORD_ITEMS_MOST 64
#define SITE_ITEMS_MOST 128
#define MEASURE_ITEMS_MOST 256

uint64_t clup_graph_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 64 * WORD_ITEMS_MOST;
}

uint64_t clup_graph_sweep_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    return 64 * MEASURE_ITEMS_MOST + clup_record_bytes(lattice, tile, q);
}

uint64_t clup_graph_listed_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 64 * SITE_ITEMS_MOST;
}

uint64_t clup_graph_scratch(const clup_prepared *prepared, unsigned which)
{
    (void)prepared;
    return which == 0 ? FLATTEN_PASSES * sizeof(cl_uint) : 0;
}

/* Makes labels flat by a kernel of a stage that has set the words of open to zero. */
static clup_status flatten(clup_prepared *prepared, unsigned kernel)
{
    const clup_state *state = prepared->state;
    const size_t items = clup_site_items(state->context);
    const uint64_t sites = clup_lattice_sites(&state->lattice), groups = (sites - 1) / items + 1;
    uint64_t reached = 1; /* the depth of trees that all passes so far make flat */
    clup_status status = CLUP_OK;
    for (cl_uint pass = 0; pass < FLATTEN_PASSES && reached < sites && status == CLUP_OK; pass++) {
        status = clup_prepared_launch_groups(
            prepared, kernel,
            pass == 0 || groups < FLATTEN_LATER_GROUPS ? groups : FLATTEN_LATER_GROUPS, items,
            CLUP_WITH(CLUP_ARG(pass)));
        reached *= FLATTEN_STEPS;
    }
    return status;
}

clup_status clup_run_graph(clup_prepared *prepared)
{
    enum { UNITE, FLATTEN };
    const clup_state *state = prepared->state;
    const size_t items = clup_site_items(state->context);
    const cl_uint kinds = state->edge_kinds;
    const uint64_t blocks = (clup_lattice_words(&state->bond_lattice) - 1) / items + 1;
    const clup_status status = clup_prepared_launch_groups(
        prepared, UNITE, (blocks - 1) / kinds * kinds + kinds, items, CLUP_WITH(CLUP_ARG(kinds)));
    return status == CLUP_OK ? flatten(prepared, FLATTEN) : status;
}

/* ---- clusters that wrap ---------------------------------------------------------------------- */

/* Scratch buffers of graph_wraps. */
enum { OPEN, PAIRS, AT_ENDS, LINKS };

/* Whether the device finds the clusters that wrap. */
static bool finds_windings(const clup_state *state)
{
    return state->context->long_atomics && state->boundary.axes > 0;
}

uint64_t clup_graph_wraps_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    const clup_boundary *boundary = &state->boundary;
    switch (which) {
    case OPEN: return (FLATTEN_PASSES + state->replicas) * sizeof(cl_uint);
    case PAIRS: return 2ull * state->replicas * boundary->edges * sizeof(cl_uint);
    case AT_ENDS: return (uint64_t)state->replicas * boundary->vertices * sizeof(cl_uint);
    case LINKS:
        return finds_windings(state)
                   ? state->replicas * clup_lattice_sites(&state->lattice) * sizeof(cl_ulong)
                   : 0;
    default: return 0;
    }
}

clup_status clup_run_graph_wraps(clup_prepared *prepared)
{
    enum { LIST, LIST_ENDS, UNITE, SPAN, FLATTEN };
    const clup_state *state = prepared->state;
    const size_t items = clup_site_items(state->context);
    const cl_uint edges = state->boundary.edges, vertices = state->boundary.vertices;
    const uint64_t edge_groups = edges / items + 1, vertex_groups = vertices / items + 1;
    const clup_arg *const of_edges = CLUP_WITH(CLUP_ARG_AS(count, edges)),
                          *const of_vertices = CLUP_WITH(CLUP_ARG_AS(from, edges),
                                                         CLUP_ARG_AS(count, vertices));
    clup_status status = CLUP_OK;
    if (state->boundary.axes == 0)
        return CLUP_OK;
    CLUP_TRY(clup_prepared_launch_groups(prepared, LIST, edge_groups, items, of_edges));
    if (vertices > 0)
        CLUP_TRY(
            clup_prepared_launch_groups(prepared, LIST_ENDS, vertex_groups, items, of_vertices));
    if (edges > 0)
        CLUP_TRY(clup_prepared_launch_groups(prepared, UNITE, edge_groups, items, of_edges));
    if (vertices > 0 && finds_windings(state))
        CLUP_TRY(clup_prepared_launch_groups(prepared, SPAN, vertex_groups, items, of_vertices));
    if (edges > 0)
        CLUP_TRY(flatten(prepared, FLATTEN));
done:
    return status;
}

/* Adds the pairs and ends of one replica. */
static void add_boundary(clup_wraps *wraps, const clup_boundary *boundary, const cl_uint *pairs,
                         const cl_uint *at_ends)
{
    for (uint32_t k = 0; k < boundary->edges; k++) {
        int steps[WINDING_AXES];
        for (unsigned axis = 0; axis < boundary->axes; axis++)
            steps[axis] = clup_winds(boundary->list[k][1], axis);
        if (pairs[2 * (uint64_t)k] != NOWHERE)
            clup_wraps_bond(wraps, pairs[2 * (uint64_t)k], pairs[2 * (uint64_t)k + 1], steps);
    }
    for (uint32_t k = 0; k < boundary->vertices; k++)
        for (unsigned bit = 0; bit < 2 * boundary->axes && at_ends[k] != NOWHERE; bit++)
            if (boundary->list[boundary->edges + (uint64_t)k][1] >> bit & 1)
                clup_wraps_end(wraps, at_ends[k], bit / 2, bit % 2);
}

/* Reads the pairs and ends of a replica. names has room for them, and becomes those of the pairs
 * first. */
static clup_status read_names(const clup_prepared *prepared, uint32_t r, uint64_t pairs,
                              uint64_t ends, cl_uint *names)
{
    clup_context *context = prepared->state->context;
    clup_status status = CLUP_OK;
    if (pairs > 0)
        CLUP_TRY(clup_buffer_read(context, prepared->scratch[PAIRS], r * pairs * sizeof *names,
                                  pairs * sizeof *names, names));
    if (ends > 0)
        CLUP_TRY(clup_buffer_read(context, prepared->scratch[AT_ENDS], r * ends * sizeof *names,
                                  ends * sizeof *names, names + pairs));
done:
    return status;
}

clup_status clup_graph_wraps_read(clup_wraps *wraps, const clup_prepared *prepared,
                                  unsigned *wrapped)
{
    const clup_state *state = prepared->state;
    const clup_boundary *boundary = &state->boundary;
    const uint64_t pairs = 2ull * boundary->edges, ends = boundary->vertices;
    const bool asks = boundary->axes > 0 && !finds_windings(state);
    cl_uint *names = NULL;
    clup_status status = CLUP_OK;
    for (uint32_t r = 0; r < state->replicas; r++)
        wrapped[r] = asks ? WRAPS_UNKNOWN : 0;
    if (finds_windings(state))
        CLUP_TRY(clup_buffer_read(state->context, prepared->scratch[OPEN],
                                  FLATTEN_PASSES * sizeof(cl_uint),
                                  state->replicas * sizeof *wrapped, wrapped));
    for (uint32_t r = 0; r < state->replicas; r++) {
        uint64_t named = 0;
        if ((wrapped[r] & WRAPS_UNKNOWN) == 0)
            continue;
        if (names == NULL && (names = malloc((pairs + ends) * sizeof *names)) == NULL)
            CLUP_TRY(clup_fail_memory("the clusters that wrap"));
        CLUP_TRY(read_names(prepared, r, pairs, ends, names));
        for (uint64_t k = 0; k < pairs + ends; k++)
            named += names[k] != NOWHERE;
        CLUP_TRY(clup_wraps_reset(wraps, named));
        add_boundary(wraps, boundary, names, names + pairs);
        wrapped[r] = clup_wraps_any(wraps);
    }
done:
    free(names);
    return status;
}
