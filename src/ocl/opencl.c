/* Names of OpenCL's error codes. */
#include "ocl/opencl.h"

#define CODE(name) {name, #name}

static const struct {
    cl_int code;
    const char *name;
} codes[] = {
    CODE(CL_DEVICE_NOT_FOUND), CODE(CL_DEVICE_NOT_AVAILABLE), CODE(CL_COMPILER_NOT_AVAILABLE),
    CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE), CODE(CL_OUT_OF_RESOURCES), CODE(CL_OUT_OF_HOST_MEMORY),
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE), CODE(CL_BUILD_PROGRAM_FAILURE), CODE(CL_MAP_FAILURE),
    CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST), CODE(CL_INVALID_VALUE), CODE(CL_INVALID_DEVICE),
    CODE(CL_INVALID_BINARY), CODE(CL_INVALID_BUILD_OPTIONS), CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    CODE(CL_INVALID_KERNEL_NAME), CODE(CL_INVALID_ARG_INDEX), CODE(CL_INVALID_ARG_SIZE), CODE(CL_INVALID_KERNEL_ARGS),
    CODE(CL_INVALID_WORK_GROUP_SIZE), CODE(CL_INVALID_WORK_ITEM_SIZE), CODE(CL_INVALID_GLOBAL_WORK_SIZE),
    CODE(CL_INVALID_BUFFER_SIZE), CODE(CL_INVALID_OPERATION), CODE(CL_INVALID_COMMAND_QUEUE),
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

const char *clup_cl_error(cl_int code)
{
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
        if (codes[k].code == code)
            return codes[k].name;
    return "error";
}

static int is_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE;
}

int clup_cl_no_memory(cl_int code)
{
    return is_memory(code) || code == CL_OUT_OF_RESOURCES;
}

clup_status clup_cl_fail(cl_int code, const char *call)
{
    return clup_fail(is_memory(code) ? CLUP_ERROR_MEMORY : CLUP_ERROR_RUNTIME, "%s: %s (%d)", call, clup_cl_error(code), (int)code);
}
