/* Iterations of a kernel, enqueued several at a time. */
#include "family/paper.h"

/* Enqueues count iterations and waits; *done is how many it took, or count + 1 when not yet
 * enough. */
static clup_status iterate(clup_pass *pass, unsigned flags,
                           clup_status (*launch)(clup_pass *pass, cl_uint iteration), cl_uint count,
                           cl_uint *done)
{
    clup_context *context = pass->state->context;
    clup_status status = CLUP_OK;
    cl_uint changed[CLUP_ITERATIONS_MAX];
    CLUP_TRY(clup_buffer_zero(context, pass->row->stage, pass->scratch[flags],
                              pass->scratch_bytes[flags]));
    for (cl_uint iteration = 0; iteration < count; iteration++)
        CLUP_TRY(launch(pass, iteration));
    CLUP_TRY(clup_buffer_read(context, pass->scratch[flags], 0, count * sizeof *changed, changed));
    for (*done = 1; *done <= count && changed[*done - 1] != 0; ++*done)
        ;
done:
    return status;
}

clup_status clup_iterate(clup_pass *pass, unsigned flags, uint64_t most,
                         clup_status (*launch)(clup_pass *pass, cl_uint iteration))
{
    const unsigned last = pass->iterations;
    clup_status status = CLUP_OK;
    /* one more than last time is mostly enough */
    cl_uint count = pass->iterations + 1 < CLUP_ITERATIONS_MAX ? pass->iterations + 1
                                                               : CLUP_ITERATIONS_MAX;
    for (pass->iterations = 0;;) {
        cl_uint done;
        CLUP_TRY(iterate(pass, flags, launch, count, &done));
        pass->iterations += done <= count ? done : count;
        if (done <= count)
            break;
        if (pass->iterations > most) {
            status = clup_fail(CLUP_ERROR_RUNTIME, "%s did not end after %u iterations",
                               pass->row->name, pass->iterations);
            goto done;
        }
    }
done:
    if (status == CLUP_INTERRUPTED)
        pass->iterations = last;
    return status;
}
