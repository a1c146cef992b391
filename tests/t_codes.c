/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of error codes are those of the OpenCL headers, of the newest version here. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <string.h>

#include "tap.h"

/* Declared in ocl/opencl.h, which requests another version of the headers. */
const char *clup_cl_error(cl_int code);

/* clang-format off */
#define CODE(name) {name, #name}
/* clang-format on */

static const struct {
    cl_int code;
    const char *name;
} headers[] = {
    CODE(CL_SUCCESS),
    CODE(CL_DEVICE_NOT_FOUND),
    CODE(CL_DEVICE_NOT_AVAILABLE),
    CODE(CL_COMPILER_NOT_AVAILABLE),
    CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    CODE(CL_OUT_OF_RESOURCES),
    CODE(CL_OUT_OF_HOST_MEMORY),
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
    CODE(CL_MEM_COPY_OVERLAP),
    CODE(CL_IMAGE_FORMAT_MISMATCH),
    CODE(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    CODE(CL_BUILD_PROGRAM_FAILURE),
    CODE(CL_MAP_FAILURE),
    CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    CODE(CL_COMPILE_PROGRAM_FAILURE),
    CODE(CL_LINKER_NOT_AVAILABLE),
    CODE(CL_LINK_PROGRAM_FAILURE),
    CODE(CL_DEVICE_PARTITION_FAILED),
    CODE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    CODE(CL_INVALID_VALUE),
    CODE(CL_INVALID_DEVICE_TYPE),
    CODE(CL_INVALID_PLATFORM),
    CODE(CL_INVALID_DEVICE),
    CODE(CL_INVALID_CONTEXT),
    CODE(CL_INVALID_QUEUE_PROPERTIES),
    CODE(CL_INVALID_COMMAND_QUEUE),
    CODE(CL_INVALID_HOST_PTR),
    CODE(CL_INVALID_MEM_OBJECT),
    CODE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
    CODE(CL_INVALID_IMAGE_SIZE),
    CODE(CL_INVALID_SAMPLER),
    CODE(CL_INVALID_BINARY),
    CODE(CL_INVALID_BUILD_OPTIONS),
    CODE(CL_INVALID_PROGRAM),
    CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    CODE(CL_INVALID_KERNEL_NAME),
    CODE(CL_INVALID_KERNEL_DEFINITION),
    CODE(CL_INVALID_KERNEL),
    CODE(CL_INVALID_ARG_INDEX),
    CODE(CL_INVALID_ARG_VALUE),
    CODE(CL_INVALID_ARG_SIZE),
    CODE(CL_INVALID_KERNEL_ARGS),
    CODE(CL_INVALID_WORK_DIMENSION),
    CODE(CL_INVALID_WORK_GROUP_SIZE),
    CODE(CL_INVALID_WORK_ITEM_SIZE),
    CODE(CL_INVALID_GLOBAL_OFFSET),
    CODE(CL_INVALID_EVENT_WAIT_LIST),
    CODE(CL_INVALID_EVENT),
    CODE(CL_INVALID_OPERATION),
    CODE(CL_INVALID_GL_OBJECT),
    CODE(CL_INVALID_BUFFER_SIZE),
    CODE(CL_INVALID_MIP_LEVEL),
    CODE(CL_INVALID_GLOBAL_WORK_SIZE),
    CODE(CL_INVALID_PROPERTY),
    CODE(CL_INVALID_IMAGE_DESCRIPTOR),
    CODE(CL_INVALID_COMPILER_OPTIONS),
    CODE(CL_INVALID_LINKER_OPTIONS),
    CODE(CL_INVALID_DEVICE_PARTITION_COUNT),
#ifdef CL_VERSION_2_0
    CODE(CL_INVALID_PIPE_SIZE),
    CODE(CL_INVALID_DEVICE_QUEUE),
#endif
#ifdef CL_VERSION_2_2
    CODE(CL_INVALID_SPEC_ID),
    CODE(CL_MAX_SIZE_RESTRICTION_EXCEEDED),
#endif
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    {-9999, "unknown error"},
};

/* Whether a number is a code: codes have no gap, except from -20 to -29. */
static int is_code(cl_int number)
{
    return number <= 0 && number >= -72 && (number > -20 || number < -29);
}

int main(void)
{
    int unlike = 0;
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        if (strcmp(clup_cl_error(headers[k].code), headers[k].name) != 0) {
            printf("# %d is %s, and named %s\n", (int)headers[k].code, headers[k].name,
                   clup_cl_error(headers[k].code));
            unlike++;
        }
    ok(unlike == 0, "codes have the names of the headers");
    int unnamed = 0;
    for (cl_int number = -100; number <= 1; number++)
        unnamed += (strncmp(clup_cl_error(number), "CL_", 3) == 0) != is_code(number);
    ok(unnamed == 0, "no code is without a name, and no other number has one");
    return done_testing();
}
