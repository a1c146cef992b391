/* SPDX-License-Identifier: BSD-3-Clause */
/* What particular platforms need to be told apart for. */
#ifndef CLUP_OCL_QUIRKS_H
#define CLUP_OCL_QUIRKS_H
#include <stdbool.h>

#include "clup.h"

typedef struct clup_quirks {
    bool caches_binaries; /* the platform keeps a cache of its own: ours stays off */
    bool builds_alone;    /* in which two processes must not build a program at once */
    bool race_free;       /* checks for data races: build the race-free twins */
    bool no_optimizer;    /* the platform cannot run what its optimiser makes */
    bool fills_unseen;    /* what clEnqueueFillBuffer fills counts as memory that nobody wrote */
    bool no_event_times;  /* events have times, but not those of the commands */
    bool short_loops;     /* a work-item's loops end after 65535 rounds, all together: one sweep a
                             launch */
    uint32_t few_items;   /* kernels are compiled once more for launches of more work-items along an
                             axis; 0 where they are not */
} clup_quirks;

clup_quirks clup_quirks_of(const clup_device_info *device);

#endif
