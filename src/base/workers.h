/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that several threads do. */
#ifndef CLUP_BASE_WORKERS_H
#define CLUP_BASE_WORKERS_H
#include "clup.h"

/* Processors that this process may have. */
unsigned clup_processors(void);

#define CLUP_WORKERS_MOST 64
/* Calls work by so many threads, 1 to CLUP_WORKERS_MOST, and waits for them. The caller's is one,
 * and worker number 0. Threads that cannot be started are done without, so that each worker is to
 * take what is left to do until nothing is. Returns what the first one that failed did, with its
 * detail. */
clup_status clup_workers_run(unsigned count, clup_status (*work)(void *user, unsigned worker),
                             void *user);

#endif
