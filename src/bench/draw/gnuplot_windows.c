/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts gnuplot, on Windows. */
#include "bench/draw/gnuplot.h"

#include <sys/wait.h>

pid_t bench_gnuplot_start(const char *folder, const char *script, int messages)
{
    const char *const words[] = {"gnuplot", "-d", script, NULL};
    return clup_windows_start(words, folder, -1, messages);
}
