/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread's caller is told while it waits, and how it ends the work. */
#ifndef CLUP_BASE_WATCH_H
#define CLUP_BASE_WATCH_H
#include <stdbool.h>

#include "base/status.h"

/* Whether somebody watches, who may want the work to end. */
bool clup_watched(void);
/* CLUP_INTERRUPTED when the watch wants the work to end, with the task as the detail; never while
 * it is held. Costs next to nothing. */
clup_status clup_watch_ask(void);
/* The same for number i of many small things, which asks now and then. */
static inline clup_status clup_watch_ask_at(uint64_t i)
{
    return (i & 0xFFFF) == 0 ? clup_watch_ask() : CLUP_OK;
}
/* The same failure for another reason: a progress function's. */
clup_status clup_watch_end(void);
/* From hold to release the work does not end: what is begun must be finished. Pairs nest. */
void clup_watch_hold(void);
void clup_watch_release(void);

/* What is being done, until clup_task_end is called with what clup_task_begin returned: tasks nest.
 * Texts are static. */
clup_task clup_task_begin(const char *what, const char *unit, uint64_t total);
void clup_task_done(uint64_t done);
void clup_task_end(clup_task outer);

#endif
