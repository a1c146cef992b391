/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps OpenCL from being used in a process that was forked from one that used it. The drivers'
 * threads do not exist there, and calls would wait for them for ever (PoCL 3.1, seen). */
#ifndef CLUP_OCL_FORK_H
#define CLUP_OCL_FORK_H
#include "base/status.h"

/* Call before this process uses OpenCL. CLUP_ERROR_RUNTIME in a process that was forked from one
 * that had called it, else CLUP_OK. */
clup_status clup_fork_before(void);
/* CLUP_ERROR_RUNTIME in a process that was so forked, else CLUP_OK. */
clup_status clup_fork_check(void);

/* Registers a context until clup_fork_leave. In a forked process a registered context has neither
 * handle nor queue, so that OpenCL refuses every call on it at once. */
void clup_fork_enter(clup_context *context);
void clup_fork_leave(clup_context *context);

#endif
