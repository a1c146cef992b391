/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that end the work on a job, and its running launch. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "cli/job/job.h"

/* The handler may run in another thread than job_wait_for. Each writes one of these and then reads
 * the other one, with a fence between, so that at least one of them sees what the other has
 * written and sends the signal. */
static volatile sig_atomic_t stopped, running;

/* A second signal ends the program at once, unless a launch is running, which gets the signal. */
static void stop(int number)
{
    if (stopped && running <= 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    stopped = 1;
    atomic_thread_fence(memory_order_seq_cst);
    if (running > 0)
        kill((pid_t)running, number);
}

void job_watch(void)
{
    struct sigaction action = {.sa_handler = stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int job_stopped(void)
{
    return stopped;
}

int job_wait_for(pid_t child)
{
    int ended = 0;
    running = (sig_atomic_t)child;
    atomic_thread_fence(memory_order_seq_cst);
    if (stopped)
        kill(child, SIGTERM);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    running = 0;
    return ended;
}
