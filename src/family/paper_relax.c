/* SPDX-License-Identifier: BSD-3-Clause */
/* Label relaxation: lists the edges between tiles, then does iterations until one changes nothing.
 * For Wolff, an iteration may still change clusters other than that of the chosen site. */
#include "family/family.h"
#include "family/paper.h"
#include "core/method.h"

enum { PREPARE, RELAX };
enum { EDGES, FOCUS, CHANGED };

uint64_t clup_relax_scratch(const clup_prepared *prepared, unsigned which)
{
    uint64_t edges = prepared->tiles * 2 * (prepared->tile[0] + prepared->tile[1]) * 2 *
                     sizeof(cl_uint);
    return which == EDGES     ? edges
           : which == CHANGED ? CLUP_ITERATIONS_MAX * sizeof(cl_uint)
           : which == FOCUS   ? sizeof(cl_uint)
                              : 0;
}

clup_status clup_relax_iterations(clup_prepared *prepared, double *mean)
{
    *mean = prepared->iterations;
    return CLUP_OK;
}

static clup_status relax(clup_prepared *prepared, cl_uint iteration)
{
    return clup_prepared_launch(prepared, RELAX, CLUP_WITH(CLUP_ARG(iteration)));
}

clup_status clup_run_relax(clup_prepared *prepared)
{
    const clup_state *state = prepared->state;
    clup_status status = CLUP_OK;
    cl_uint chosen = state->method.algorithm == CLUP_WOLFF
                         ? clup_wolff_choose(&state->lattice, state->key, state->q).site
                         : NOWHERE;
    CLUP_TRY(clup_prepared_launch_groups(prepared, PREPARE, prepared->tiles,
                                         clup_edge_items(prepared->tile),
                                         CLUP_WITH(CLUP_ARG(chosen))));
    /* an iteration carries a label over at least one tile */
    CLUP_TRY(clup_iterate(prepared, CHANGED, clup_lattice_sites(&state->lattice), relax));
done:
    return status;
}
