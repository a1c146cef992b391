/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory the host has left, for devices that share it: some drivers end the process when
 * there is too little (PoCL 3.1, by an assertion). */
#ifndef CLUP_OCL_HOST_MEMORY_H
#define CLUP_OCL_HOST_MEMORY_H
#include <stdint.h>

/* Bytes that the process can still have: what the system calls available, and swap; what is left of
 * the limits of the process's address space and of its control group. UINT64_MAX where nothing is
 * known. Others may take it the moment after. */
uint64_t clup_host_memory(void);

#endif
