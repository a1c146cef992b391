/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs in place of lattices: launches, and memory. */
#include "family/graph.h"

#include "family/measure.h"
#include "graph/graph_sizes.clh"

/* Two bytes for each of the 32 edges of the most work-items of a group. */
#define WORD_ITEMS_MOST 64
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

uint64_t clup_graph_scratch(const clup_prepared *prepared, unsigned which)
{
    (void)prepared;
    return which == 0 ? FLATTEN_PASSES * sizeof(cl_uint) : 0;
}

enum { UNITE, FLATTEN };

clup_status clup_run_graph(clup_prepared *prepared)
{
    const clup_state *state = prepared->state;
    const size_t items = clup_site_items(state->context);
    const uint64_t sites = clup_lattice_sites(&state->lattice), each = (uint64_t)EDGES_EACH * items;
    const cl_uint kinds = state->edge_kinds;
    const uint64_t groups = (sites - 1) / items + 1;
    const uint64_t blocks = (clup_lattice_sites(&state->bond_lattice) - 1) / each + 1;
    uint64_t reached = 1; /* the depth of trees that all passes so far make flat */
    clup_status status = clup_prepared_launch_groups(
        prepared, UNITE, (blocks - 1) / kinds * kinds + kinds, items, CLUP_WITH(CLUP_ARG(kinds)));
    for (cl_uint pass = 0; pass < FLATTEN_PASSES && reached < sites && status == CLUP_OK; pass++) {
        status = clup_prepared_launch_groups(
            prepared, FLATTEN,
            pass == 0 || groups < FLATTEN_LATER_GROUPS ? groups : FLATTEN_LATER_GROUPS, items,
            CLUP_WITH(CLUP_ARG(pass)));
        reached *= FLATTEN_STEPS;
    }
    return status;
}
