/* Label relaxation: the list of tile edges, then iterations until one changes nothing. */
#include "label/label.h"

/* Iterations that are enqueued before the host looks whether they were enough. */
#define ITERATIONS_MAX 1024u

enum { PREPARE, RELAX };
enum { EDGES, CHANGED };

uint64_t clup_relax_scratch(const clup_pass *pass, unsigned which)
{
    uint64_t edges = pass->tiles * 2 * (pass->tile[0] + pass->tile[1]) * 2 * sizeof(cl_uint);
    return which == EDGES ? edges : which == CHANGED ? ITERATIONS_MAX * sizeof(cl_uint) : 0;
}

clup_status clup_relax_iterations(clup_pass *pass, double *mean)
{
    *mean = pass->iterations;
    return CLUP_OK;
}

/* Enqueues count iterations and waits; *done is how many it took, or count + 1 when not yet enough. */
static clup_status iterate(clup_pass *pass, cl_uint count, cl_uint *done)
{
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    cl_uint changed[ITERATIONS_MAX];
    CLUP_TRY(clup_buffer_zero(state->context, CLUP_CONSOLIDATE, pass->scratch[CHANGED], pass->scratch_bytes[CHANGED]));
    for (cl_uint iteration = 0; iteration < count; iteration++)
        CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[RELAX], CLUP_CONSOLIDATE, pass->tiles, pass->row->items(pass->tile),
                             CLUP_ARG(iteration), CLUP_ARG(pass->scratch[EDGES]), CLUP_ARG(state->labels),
                             CLUP_ARG(pass->scratch[CHANGED])));
    CLUP_TRY(clup_buffer_read(state->context, pass->scratch[CHANGED], count * sizeof *changed, changed));
    for (*done = 1; *done <= count && changed[*done - 1] != 0; ++*done)
        ;
done:
    return status;
}

clup_status clup_run_relax(clup_pass *pass)
{
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    /* one more than last time is mostly enough */
    cl_uint count = pass->iterations + 1 < ITERATIONS_MAX ? pass->iterations + 1 : ITERATIONS_MAX;
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[PREPARE], CLUP_CONSOLIDATE, pass->tiles, clup_edge_items(pass->tile),
                         CLUP_ARG(state->lattice), CLUP_ARG(state->bonds), CLUP_ARG(state->labels), CLUP_ARG(pass->scratch[EDGES])));
    for (pass->iterations = 0;;) {
        cl_uint done;
        CLUP_TRY(iterate(pass, count, &done));
        pass->iterations += done <= count ? done : count;
        if (done <= count)
            break;
        /* a label sinks by at least one tile an iteration */
        if (pass->iterations > clup_lattice_sites(&state->lattice)) {
            status = clup_fail(CLUP_ERROR_RUNTIME, "label relaxation did not end after %u iterations", pass->iterations);
            goto done;
        }
    }
done:
    return status;
}
