/* SPDX-License-Identifier: BSD-3-Clause */
/* Lies about the device: it says that it has less than there is, and does no more than it says.
 *
 * SHIM_DEVICE is a list of words: gpu (its type), work_group=N, items=N (along dimension 0),
 * local_mem=BYTES, no_local (of no type, whatever its size), global_local (local memory is a part
 * of the global), max_alloc=BYTES, global_mem=BYTES, no_profiling and out_of_order (commands of
 * queues are not timed; queues in the device's own words are out of order), backward (events end
 * before they start), zero_times (events have times of 0).
 *
 * Programs whose source has the text in SHIM_UNBUILDABLE cannot be built: clBuildProgram says
 * CL_OUT_OF_HOST_MEMORY, as NVIDIA's does, and their build status is an error. */
#include "shim/shim.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

/* The number after "name=" in SHIM_DEVICE, or of a word alone 1; otherwise that is missing. */
static cl_ulong lie(const char *name, cl_ulong missing)
{
    const char *all = getenv("SHIM_DEVICE");
    const size_t length = strlen(name);
    for (const char *at = all; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == all || at[-1] == ' ') &&
            (at[length] == '\0' || at[length] == ' ' || at[length] == '='))
            return at[length] == '=' ? strtoull(at + length + 1, NULL, 0) : 1;
    return missing;
}

static cl_ulong least(cl_ulong a, cl_ulong b)
{
    return a < b ? a : b;
}

static cl_ulong local_limit(void)
{
    return lie("no_local", 0) ? 0 : lie("local_mem", UINT64_MAX);
}

static size_t group_limit(void)
{
    return (size_t)least(least(lie("work_group", UINT64_MAX), lie("items", UINT64_MAX)), SIZE_MAX);
}

static cl_command_queue_properties queue_properties(void)
{
    return (lie("no_profiling", 0) ? 0 : CL_QUEUE_PROFILING_ENABLE) |
           (lie("out_of_order", 0) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *value,
                       size_t *size)
{
    const cl_int code = SHIM_NEXT(clGetDeviceInfo)(device, what, room, value, size);
    if (code != CL_SUCCESS || value == NULL)
        return code;
    switch (what) {
    case CL_DEVICE_TYPE:
        *(cl_device_type *)value = lie("gpu", 0) ? CL_DEVICE_TYPE_GPU : *(cl_device_type *)value;
        break;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        *(size_t *)value = (size_t)least(*(size_t *)value, lie("work_group", UINT64_MAX));
        break;
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        *(size_t *)value = (size_t)least(*(size_t *)value, lie("items", UINT64_MAX));
        break;
    case CL_DEVICE_LOCAL_MEM_SIZE:
        *(cl_ulong *)value = least(*(cl_ulong *)value, lie("local_mem", UINT64_MAX));
        break;
    case CL_DEVICE_LOCAL_MEM_TYPE:
        *(cl_device_local_mem_type *)value = lie("no_local", 0) ? CL_NONE
                                             : lie("global_local", 0)
                                                 ? CL_GLOBAL
                                                 : *(cl_device_local_mem_type *)value;
        break;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        *(cl_ulong *)value = least(*(cl_ulong *)value, lie("max_alloc", UINT64_MAX));
        break;
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        *(cl_ulong *)value = least(*(cl_ulong *)value, lie("global_mem", UINT64_MAX));
        break;
    case CL_DEVICE_QUEUE_PROPERTIES:
        *(cl_command_queue_properties *)value = queue_properties();
        break;
    default: break;
    }
    return code;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *code)
{
    if (properties & ~queue_properties() & CL_QUEUE_PROFILING_ENABLE) {
        if (code != NULL)
            *code = CL_INVALID_QUEUE_PROPERTIES;
        return NULL;
    }
    return SHIM_NEXT(clCreateCommandQueue)(context, device, properties, code);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    if (size > lie("max_alloc", UINT64_MAX)) {
        if (code != NULL)
            *code = CL_INVALID_BUFFER_SIZE;
        return NULL;
    }
    return SHIM_NEXT(clCreateBuffer)(context, flags, size, host, code);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t room, void *value,
                                size_t *size)
{
    const cl_int code = SHIM_NEXT(clGetKernelWorkGroupInfo)(kernel, device, what, room, value,
                                                            size);
    if (code == CL_SUCCESS && value != NULL && what == CL_KERNEL_WORK_GROUP_SIZE)
        *(size_t *)value = (size_t)least(*(size_t *)value, group_limit());
    return code;
}

/* A kernel that was made for groups that the device has not is none, as NVIDIA's compiler sees to
 * when it builds. */
/* Programs that cannot be built. */
static cl_program unbuildable[1024];

/* The place of a program among them, NULL for a free one; or one past the end. */
static size_t place_of(cl_program program)
{
    size_t k = 0;
    while (k < sizeof unbuildable / sizeof *unbuildable && unbuildable[k] != program)
        k++;
    return k;
}

static int is_unbuildable(cl_program program)
{
    return place_of(program) < sizeof unbuildable / sizeof *unbuildable;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                     const size_t *lengths, cl_int *code)
{
    const char *wanted = getenv("SHIM_UNBUILDABLE");
    cl_program program = SHIM_NEXT(clCreateProgramWithSource)(context, count, texts, lengths, code);
    /* of one that was released, whose handle this may be */
    if (is_unbuildable(program))
        unbuildable[place_of(program)] = NULL;
    if (program != NULL && wanted != NULL && count == 1 && strstr(texts[0], wanted) != NULL &&
        is_unbuildable(NULL))
        unbuildable[place_of(NULL)] = program;
    return program;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void (*notify)(cl_program, void *), void *user)
{
    return is_unbuildable(program)
               ? CL_OUT_OF_HOST_MEMORY
               : SHIM_NEXT(clBuildProgram)(program, count, devices, options, notify, user);
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t room, void *value, size_t *size)
{
    const cl_int code = SHIM_NEXT(clGetProgramBuildInfo)(program, device, what, room, value, size);
    if (is_unbuildable(program) && what == CL_PROGRAM_BUILD_STATUS && value != NULL)
        *(cl_build_status *)value = CL_BUILD_ERROR;
    return code;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    size_t required[3] = {0};
    cl_device_id device[8];
    cl_kernel kernel = SHIM_NEXT(clCreateKernel)(program, name, code);
    if (kernel == NULL ||
        clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, device, NULL) != CL_SUCCESS)
        return kernel;
    SHIM_NEXT(clGetKernelWorkGroupInfo)
    (kernel, device[0], CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL);
    if (required[0] <= group_limit())
        return kernel;
    clReleaseKernel(kernel);
    if (code != NULL)
        *code = CL_OUT_OF_RESOURCES;
    return NULL;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *wait, cl_event *event)
{
    cl_device_id device = NULL;
    cl_ulong bytes = 0;
    clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    SHIM_NEXT(clGetKernelWorkGroupInfo)
    (kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (local != NULL && local[0] > lie("items", UINT64_MAX))
        return CL_INVALID_WORK_ITEM_SIZE;
    if (local != NULL && local[0] * (dimensions > 1 ? local[1] : 1) > group_limit())
        return CL_INVALID_WORK_GROUP_SIZE;
    if (bytes > local_limit())
        return CL_OUT_OF_RESOURCES;
    return SHIM_NEXT(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global, local,
                                             count, wait, event);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t room, void *value,
                               size_t *size)
{
    const cl_int code = SHIM_NEXT(clGetEventProfilingInfo)(event, what, room, value, size);
    if (lie("no_profiling", 0))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    if (code == CL_SUCCESS && value != NULL && lie("zero_times", 0))
        *(cl_ulong *)value = 0;
    if (code == CL_SUCCESS && value != NULL && lie("backward", 0))
        *(cl_ulong *)value = what == CL_PROFILING_COMMAND_END ? 1000 : 2000;
    return code;
}
