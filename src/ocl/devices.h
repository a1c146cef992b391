/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices as found, behind clup_device_list. */
#ifndef CLUP_OCL_DEVICES_H
#define CLUP_OCL_DEVICES_H
#include "ocl/opencl.h"

typedef struct clup_device {
    cl_platform_id platform;
    cl_device_id id;
    clup_status status; /* why it cannot be used, which is also info.error: a query that something
                           depends on has failed */
    clup_device_info info; /* strings owned by the list */
} clup_device;

struct clup_device_list {
    clup_device *devices;
    size_t count;
    clup_platform_info *platforms; /* strings owned by the list */
    size_t platform_count;
};

/* A platform's or device's string, to be freed: "" where the query fails, whose code is returned,
 * NULL without memory. */
cl_int clup_platform_text(cl_platform_id platform, cl_platform_info what, char **text);
cl_int clup_device_text(cl_device_id device, cl_device_info what, char **text);
/* A copy of a device that owns its strings, and its release. */
clup_status clup_device_copy(const clup_device *from, clup_device *to);
void clup_device_clear(clup_device *device);
/* The device's status, with a detail that says which device it is. */
clup_status clup_device_usable(const clup_device *device);

#endif
