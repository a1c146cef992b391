/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the progress of a task: a bar that is redrawn when stderr is a terminal, else a line from
 * time to time. Short tasks show nothing. */
#ifndef CLUP_CLI_PROGRESS_H
#define CLUP_CLI_PROGRESS_H
#include "clup.h"

/* Seconds until the bar appears, and between its redraws; and seconds between lines. */
#define PROGRESS_BAR_AFTER 1.0
#define PROGRESS_BAR_EVERY 0.1
#define PROGRESS_LINE_EVERY 30.0

typedef enum progress_form { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_BAR } progress_form;

/* A task, and where its rate is counted from: the end of its first piece, as drivers compile
 * kernels at the first launch. */
typedef struct progress_task {
    char what[48];
    uint64_t total, done; /* done: pieces that were done when counting began */
    int counts;           /* the first piece is done */
    double since;         /* when counting began; before that, when the task began */
    double left;          /* when another task took its place */
} progress_task;

typedef struct progress {
    progress_form form;
    double due;                  /* when to show something next */
    progress_task shown, before; /* shown is inside of before, which goes on when shown has ended */
    int drawn;                   /* a bar is on the terminal */
    char text[256];
} progress;

/* Times are in seconds, of a clock that never runs backwards. */
void progress_start(progress *progress, progress_form form, double now_s);
/* The text to print now, valid until the next call; NULL for none. */
const char *progress_at(progress *progress, const clup_task *task, double now_s);
/* The text that removes the bar; NULL when there is no bar. */
const char *progress_clear(progress *progress);

#endif
