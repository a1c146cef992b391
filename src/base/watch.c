/* SPDX-License-Identifier: BSD-3-Clause */
/* The watch of each thread, and the task that it is told of. */
#include "base/watch.h"

#include <inttypes.h>

static _Thread_local struct {
    clup_watch *watch;
    void *user;
    unsigned held;
    bool ends; /* the watch has ended the work while it was held */
    clup_task task;
} thread;

void clup_set_watch(clup_watch *watch, void *user)
{
    thread.watch = watch;
    thread.user = user;
    thread.ends = false;
}

bool clup_watched(void)
{
    return thread.watch != NULL;
}

clup_status clup_watch_end(void)
{
    const clup_task *task = &thread.task;
    if (task->what == NULL)
        return clup_fail(CLUP_INTERRUPTED, "what was begun is not complete");
    if (task->total == 0)
        return clup_fail(CLUP_INTERRUPTED, "%s: %" PRIu64 " %s", task->what, task->done,
                         task->unit);
    return clup_fail(CLUP_INTERRUPTED, "%s: %" PRIu64 " of %" PRIu64 " %s", task->what, task->done,
                     task->total, task->unit);
}

clup_status clup_watch_ask(void)
{
    /* the watch is asked while held, too, as it may show progress; it may say only once that the
     * work ends, as one that hears of Ctrl-C does */
    if (thread.watch != NULL && thread.watch(&thread.task, thread.user))
        thread.ends = true;
    if (!thread.ends || thread.held > 0)
        return CLUP_OK;
    thread.ends = false;
    return clup_watch_end();
}

void clup_watch_hold(void)
{
    thread.held++;
}

void clup_watch_release(void)
{
    thread.held--;
}

clup_task clup_task_begin(const char *what, const char *unit, uint64_t total)
{
    const clup_task outer = thread.task;
    thread.task = (clup_task){.what = what, .unit = unit, .total = total};
    return outer;
}

void clup_task_done(uint64_t done)
{
    thread.task.done = done;
}

void clup_task_end(clup_task outer)
{
    thread.task = outer;
}
