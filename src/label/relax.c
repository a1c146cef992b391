/* Label relaxation: the list of tile edges, then iterations until one changes nothing, or for Wolff nothing that concerns the
 * cluster of the chosen site. */
#include "label/label.h"
#include "model/method.h"

enum { PREPARE, RELAX };
enum { EDGES, CHANGED, FOCUS };

uint64_t clup_relax_scratch(const clup_pass *pass, unsigned which)
{
    uint64_t edges = pass->tiles * 2 * (pass->tile[0] + pass->tile[1]) * 2 * sizeof(cl_uint);
    return which == EDGES ? edges : which == CHANGED ? CLUP_ITERATIONS_MAX * sizeof(cl_uint) : which == FOCUS ? sizeof(cl_uint) : 0;
}

clup_status clup_relax_iterations(clup_pass *pass, double *mean)
{
    *mean = pass->iterations;
    return CLUP_OK;
}

static clup_status relax(clup_pass *pass, cl_uint iteration)
{
    const clup_state *state = pass->state;
    return CLUP_LAUNCH(state->context, &pass->kernels[RELAX], CLUP_CONSOLIDATE, pass->tiles, clup_pass_items(pass), CLUP_ARG(iteration),
                       CLUP_ARG(pass->scratch[EDGES]), CLUP_ARG(pass->scratch[FOCUS]), CLUP_ARG(state->labels), CLUP_ARG(pass->scratch[CHANGED]));
}

clup_status clup_run_relax(clup_pass *pass)
{
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    cl_uint chosen = state->method.algorithm == CLUP_WOLFF ? clup_wolff_choose(&state->lattice, state->key, state->q).site : CLUP_NO_SITE;
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[PREPARE], CLUP_CONSOLIDATE, pass->tiles, clup_edge_items(pass->tile),
                         CLUP_ARG(state->lattice), CLUP_ARG(state->bonds), CLUP_ARG(state->labels), CLUP_ARG(chosen),
                         CLUP_ARG(pass->scratch[EDGES]), CLUP_ARG(pass->scratch[FOCUS])));
    /* a label sinks by at least one tile an iteration */
    CLUP_TRY(clup_iterate(pass, CHANGED, clup_lattice_sites(&state->lattice), relax));
done:
    return status;
}
