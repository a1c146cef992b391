/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels: built from a .cl file with a set of definitions, launched with a list of arguments. */
#ifndef CLUP_OCL_KERNEL_H
#define CLUP_OCL_KERNEL_H
#include "ocl/context.h"

typedef struct clup_kernel {
    cl_kernel handle;
    char name[64];
    size_t max_group; /* work-items of a group that this kernel allows on this device */
    size_t replicas;  /* size of its launches in the second dimension */
    unsigned timed;   /* launches that were timed, see clup_kernel_launch */
    double item_s;    /* seconds for each work-item of the last timed launch */
} clup_kernel;

/* Builds kernel entry of cl/file with definitions such as "TILE_X=16u STATES=2u". Definitions that
 * the source does not mention are left out, so that programs that do not depend on them are shared.
 * CLUP_ERROR_BUILD: the detail has the build log, the device and the options. */
clup_status clup_kernel_create(clup_context *context, const char *file, const char *entry,
                               const char *definitions, clup_kernel *kernel);
void clup_kernel_free(clup_kernel *kernel);

/* One argument: its size, its address, and its name where arguments are found by name. */
typedef struct clup_arg {
    size_t size;
    const void *value;
    const char *name;
} clup_arg;
/* clang-format off */
#define CLUP_ARG(variable) {sizeof(variable), &(variable), #variable}
#define CLUP_ARG_AS(name, variable) {sizeof(variable), &(variable), #name}
/* clang-format on */

/* Enqueues groups work-groups of items work-items, timed as part of stage. If the thread has a
 * watch (base/watch.h), which may end the work instead, it first waits while the enqueued work
 * would take the device more than a fraction of a second. */
clup_status clup_kernel_launch(clup_context *context, clup_kernel *kernel, clup_stage stage,
                               uint64_t groups, size_t items, const clup_arg *args, size_t count);

#endif
