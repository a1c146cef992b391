/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts gnuplot. */
#include "bench/draw/gnuplot.h"

#include <errno.h>
#include <unistd.h>

/* Runs in a child process: becomes gnuplot. */
static void become(const char *folder, const char *script, int messages)
{
    if (chdir(folder) != 0)
        _exit(126);
    dup2(messages, STDERR_FILENO);
    execlp("gnuplot", "gnuplot", "-d", script, (char *)NULL);
    _exit(errno == ENOENT ? 127 : 126);
}

pid_t bench_gnuplot_start(const char *folder, const char *script, int messages)
{
    const pid_t process = fork();
    if (process == 0)
        become(folder, script, messages);
    return process;
}
