/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs work in several threads. */
#ifndef CLUP_BASE_WORKERS_H
#define CLUP_BASE_WORKERS_H
#include "clup.h"

/* Processors that this process may use. */
unsigned clup_processors(void);

/* Threads with which memory is copied, or touched first, about as fast as with more: half of the
 * processors, but 2 to 8. */
unsigned clup_carriers(void);
#define CLUP_CARRIERS_MOST 8

#define CLUP_WORKERS_MOST 64
/* Calls work in count threads, 1 to CLUP_WORKERS_MOST, and waits for them. The calling thread is
 * worker number 0. A thread that cannot be started is left out, so work must take items until none
 * is left, and not expect a share for each worker. Returns the status of the first worker that
 * failed, with its detail. */
clup_status clup_workers_run(unsigned count, clup_status (*work)(void *user, unsigned worker),
                             void *user);

/* Calls work for items first to end - 1 of all, at most piece at a time, in up to threads threads
 * by clup_workers_run: each thread takes the next items until none are left, or work has failed.
 * worker is the number of the thread, below threads. */
clup_status clup_workers_share(unsigned threads, uint64_t all, uint64_t piece,
                               clup_status (*work)(void *user, unsigned worker, uint64_t first,
                                                   uint64_t end),
                               void *user);

#endif
