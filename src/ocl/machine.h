/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of a device that OpenCL does not tell, for the cost formulas and for the shape of
 * launches. */
#ifndef CLUP_OCL_MACHINE_H
#define CLUP_OCL_MACHINE_H
#include <stdbool.h>
#include <stdint.h>

#include "clup.h"

typedef struct clup_machine {
    double units;     /* n: compute units */
    double lanes;     /* m: work-items that a unit executes at once */
    double resident;  /* groups that a unit holds at once */
    double serial;    /* time of a chain of dependent steps, relative to that on a GPU */
    double waiting;   /* time of work-items that wait for each other, relative to that on a GPU */
    double local_mem; /* bytes of local memory of a unit */
    bool threads;     /* a unit executes one group at a time, and loops over its work-items */
    uint64_t active_items, resident_groups; /* work-items and groups that a unit holds at most */
} clup_machine;
clup_machine clup_machine_of(const clup_device_info *device);

#endif
