/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the share done, the rate and the time left. */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 30

void progress_start(progress *progress, progress_form form, double now_s)
{
    *progress = (struct progress){
        .form = form,
        .due = now_s + (form == PROGRESS_BAR ? PROGRESS_BAR_AFTER : PROGRESS_LINE_EVERY)};
}

/* Whether the stored data are of this task. */
static int is_of(const progress_task *known, const clup_task *task)
{
    return strncmp(known->what, task->what, sizeof known->what - 1) == 0 &&
           known->total == task->total && task->done >= known->done;
}

/* Shows another task. The task before, such as one that waited for kernels to be built, goes on
 * later without the time in between. */
static void change_task(progress *progress, const clup_task *task, double now_s)
{
    progress_task next = progress->before;
    if (is_of(&next, task))
        next.since += now_s - next.left;
    else {
        next = (progress_task){.total = task->total, .done = task->done, .since = now_s};
        snprintf(next.what, sizeof next.what, "%s", task->what);
    }
    progress->before = progress->shown;
    progress->before.left = now_s;
    progress->shown = next;
}

/* Begins to count at the end of the first piece. */
static void count(progress_task *shown, const clup_task *task, double now_s)
{
    if (shown->counts || task->done == shown->done)
        return;
    shown->counts = 1;
    shown->done = task->done;
    shown->since = now_s;
}

/* Appends " 34 %  12.5 sweeps/s  65 s left", as far as known. */
static void add_rate(const progress *progress, const clup_task *task, double now_s, const char *gap,
                     char *text, size_t size)
{
    const progress_task *shown = &progress->shown;
    const double elapsed = now_s - shown->since,
                 rate = shown->counts && elapsed > 0 ? (double)(task->done - shown->done) / elapsed
                                                     : 0;
    size_t length = strlen(text);
    if (task->total > 0)
        length += (size_t)snprintf(text + length, size - length, "%3.0f %%",
                                   100 * (double)task->done / (double)task->total);
    if (rate > 0 && task->total > 0)
        snprintf(text + length, size - length, "%s%.4g %s/s%s%.0f s left", gap, rate, task->unit,
                 gap, (double)(task->total - task->done) / rate);
}

static void draw_bar(progress *progress, const clup_task *task, double now_s)
{
    char cells[WIDTH + 1] = "", rest[128] = "";
    for (int k = 0; k < WIDTH && task->total > 0; k++)
        cells[k] = k < (double)task->done / (double)task->total * WIDTH ? '#' : '.';
    add_rate(progress, task, now_s, "  ", rest, sizeof rest);
    if (task->total > 0)
        snprintf(progress->text, sizeof progress->text, "\r%-10s [%s] %s \033[K",
                 progress->shown.what, cells, rest);
    else
        snprintf(progress->text, sizeof progress->text, "\r%-10s %" PRIu64 " %s \033[K",
                 progress->shown.what, task->done, task->unit);
    progress->drawn = 1;
}

static void write_line(progress *progress, const clup_task *task, double now_s)
{
    char rest[128] = "";
    add_rate(progress, task, now_s, ", ", rest, sizeof rest);
    if (task->total > 0)
        snprintf(progress->text, sizeof progress->text,
                 "clup: %s: %" PRIu64 " of %" PRIu64 " %s, %s\n", progress->shown.what, task->done,
                 task->total, task->unit, rest + strspn(rest, " "));
    else
        snprintf(progress->text, sizeof progress->text, "clup: %s: %" PRIu64 " %s\n",
                 progress->shown.what, task->done, task->unit);
}

const char *progress_at(progress *progress, const clup_task *task, double now_s)
{
    if (progress->form == PROGRESS_NONE || task->what == NULL)
        return NULL;
    if (!is_of(&progress->shown, task))
        change_task(progress, task, now_s);
    count(&progress->shown, task, now_s);
    if (now_s < progress->due)
        return NULL;
    progress->due = now_s +
                    (progress->form == PROGRESS_BAR ? PROGRESS_BAR_EVERY : PROGRESS_LINE_EVERY);
    (progress->form == PROGRESS_BAR ? draw_bar : write_line)(progress, task, now_s);
    return progress->text;
}

const char *progress_clear(progress *progress)
{
    const int drawn = progress->drawn;
    progress->drawn = 0;
    return drawn ? "\r\033[K" : NULL;
}
