/* SPDX-License-Identifier: BSD-3-Clause */
/* The program gnuplot. */
#ifndef CLUP_BENCH_DRAW_GNUPLOT_H
#define CLUP_BENCH_DRAW_GNUPLOT_H
#include <sys/types.h>

/* Starts gnuplot with a script in a folder, without the user's settings, with messages to a file.
 * Returns the number of its process; -1 and errno where it cannot be started, ENOENT where it is
 * not installed. The process may also exit with 127 when gnuplot is not installed, 126 on other
 * failures. */
pid_t bench_gnuplot_start(const char *folder, const char *script, int messages);

#endif
