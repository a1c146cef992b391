/* Share done, rate, time left. */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 30

void progress_start(progress *progress, progress_form form, double now_s)
{
    *progress = (struct progress){
        .form = form,
        .since = now_s,
        .due = now_s + (form == PROGRESS_BAR ? PROGRESS_BAR_AFTER : PROGRESS_LINE_EVERY)};
}

/* Whether a task is still the one that is shown. */
static int same(const progress *progress, const clup_task *task)
{
    return strncmp(progress->what, task->what, sizeof progress->what - 1) == 0 &&
           progress->total == task->total && task->done >= progress->done;
}

/* " 34 %  12.5 sweeps/s  65 s left", as far as it is known. */
static void add_rate(const progress *progress, const clup_task *task, double now_s, const char *gap,
                     char *text, size_t size)
{
    const double elapsed = now_s - progress->since,
                 rate = elapsed > 0 ? (double)(task->done - progress->done) / elapsed : 0;
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
        snprintf(progress->text, sizeof progress->text, "\r%-10s [%s] %s \033[K", progress->what,
                 cells, rest);
    else
        snprintf(progress->text, sizeof progress->text, "\r%-10s %" PRIu64 " %s \033[K",
                 progress->what, task->done, task->unit);
    progress->drawn = 1;
}

static void write_line(progress *progress, const clup_task *task, double now_s)
{
    char rest[128] = "";
    add_rate(progress, task, now_s, ", ", rest, sizeof rest);
    if (task->total > 0)
        snprintf(progress->text, sizeof progress->text,
                 "clup: %s: %" PRIu64 " of %" PRIu64 " %s, %s\n", progress->what, task->done,
                 task->total, task->unit, rest + strspn(rest, " "));
    else
        snprintf(progress->text, sizeof progress->text, "clup: %s: %" PRIu64 " %s\n",
                 progress->what, task->done, task->unit);
}

const char *progress_at(progress *progress, const clup_task *task, double now_s)
{
    if (progress->form == PROGRESS_NONE || task->what == NULL)
        return NULL;
    if (!same(progress, task)) {
        snprintf(progress->what, sizeof progress->what, "%s", task->what);
        progress->done = task->done;
        progress->total = task->total;
        progress->since = now_s;
    }
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
