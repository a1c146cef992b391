/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of the Slurm job that the process is in. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/message.h"

/* Seconds between the end of a run and the end of its Slurm job. */
#define SLURM_MARGIN_S 60

double cli_slurm_seconds(void)
{
    const char *end = getenv("SLURM_JOB_END_TIME");
    uint64_t end_s;
    if (end == NULL || end[0] == '\0')
        return INFINITY;
    if (cli_parse_u64(end, INT64_MAX, &end_s) != CLUP_OK) {
        cli_message(0,
                    "SLURM_JOB_END_TIME '%.64s' is not a whole number of seconds since 1970: the "
                    "run takes no notice of it",
                    end);
        return INFINITY;
    }
    return fmax(0, (double)end_s - SLURM_MARGIN_S - (double)time(NULL));
}
