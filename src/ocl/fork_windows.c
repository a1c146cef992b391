/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows forks no process: see fork.h. */
#include "ocl/fork.h"

#include "ocl/context.h"

clup_status clup_fork_before(void)
{
    return CLUP_OK;
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
