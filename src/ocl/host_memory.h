/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that the host has left, for devices that share it: some drivers end the process when
 * memory runs out (PoCL 3.1, by an assertion). */
#ifndef CLUP_OCL_HOST_MEMORY_H
#define CLUP_OCL_HOST_MEMORY_H
#include <stdint.h>

/* Bytes that the process can still allocate: the least of what the system calls available, with
 * swap, and of what the limits of the process's address space and of its control group leave.
 * UINT64_MAX if nothing is known. Other processes may take the memory a moment later. */
uint64_t clup_host_memory(void);

#endif
