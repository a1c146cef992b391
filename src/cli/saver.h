/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are written from time to time while a run goes on. */
#ifndef CLUP_CLI_SAVER_H
#define CLUP_CLI_SAVER_H
#include "program.h"

typedef struct cli_saved {
    clup_status (*save)(void);
    int fails; /* whether the last save failed */
} cli_saved;

/* Seconds of a clock; and when to save next, after a save that began at start_s: every_s later, but
 * not so soon that writing takes more than 2 % of the time. */
double cli_now_s(void);
double cli_next_save(double every_s, double start_s);
/* Saves files[count]. A failure, such as a full disk, does not end the run: a message tells when
 * failures of a file begin. */
void cli_save(cli_saved *files, size_t count);

#endif
