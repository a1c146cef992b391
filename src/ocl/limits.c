/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the limits of a device: copies, atomics, launches. */
#include <math.h>

#include "base/timing.h"
#include "ocl/kernel.h"
#include "program.h"

#define BYTES_MOST (256ull << 20)
#define BYTES_LEAST 4096u
/* Atomics timed together. */
#define ATOMICS (1u << 24)
/* Launches of empty kernels timed together. */
#define LAUNCHES 1000u

typedef struct setup {
    clup_context *context;
    clup_kernel kernel;
    cl_mem buffers[2];
    uint64_t bytes; /* of each buffer, a power of two */
    size_t items;   /* work-items of a group */
} setup;

/* Does one launch and waits for it; *seconds is by its event, or by the wall clock. */
static clup_status time_launch(setup *s, uint64_t groups, const clup_arg *args, size_t count,
                               double *seconds)
{
    clup_context *context = s->context;
    clup_status status = CLUP_OK;
    clup_timer_reset(&context->timer);
    const double start = clup_now_s();
    CLUP_TRY(clup_kernel_launch(context, &s->kernel, CLUP_SOURCE, groups, s->items, args, count));
    CLUP_TRY(clup_queue_wait(context, 0));
    *seconds = clup_now_s() - start;
    clup_timer_collect(&context->timer);
    if (clup_timer_known(&context->timer) && context->timer.total_ns[CLUP_SOURCE] > 0)
        *seconds = 1e-9 * (double)context->timer.total_ns[CLUP_SOURCE];
done:
    return status;
}

static clup_status copy(setup *s, double *value)
{
    double seconds;
    const clup_arg args[] = {CLUP_ARG(s->buffers[0]), CLUP_ARG(s->buffers[1])};
    const clup_status status = time_launch(s, s->bytes / 16 / s->items, args, 2, &seconds);
    *value = 2 * (double)s->bytes / seconds;
    return status;
}

static clup_status add(setup *s, cl_uint mask, double *value)
{
    double seconds;
    const clup_arg args[] = {CLUP_ARG(s->buffers[0]), CLUP_ARG(mask)};
    const uint64_t groups = (s->bytes / 4 < ATOMICS ? s->bytes / 4 : ATOMICS) / s->items;
    const clup_status status = time_launch(s, groups, args, 2, &seconds);
    *value = (double)(groups * s->items) / seconds;
    return status;
}

static clup_status atomics(setup *s, double *value)
{
    return add(s, (cl_uint)(s->bytes / 4 - 1), value);
}

static clup_status one_atomic(setup *s, double *value)
{
    return add(s, 0, value);
}

static clup_status launches(setup *s, unsigned count, double *value)
{
    clup_context *context = s->context;
    const clup_arg args[] = {CLUP_ARG(s->buffers[0])};
    const int off = context->timer.off;
    clup_status status = CLUP_OK;
    context->timer.off = true;
    const double start = clup_now_s();
    for (unsigned k = 0; k < count; k++)
        CLUP_TRY(clup_kernel_launch(context, &s->kernel, CLUP_STAGES, 1, s->items, args, 1));
    CLUP_TRY(clup_queue_wait(context, 0));
    *value = (clup_now_s() - start) / count;
done:
    context->timer.off = off;
    return status;
}

static clup_status launch(setup *s, double *value)
{
    return launches(s, LAUNCHES, value);
}

static clup_status wait_for_one(setup *s, double *value)
{
    return launches(s, 1, value);
}

static const struct {
    const char *name, *unit, *kernel;
    unsigned buffers;
    clup_status (*measure)(setup *s, double *value);
} rows[CLUP_LIMITS] = {
    [CLUP_LIMIT_COPY] = {"copy", "B/s", "limits_copy", 2, copy},
    [CLUP_LIMIT_ATOMICS] = {"atomics", "1/s", "limits_atomics", 1, atomics},
    [CLUP_LIMIT_ONE_ATOMIC] = {"one_atomic", "1/s", "limits_atomics", 1, one_atomic},
    [CLUP_LIMIT_LAUNCH] = {"launch", "s", "limits_nothing", 1, launch},
    [CLUP_LIMIT_WAIT] = {"wait", "s", "limits_nothing", 1, wait_for_one},
};

const char *clup_limit_name(clup_limit limit)
{
    return (unsigned)limit < CLUP_LIMITS ? rows[limit].name : NULL;
}

const char *clup_limit_unit(clup_limit limit)
{
    return (unsigned)limit < CLUP_LIMITS ? rows[limit].unit : NULL;
}

/* A size that is a power of two, so that kernels have whole groups. */
static uint64_t bytes_on(const clup_context *context)
{
    uint64_t most = BYTES_MOST, bytes = BYTES_LEAST;
    most = context->max_alloc < most ? context->max_alloc : most;
    most = context->global_mem / 16 < most ? context->global_mem / 16 : most;
    while (2 * bytes <= most)
        bytes *= 2;
    return bytes;
}

clup_status clup_limit_measure(clup_context *context, clup_limit limit, unsigned count,
                               double *values)
{
    clup_status status = CLUP_OK;
    CLUP_NEED(context);
    CLUP_NEED(values);
    if ((unsigned)limit >= CLUP_LIMITS)
        return clup_fail(CLUP_ERROR_USAGE, "there is no limit %d", (int)limit);
    setup s = {.context = context, .bytes = bytes_on(context), .items = 1};
    double first;
    while (2 * s.items <= 256 && 2 * s.items <= clup_group_limit(context))
        s.items *= 2;
    CLUP_TRY(clup_kernel_create(context, "limits.cl", rows[limit].kernel, "", &s.kernel));
    while (s.items > s.kernel.max_group)
        s.items /= 2;
    for (unsigned k = 0; k < rows[limit].buffers; k++)
        CLUP_TRY(clup_buffer_create(context, s.bytes, "what is copied", &s.buffers[k]));
    /* some platforms compile at the first launch */
    CLUP_TRY(rows[limit].measure(&s, &first));
    for (unsigned k = 0; k < count; k++)
        CLUP_TRY(rows[limit].measure(&s, &values[k]));
done:
    clup_timer_drop(&context->timer, 0);
    for (unsigned k = 0; k < 2; k++)
        clup_buffer_free(context, s.buffers[k]);
    clup_kernel_free(&s.kernel);
    return status;
}
