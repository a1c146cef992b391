/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the process of a launch, on Windows: this program once more, with a command line. */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "cli/job/job.h"

pid_t job_start(const cli_command *command, int count, char **words, int output)
{
    const char **line = calloc((size_t)count + 2, sizeof *line);
    if (line == NULL) {
        errno = ENOMEM;
        return -1;
    }
    line[1] = command->name;
    for (int k = 1; k < count; k++)
        line[k + 1] = words[k];
    const pid_t child = clup_windows_start(line, NULL, output, -1);
    free(line);
    return child;
}
