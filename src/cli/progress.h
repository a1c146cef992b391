/* SPDX-License-Identifier: BSD-3-Clause */
/* What is shown of a task while it lasts: a bar that is drawn anew where stderr is a terminal, a
 * line now and then elsewhere. Nothing of what is done soon. */
#ifndef CLUP_CLI_PROGRESS_H
#define CLUP_CLI_PROGRESS_H
#include "clup.h"

/* Seconds before the bar appears, and between its pictures; and between lines. */
#define PROGRESS_BAR_AFTER 1.0
#define PROGRESS_BAR_EVERY 0.1
#define PROGRESS_LINE_EVERY 30.0

typedef enum progress_form { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_BAR } progress_form;

/* A task and what its rate is counted from: the end of its first piece, since drivers compile
 * kernels when these are first launched. */
typedef struct progress_task {
    char what[48];
    uint64_t total, done; /* done when the rate began to count */
    int counts;           /* that the first piece is done */
    double since;         /* when it began to count; before that, when the task began */
    double left;          /* when another task took its place */
} progress_task;

typedef struct progress {
    progress_form form;
    double due;                  /* when something is shown next */
    progress_task shown, before; /* before goes on when the one inside of it, shown, has ended */
    int drawn;                   /* a bar is there */
    char text[256];
} progress;

/* Times are seconds of a clock that never runs backwards. */
void progress_start(progress *progress, progress_form form, double now_s);
/* What is to be printed now, valid until the next call; NULL for nothing. */
const char *progress_at(progress *progress, const clup_task *task, double now_s);
/* What takes the bar away; NULL where there is none. */
const char *progress_clear(progress *progress);

#endif
