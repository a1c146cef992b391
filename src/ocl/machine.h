/* SPDX-License-Identifier: BSD-3-Clause */
/* What OpenCL does not tell of a device: constants for the cost formulas, and for the shape of
 * launches. */
#ifndef CLUP_OCL_MACHINE_H
#define CLUP_OCL_MACHINE_H
#include <stdbool.h>
#include <stdint.h>

#include "clup.h"

typedef struct clup_machine {
    double units;     /* n: compute units */
    double lanes;     /* m: work-items that a unit works on at once */
    double resident;  /* groups that a unit has in hand */
    double serial;    /* time of a chain of dependent steps, relative to a GPU's */
    double waiting;   /* time of work-items that wait for each other, relative to a GPU's */
    double local_mem; /* bytes of a unit */
    bool threads;     /* a unit does one group at a time, and its work-items are a loop */
    uint64_t active_items, resident_groups; /* that a unit holds at most */
} clup_machine;
clup_machine clup_machine_of(const clup_device_info *device);

#endif
