/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of machine constants. */
#include "ocl/machine.h"

#include "base/text.h"

/* 2048 work-items and 32 groups are what NVIDIA states for compute capabilities 8.0 and 9.0, and
 * near enough elsewhere. */
#define GPU .active_items = 2048, .resident_groups = 32

clup_machine clup_machine_of(const clup_device_info *device)
{
    /* OpenCL tells the compute units; vendors state their lanes */
    static const struct {
        const char *type, *vendor;
        clup_machine machine;
    } rows[] = {
        {"gpu", "NVIDIA", {.lanes = 128, .resident = 8, .serial = 1, .waiting = 1, GPU}},
        {"gpu",
         "Advanced Micro Devices",
         {.lanes = 64, .resident = 8, .serial = 1, .waiting = 1, GPU}},
        {"gpu", "Intel", {.lanes = 8, .resident = 1, .serial = 1, .waiting = 1, GPU}},
        {"gpu", "", {.lanes = 32, .resident = 8, .serial = 1, .waiting = 1, GPU}},
        {"cpu",
         "",
         {.lanes = 4,
          .resident = 1,
          .serial = 0.3,
          .waiting = 8,
          .threads = true,
          .active_items = 64,
          .resident_groups = 1}},
        {"", "", {.lanes = 4, .resident = 1, .serial = 0.3, .waiting = 8, GPU}},
    };
    size_t k = 0;
    while (!clup_text_contains(device->type, rows[k].type) ||
           !clup_text_contains(device->vendor, rows[k].vendor))
        k++;
    clup_machine machine = rows[k].machine;
    machine.units = device->compute_units > 0 ? device->compute_units : 1;
    machine.local_mem = (double)device->local_mem_bytes;
    return machine;
}
