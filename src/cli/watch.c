/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that end a command, and the progress that is shown until then. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/screen.h"

static volatile sig_atomic_t interrupted;
static double deadline_s = INFINITY;
static int late;
static progress shown;
static clup_task own;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print(const char *text)
{
    if (text == NULL)
        return;
    fputs(text, stderr);
    fflush(stderr);
}

static void end_at_once(int number)
{
    screen_restore();
    signal(number, SIG_DFL);
    raise(number);
}

/* The next signal, of either kind, ends the program at once. */
static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
    signal(SIGINT, end_at_once);
    signal(SIGTERM, end_at_once);
}

static int watch(const clup_task *task, void *user)
{
    clup_task seen = own.unit != NULL ? own : *task;
    (void)user;
    if (own.what != NULL)
        seen.what = own.what;
    const double now = now_s();
    print(progress_at(&shown, &seen, now));
    late = late || now >= deadline_s;
    return interrupted || late;
}

void cli_watch(int quiet)
{
    /* without SA_RESTART, so that waiting for input ends */
    const struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    progress_start(&shown,
                   quiet                   ? PROGRESS_NONE
                   : isatty(STDERR_FILENO) ? PROGRESS_BAR
                                           : PROGRESS_LINES,
                   now_s());
    clup_set_watch(watch, NULL);
}

void cli_watch_for(double seconds)
{
    deadline_s = now_s() + seconds;
}

int cli_late(void)
{
    return late;
}

void cli_task(const char *what, const char *unit, uint64_t done, uint64_t total)
{
    own = (clup_task){what, unit, done, total};
}

void cli_clear(void)
{
    screen_restore();
    print(progress_clear(&shown));
}

int cli_interrupted(void)
{
    return interrupted;
}
