/* Device time of each stage, from the profiling events of its commands. */
#ifndef CLUP_OCL_TIMER_H
#define CLUP_OCL_TIMER_H
#include "ocl/opencl.h"

typedef struct clup_timer {
    struct clup_timed {
        cl_event event;
        clup_stage stage;
    } *pending;
    size_t count, capacity;
    uint64_t total_ns[CLUP_STAGES];
    uint64_t unusable; /* events without a time, or with an end before the start */
} clup_timer;

/* Takes over an event of a command that belongs to stage. */
clup_status clup_timer_add(clup_timer *timer, clup_stage stage, cl_event event);
/* Adds up the events of commands that are all complete. */
void clup_timer_collect(clup_timer *timer);
/* Forgets the totals. */
void clup_timer_reset(clup_timer *timer);
void clup_timer_clear(clup_timer *timer);

#endif
