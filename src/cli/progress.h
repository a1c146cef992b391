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

typedef struct progress {
    progress_form form;
    double due;           /* when something is shown next */
    char what[48];        /* the task that is shown */
    uint64_t done, total; /* as they were when it began */
    double since;         /* when that was */
    int drawn;            /* a bar is there */
    char text[256];
} progress;

/* Times are seconds of a clock that never runs backwards. */
void progress_start(progress *progress, progress_form form, double now_s);
/* What is to be printed now, valid until the next call; NULL for nothing. */
const char *progress_at(progress *progress, const clup_task *task, double now_s);
/* What takes the bar away; NULL where there is none. */
const char *progress_clear(progress *progress);

#endif
