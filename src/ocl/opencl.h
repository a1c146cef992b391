/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL headers at the version clup is written for, and names for error codes. */
#ifndef CLUP_OCL_OPENCL_H
#define CLUP_OCL_OPENCL_H
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/status.h"

/* Such as "CL_OUT_OF_RESOURCES". */
const char *clup_cl_error(cl_int code);
/* Whether a code of what makes a buffer or a program says that there was no memory for it, as
 * CL_OUT_OF_RESOURCES then does: NVIDIA's driver takes the memory when a buffer is first touched.
 * Where kernels run it may be theirs that failed. */
int clup_cl_no_memory(cl_int code);
/* The status of a failed OpenCL call: CLUP_ERROR_MEMORY where the code says so, else
 * CLUP_ERROR_RUNTIME. */
clup_status clup_cl_fail(cl_int code, const char *call);

/* To be held while platforms are listed and contexts are made, which is when drivers set themselves
 * up: threads that list at once, as the first of a process, find no device or crash where PoCL 3.1
 * is the only platform (seen). Building, running and releasing at once went well there. */
void clup_cl_lock(void);
void clup_cl_unlock(void);

/* clup_cl_fail for a code that is not CL_SUCCESS, else CLUP_OK. */
static inline clup_status clup_cl_check(cl_int code, const char *call)
{
    return code == CL_SUCCESS ? CLUP_OK : clup_cl_fail(code, call);
}

#endif
