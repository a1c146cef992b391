/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows forks no process: see fork.h. What is to be done before the first use of OpenCL is to
 * load its library, which comes with drivers: calls of a library that is not there end a program.
 */
#include "ocl/fork.h"

#include <windows.h>

#include "ocl/context.h"

clup_status clup_fork_before(void)
{
    return LoadLibraryExW(L"OpenCL.dll", NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) != NULL
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_NO_DEVICE,
                           "there is no OpenCL.dll: install the driver of the GPU, or a runtime of "
                           "OpenCL for the processor");
}

clup_status clup_fork_check(void)
{
    return CLUP_OK;
}

void clup_fork_enter(clup_context *context)
{
    (void)context;
}

void clup_fork_leave(clup_context *context)
{
    (void)context;
}
