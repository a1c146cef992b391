/* SPDX-License-Identifier: BSD-3-Clause */
/* Disables OpenCL in a forked process: see fork.h. */
#include "ocl/fork.h"

#include <pthread.h>
#include <stdbool.h>

#include "ocl/context.h"

/* Protects the variables below; held during a fork, so that no change is left half done. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool used;     /* this process, or one that it was forked from, has used OpenCL */
static bool orphaned; /* a process that this one was forked from has used OpenCL; set while there is
                         one thread */
static clup_context *entered; /* the first context of a list */

static void before_fork(void)
{
    pthread_mutex_lock(&mutex);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&mutex);
}

static void in_child(void)
{
    orphaned = used;
    for (clup_context *context = entered; context != NULL; context = context->next) {
        context->handle = NULL;
        context->queue = context->fetching = NULL;
    }
    pthread_mutex_unlock(&mutex);
}

clup_status clup_fork_before(void)
{
    pthread_mutex_lock(&mutex);
    if (!used)
        used = pthread_atfork(before_fork, in_parent, in_child) == 0;
    pthread_mutex_unlock(&mutex);
    return clup_fork_check();
}

clup_status clup_fork_check(void)
{
    return orphaned ? clup_fail(CLUP_ERROR_RUNTIME,
                                "this process was forked from one that had used OpenCL, which "
                                "works in no such process: start processes by 'spawn', or fork "
                                "them before the first use")
                    : CLUP_OK;
}

void clup_fork_enter(clup_context *context)
{
    pthread_mutex_lock(&mutex);
    context->next = entered;
    if (entered != NULL)
        entered->previous = context;
    entered = context;
    pthread_mutex_unlock(&mutex);
}

void clup_fork_leave(clup_context *context)
{
    pthread_mutex_lock(&mutex);
    if (context->previous != NULL)
        context->previous->next = context->next;
    else if (entered == context)
        entered = context->next;
    if (context->next != NULL)
        context->next->previous = context->previous;
    pthread_mutex_unlock(&mutex);
}
