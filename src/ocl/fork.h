/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that are forked from one that has used OpenCL: drivers' threads are not there, and what
 * is asked of the driver waits for them for ever (PoCL 3.1, seen). */
#ifndef CLUP_OCL_FORK_H
#define CLUP_OCL_FORK_H
#include "base/status.h"

/* To be called before this process uses OpenCL: CLUP_ERROR_RUNTIME in a process that was forked
 * from one that had called it, else CLUP_OK. */
clup_status clup_fork_before(void);
/* CLUP_ERROR_RUNTIME in such a process, else CLUP_OK. */
clup_status clup_fork_check(void);

/* A context that is in use, until it is left: in a process that is forked it has no handle and no
 * queue from then on, so that OpenCL refuses, at once, whatever is asked of it. */
void clup_fork_enter(clup_context *context);
void clup_fork_leave(clup_context *context);

#endif
