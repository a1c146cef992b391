/* A progress bar: share done, rate, time left; drawn at most ten times a second. */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 30

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(progress *bar, const char *what, const char *unit, int quiet)
{
    *bar = (progress){.what = what, .unit = unit, .shown = !quiet && isatty(STDERR_FILENO), .started = now_s()};
}

void progress_show(progress *bar, uint64_t done, uint64_t total)
{
    double now = now_s(), elapsed = now - bar->started;
    if (!bar->shown || now - bar->drawn < 0.1)
        return;
    bar->drawn = now;
    double share = total > 0 ? (double)done / (double)total : 1, rate = elapsed > 0 ? (double)done / elapsed : 0;
    char cells[WIDTH + 1];
    for (int k = 0; k < WIDTH; k++)
        cells[k] = k < share * WIDTH ? '#' : '.';
    cells[WIDTH] = '\0';
    fprintf(stderr, "\r%-10s [%s] %3.0f %%  %.4g %s/s  %.0f s left \033[K", bar->what, cells, 100 * share, rate, bar->unit,
            rate > 0 ? (double)(total - done) / rate : 0);
    fflush(stderr);
}

void progress_end(progress *bar)
{
    if (bar->shown)
        fputs("\r\033[K", stderr);
    bar->shown = 0;
}
