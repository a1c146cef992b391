/* SPDX-License-Identifier: BSD-3-Clause */
/* Device time of each stage. */
#include "ocl/timer.h"

#include <stdlib.h>
#include <string.h>

clup_status clup_timer_add(clup_timer *timer, clup_stage stage, cl_event event)
{
    if (event == NULL)
        return CLUP_OK;
    if (timer->count == timer->capacity) {
        size_t capacity = timer->capacity > 0 ? 2 * timer->capacity : 256;
        struct clup_timed *pending = realloc(timer->pending, capacity * sizeof *pending);
        if (pending == NULL) {
            clReleaseEvent(event);
            return clup_fail_memory("the timer");
        }
        timer->pending = pending;
        timer->capacity = capacity;
    }
    timer->pending[timer->count++] = (struct clup_timed){event,
                                                         timer->measuring ? CLUP_MEASURE : stage};
    return CLUP_OK;
}

void clup_timer_drop(clup_timer *timer, size_t first)
{
    while (timer->count > first)
        clReleaseEvent(timer->pending[--timer->count].event);
}

void clup_timer_collect(clup_timer *timer)
{
    for (size_t k = 0; k < timer->count; k++) {
        cl_event event = timer->pending[k].event;
        cl_ulong start = 0, end = 0;
        int known = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                            NULL) == CL_SUCCESS &&
                    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                            NULL) == CL_SUCCESS &&
                    end > 0 && end >= start;
        if (known)
            timer->total_ns[timer->pending[k].stage] += end - start;
        else
            timer->unusable++;
        clReleaseEvent(event);
    }
    timer->count = 0;
}

void clup_timer_reset(clup_timer *timer)
{
    memset(timer->total_ns, 0, sizeof timer->total_ns);
    timer->unusable = 0;
}

void clup_timer_clear(clup_timer *timer)
{
    clup_timer_drop(timer, 0);
    free(timer->pending);
    *timer = (clup_timer){0};
}
