/* Label relaxation: the list of tile edges, then iterations until one changes nothing, or for Wolff
 * nothing that concerns the cluster of the chosen site. */
#include "family/family.h"
#include "family/paper.h"
#include "core/method.h"

enum { PREPARE, RELAX };
enum { EDGES, FOCUS, CHANGED };

uint64_t clup_relax_scratch(const clup_pass *pass, unsigned which)
{
    uint64_t edges = pass->tiles * 2 * (pass->tile[0] + pass->tile[1]) * 2 * sizeof(cl_uint);
    return which == EDGES     ? edges
           : which == CHANGED ? CLUP_ITERATIONS_MAX * sizeof(cl_uint)
           : which == FOCUS   ? sizeof(cl_uint)
                              : 0;
}

clup_status clup_relax_iterations(clup_pass *pass, double *mean)
{
    *mean = pass->iterations;
    return CLUP_OK;
}

static clup_status relax(clup_pass *pass, cl_uint iteration)
{
    return clup_pass_launch(pass, RELAX, CLUP_WITH(CLUP_ARG(iteration)));
}

clup_status clup_run_relax(clup_pass *pass)
{
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    cl_uint chosen = state->method.algorithm == CLUP_WOLFF
                         ? clup_wolff_choose(&state->lattice, state->key, state->q).site
                         : NOWHERE;
    CLUP_TRY(clup_pass_launch_groups(pass, PREPARE, pass->tiles, clup_edge_items(pass->tile),
                                     CLUP_WITH(CLUP_ARG(chosen))));
    /* a label sinks by at least one tile an iteration */
    CLUP_TRY(clup_iterate(pass, CHANGED, clup_lattice_sites(&state->lattice), relax));
done:
    return status;
}
