/* SPDX-License-Identifier: BSD-3-Clause */
/* The Slurm job that the process is in: its end, and its number in a job array. */
#include <inttypes.h>
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

/* Reads a whole number of the environment; 0 and a refusal where it is none. */
static clup_status read_whole(const char *name, uint64_t *number)
{
    const char *text = getenv(name);
    *number = 0;
    if (text == NULL || text[0] == '\0')
        return cli_refuse("takes a task of a Slurm job array: there is no %s", name);
    return cli_parse_u64(text, UINT32_MAX, number) == CLUP_OK
               ? CLUP_OK
               : cli_refuse("finds in %s '%.64s', which is no whole number", name, text);
}

clup_status cli_slurm_share(uint32_t most, uint32_t *number, uint32_t *tasks)
{
    uint64_t id, first, last, step, count;
    clup_status status = read_whole("SLURM_ARRAY_TASK_ID", &id);
    if (status == CLUP_OK)
        status = read_whole("SLURM_ARRAY_TASK_MIN", &first);
    if (status == CLUP_OK)
        status = read_whole("SLURM_ARRAY_TASK_MAX", &last);
    if (status == CLUP_OK)
        status = read_whole("SLURM_ARRAY_TASK_STEP", &step);
    if (status == CLUP_OK)
        status = read_whole("SLURM_ARRAY_TASK_COUNT", &count);
    if (status != CLUP_OK)
        return status;
    if (count > most)
        return cli_refuse("finds an array of more than %" PRIu32 " tasks", most);
    if (step == 0 || id < first || id > last || (id - first) % step != 0 ||
        (last - first) / step + 1 != count)
        return cli_refuse(
            "takes an array whose numbers are evenly spaced, such as --array=0-7, not "
            "one of %" PRIu64 " tasks from %" PRIu64 " to %" PRIu64 " by %" PRIu64,
            count, first, last, step);
    *number = (uint32_t)((id - first) / step);
    *tasks = (uint32_t)count;
    return CLUP_OK;
}
