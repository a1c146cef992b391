/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations of a kernel, enqueued several at a time. */
#include "family/paper.h"

/* Enqueues count iterations and waits for them. *done is the number of iterations that were needed,
 * or count + 1 when more are. */
static clup_status iterate(clup_prepared *prepared, unsigned flags,
                           clup_status (*launch)(clup_prepared *prepared, cl_uint iteration),
                           cl_uint count, cl_uint *done)
{
    clup_context *context = prepared->state->context;
    clup_status status = CLUP_OK;
    cl_uint changed[CLUP_ITERATIONS_MAX];
    CLUP_TRY(clup_buffer_zero(context, prepared->variant->stage, prepared->scratch[flags],
                              prepared->scratch_bytes[flags]));
    for (cl_uint iteration = 0; iteration < count; iteration++)
        CLUP_TRY(launch(prepared, iteration));
    CLUP_TRY(
        clup_buffer_read(context, prepared->scratch[flags], 0, count * sizeof *changed, changed));
    for (*done = 1; *done <= count && changed[*done - 1] != 0; ++*done)
        ;
done:
    return status;
}

clup_status clup_iterate(clup_prepared *prepared, unsigned flags, uint64_t most,
                         clup_status (*launch)(clup_prepared *prepared, cl_uint iteration))
{
    const unsigned last = prepared->iterations;
    clup_status status = CLUP_OK;
    /* one more than the last run is enough in most cases */
    cl_uint count = prepared->iterations + 1 < CLUP_ITERATIONS_MAX ? prepared->iterations + 1
                                                                   : CLUP_ITERATIONS_MAX;
    for (prepared->iterations = 0;;) {
        cl_uint done;
        CLUP_TRY(iterate(prepared, flags, launch, count, &done));
        prepared->iterations += done <= count ? done : count;
        if (done <= count)
            break;
        if (prepared->iterations > most) {
            status = clup_fail(CLUP_ERROR_RUNTIME, "%s did not end after %u iterations",
                               prepared->variant->name, prepared->iterations);
            goto done;
        }
    }
done:
    if (status == CLUP_INTERRUPTED)
        prepared->iterations = last;
    return status;
}
