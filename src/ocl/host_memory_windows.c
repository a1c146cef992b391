/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that the host has left, on Windows: what can still be committed, which is at most the
 * memory and the paging files. */
#include <windows.h>

#include "ocl/host_memory.h"

uint64_t clup_host_memory(void)
{
    MEMORYSTATUSEX is = {.dwLength = sizeof is};
    if (!GlobalMemoryStatusEx(&is))
        return UINT64_MAX;
    return is.ullAvailPageFile < is.ullAvailVirtual ? is.ullAvailPageFile : is.ullAvailVirtual;
}
