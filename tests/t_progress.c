/* SPDX-License-Identifier: BSD-3-Clause */
/* What is shown of the progress of a task, and when. */
#include <string.h>

#include "cli/progress.h"
#include "tap.h"

static progress shown;

/* Whether the text shown at a time contains wanted; with wanted NULL, whether nothing is shown. */
static int shows(double now_s, const char *what, uint64_t done, uint64_t total, const char *wanted)
{
    const clup_task task = {what, "sweeps", done, total};
    const char *text = progress_at(&shown, &task, now_s);
    const int as_wanted = wanted == NULL ? text == NULL
                                         : text != NULL && strstr(text, wanted) != NULL;
    if (!as_wanted)
        printf("# at %g s: '%s'\n", now_s, text != NULL ? text : "(nothing)");
    return as_wanted;
}

int main(void)
{
    progress_start(&shown, PROGRESS_NONE, 100);
    ok(shows(500, "measure", 1, 10, NULL), "quiet: nothing");

    progress_start(&shown, PROGRESS_LINES, 100);
    ok(shows(100, "measure", 0, 1000, NULL) && shows(129.9, "measure", 200, 1000, NULL),
       "without a terminal nothing for half a minute");
    ok(shows(139.9, "measure", 300, 1000,
             "clup: measure: 300 of 1000 sweeps, 30 %, 10 sweeps/s, 70 s left\n"),
       "and then a line, whose rate leaves out the first piece, in which kernels may be compiled");
    ok(strchr(shown.text, '\r') == NULL && strchr(shown.text, '\033') == NULL, "that is plain");
    ok(shows(141, "measure", 310, 1000, NULL) && shows(169, "measure", 500, 1000, NULL) &&
           shows(171, "measure", 600, 1000, "600 of 1000"),
       "and one every half minute");
    ok(shows(205, "build", 3, 0, "clup: build: 3 sweeps\n"),
       "a task without a known end has no share");
    ok(shows(206, NULL, 0, 0, NULL) && shows(300, NULL, 0, 0, NULL),
       "nothing in particular is not shown");
    ok(shows(301, "draw", 7, 10, "clup: draw: 7 of 10 sweeps, 70 %\n"),
       "nor is the rate of a task that has just begun");
    ok(shows(302, "draw", 8, 10, NULL) && shows(332, "draw", 8, 10, "8 of 10 sweeps, 80 %\n"),
       "nor when its first piece alone is done");
    ok(shows(333, "build", 1, 0, NULL) && shows(362, "build", 2, 0, "clup: build: 2 sweeps\n") &&
           shows(363, "draw", 8, 10, NULL) &&
           shows(393, "draw", 9, 10, "9 of 10 sweeps, 90 %, 0.01639 sweeps/s, 61 s left\n"),
       "one in which kernels are built goes on without that time");
    ok(progress_clear(&shown) == NULL, "lines remain");

    progress_start(&shown, PROGRESS_BAR, 100);
    ok(shows(100.5, "measure", 0, 100, NULL) && shows(100.9, "measure", 10, 100, NULL),
       "on a terminal nothing for a second");
    ok(shows(102.9, "measure", 50, 100,
             "\rmeasure    [###############...............]  50 %  20 sweeps/s  2 s left"),
       "and then a bar");
    ok(shows(102.95, "measure", 51, 100, NULL) && shows(103.1, "measure", 52, 100, "52 %"),
       "ten times a second");
    ok(progress_clear(&shown) != NULL && progress_clear(&shown) == NULL,
       "which is taken away once");
    return done_testing();
}
