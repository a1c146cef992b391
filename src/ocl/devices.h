/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of devices behind clup_device_list. */
#ifndef CLUP_OCL_DEVICES_H
#define CLUP_OCL_DEVICES_H
#include "ocl/opencl.h"

typedef struct clup_device {
    cl_platform_id platform;
    cl_device_id id;
    clup_status status; /* why the device cannot be used, as a needed query failed; info.error says
                           it too */
    clup_device_info info; /* strings owned by the list */
} clup_device;

struct clup_device_list {
    clup_device *devices;
    size_t count;
    clup_platform_info *platforms; /* strings owned by the list */
    size_t platform_count;
};

/* Returns a string of a platform or device, which the caller frees: "" if the query fails, with its
 * code as the result, and NULL without memory. */
cl_int clup_platform_text(cl_platform_id platform, cl_platform_info what, char **text);
cl_int clup_device_text(cl_device_id device, cl_device_info what, char **text);
/* Whether a device has an extension: 1, 0, or -1 without memory. */
int clup_device_has(cl_device_id device, const char *extension);
/* Copies a device with its strings, and frees such a copy. */
clup_status clup_device_copy(const clup_device *from, clup_device *to);
void clup_device_clear(clup_device *device);
/* Returns the device's status, with the name of the device in the detail. */
clup_status clup_device_usable(const clup_device *device);

#endif
