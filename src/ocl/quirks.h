/* SPDX-License-Identifier: BSD-3-Clause */
/* Peculiarities of particular platforms. */
#ifndef CLUP_OCL_QUIRKS_H
#define CLUP_OCL_QUIRKS_H
#include <stdbool.h>

#include "clup.h"

typedef struct clup_quirks {
    bool caches_binaries; /* the platform has a cache of its own: that of clup stays off */
    bool builds_alone; /* two processes must not build a program at once, because of that cache */
    bool race_free; /* the platform checks for data races: build the race-free twins of kernels */
    bool no_optimizer; /* the platform cannot run what its optimiser generates */
    bool fills_unseen; /* the platform counts memory filled by clEnqueueFillBuffer as not written */
    bool no_event_times; /* the times of events are not those of the commands */
    bool short_loops; /* the loops of a work-item end after 65535 rounds in total: one sweep in each
                         launch */
    bool slow_header; /* reads the declarations of all built-in functions for each program, unless
                         _OPENCL_H_ is defined: kernels declare what they use (builtins.clh) */
    uint32_t few_items; /* kernels are compiled again for launches of more work-items than this
                           along an axis; 0 where they are not */
} clup_quirks;

clup_quirks clup_quirks_of(const clup_device_info *device);

#endif
