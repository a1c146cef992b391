/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets the query fail whose number is SHIM_INFO, in hexadecimal: of the device that was asked
 * first, and of its platform. With 0 no platform tells its devices. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>

#include "shim/shim.h"

static cl_device_id first;

static int is_wished(cl_uint what)
{
    const char *wish = getenv("SHIM_INFO");
    return wish != NULL && strtoul(wish, NULL, 16) == what;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *needed)
{
    if (first == NULL)
        first = device;
    return device == first && is_wished(what)
               ? CL_OUT_OF_RESOURCES
               : SHIM_NEXT(clGetDeviceInfo)(device, what, size, value, needed);
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *value,
                         size_t *needed)
{
    cl_platform_id of = NULL;
    if (first != NULL)
        SHIM_NEXT(clGetDeviceInfo)(first, CL_DEVICE_PLATFORM, sizeof of, &of, NULL);
    return platform == of && is_wished(what)
               ? CL_OUT_OF_RESOURCES
               : SHIM_NEXT(clGetPlatformInfo)(platform, what, size, value, needed);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
                      cl_device_id *devices, cl_uint *count)
{
    return is_wished(0) ? CL_OUT_OF_RESOURCES
                        : SHIM_NEXT(clGetDeviceIDs)(platform, type, room, devices, count);
}
