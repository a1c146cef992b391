/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the process of a launch. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cli/job/job.h"

/* Runs in the child process: becomes the command of the launch. */
static void become(const cli_command *command, int count, char **words, int output, pid_t parent)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    /* a signal of the terminal then comes once, from the parent */
    setpgid(0, 0);
#ifdef __linux__
    /* ends as after a signal when the parent has ended */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    /* the time limit already accounts for it */
    unsetenv("SLURM_JOB_END_TIME");
    if (getppid() != parent)
        _exit(CLUP_ERROR_RUNTIME);
    if (dup2(output, STDOUT_FILENO) < 0)
        _exit(CLUP_ERROR_RUNTIME);
    exit(cli_execute(command, count, words));
}

pid_t job_start(const cli_command *command, int count, char **words, int output)
{
    const pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(command, count, words, output, parent);
    return child;
}
