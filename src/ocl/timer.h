/* SPDX-License-Identifier: BSD-3-Clause */
/* Device time of each stage, from the profiling events of its commands. */
#ifndef CLUP_OCL_TIMER_H
#define CLUP_OCL_TIMER_H
#include <stdbool.h>

#include "ocl/opencl.h"

typedef struct clup_timer {
    struct clup_timed {
        cl_event event;
        clup_stage stage;
    } * pending;
    size_t count, capacity;
    uint64_t total_ns[CLUP_STAGES];
    uint64_t unusable; /* events without a time, or with an end before the start */
    bool off; /* commands are not timed, as an event costs as much as a short kernel (2 to 5 us on
                 an H100) */
    bool measuring; /* commands of every stage count as CLUP_MEASURE */
    bool absent;    /* commands cannot be timed: the queue or the platform does not time them */
} clup_timer;

/* Whether the totals include all commands that were timed. */
static inline bool clup_timer_known(const clup_timer *timer)
{
    return !timer->absent && timer->unusable == 0;
}

/* The address for a command's event; NULL if the command is not timed. */
static inline cl_event *clup_timer_event(const clup_timer *timer, cl_event *event)
{
    *event = NULL;
    return timer->off || timer->absent ? NULL : event;
}

/* Takes ownership of the event of a command that belongs to stage; does nothing for NULL. */
clup_status clup_timer_add(clup_timer *timer, clup_stage stage, cl_event event);
/* Drops the events after the first so many. */
void clup_timer_drop(clup_timer *timer, size_t first);
/* Adds up the times of all events; their commands must be complete. */
void clup_timer_collect(clup_timer *timer);
/* Clears the totals. */
void clup_timer_reset(clup_timer *timer);
void clup_timer_clear(clup_timer *timer);

#endif
