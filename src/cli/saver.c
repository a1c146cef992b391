/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes files while a run goes on: see saver.h. */
#include "cli/saver.h"

#include <math.h>
#include <time.h>

#include "cli/message.h"

/* Writing takes at most 1/COST of the time. */
#define COST 50

double cli_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_next_save(double every_s, double start_s)
{
    const double end_s = cli_now_s();
    return end_s + fmax(every_s, COST * (end_s - start_s));
}

void cli_save(cli_saved *files, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const clup_status status = files[k].save();
        if (status != CLUP_OK && status != CLUP_INTERRUPTED && !files[k].fails)
            cli_message(0, "%s; the run goes on", clup_error_detail());
        files[k].fails = status != CLUP_OK;
    }
}
