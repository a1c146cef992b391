/* SPDX-License-Identifier: BSD-3-Clause */
/* The watch of a thread: a function of the caller that is told of progress and can end the work. */
#ifndef CLUP_BASE_WATCH_H
#define CLUP_BASE_WATCH_H
#include <stdbool.h>

#include "base/status.h"

/* Whether the thread has a watch, which may end the work. */
bool clup_watched(void);
/* Returns CLUP_INTERRUPTED, with the task in the detail, if the watch ends the work; never between
 * hold and release. Costs next to nothing. */
clup_status clup_watch_ask(void);
/* Asks the watch now and then, in a loop over many short steps i. */
static inline clup_status clup_watch_ask_at(uint64_t i)
{
    return (i & 0xFFFF) == 0 ? clup_watch_ask() : CLUP_OK;
}
/* Fails as an interrupted watch does, for a progress function that ended the work. */
clup_status clup_watch_end(void);
/* Between hold and release the watch cannot end the work, so that a step can be completed. Pairs
 * nest. */
void clup_watch_hold(void);
void clup_watch_release(void);

/* Sets the task that the watch is told of, until clup_task_end is called with the value of
 * clup_task_begin. Tasks nest. Texts must be static. */
clup_task clup_task_begin(const char *what, const char *unit, uint64_t total);
void clup_task_done(uint64_t done);
void clup_task_end(clup_task outer);

#endif
