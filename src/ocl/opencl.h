/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL headers at the version that clup uses, and names of error codes. */
#ifndef CLUP_OCL_OPENCL_H
#define CLUP_OCL_OPENCL_H
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include "base/status.h"

/* Returns the name of an error code, such as "CL_OUT_OF_RESOURCES". */
const char *clup_cl_error(cl_int code);
/* Whether an error code from making a buffer or a program means that memory was missing.
 * CL_OUT_OF_RESOURCES means it there: NVIDIA's driver allocates a buffer when it is first touched.
 * After a kernel ran, that code may mean that the kernel failed. */
int clup_cl_no_memory(cl_int code);
/* Fails after an OpenCL call: CLUP_ERROR_MEMORY if the code means missing memory, else
 * CLUP_ERROR_RUNTIME. */
clup_status clup_cl_fail(cl_int code, const char *call);

/* Locks the listing of platforms and the making of contexts, during which drivers initialise.
 * Threads that list platforms at once, as the first of a process, find no device or crash where
 * PoCL 3.1 is the only platform (seen). Concurrent builds, launches and releases went well
 * there. */
void clup_cl_lock(void);
void clup_cl_unlock(void);

/* Returns clup_cl_fail for a code that is not CL_SUCCESS, else CLUP_OK. */
static inline clup_status clup_cl_check(cl_int code, const char *call)
{
    return code == CL_SUCCESS ? CLUP_OK : clup_cl_fail(code, call);
}

#endif
