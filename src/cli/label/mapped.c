/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes it an error with a message when a mapped file becomes shorter or cannot be read any
 * more. */
#include <signal.h>
#include <unistd.h>

#include "cli/label/label.h"
#include "cli/message.h"

static const char *name;

/* Handles a fault on a page of the mapped file. The thread, which may be one of the OpenCL
 * platform, was reading pixels or writing labels, and so holds no lock of the C library that a
 * message needs. A fault elsewhere ends the program as usual, when the instruction is tried again.
 */
static void fail(int number, siginfo_t *what, void *context)
{
    (void)context;
    if (what->si_code != BUS_ADRERR) {
        signal(number, SIG_DFL);
        return;
    }
    cli_message(0, "%s: %s: the file has become shorter, or it or its labels' is out of reach",
                clup_status_text(CLUP_ERROR_RUNTIME), name);
    _exit(CLUP_ERROR_RUNTIME);
}

void label_guard(const char *path)
{
    const struct sigaction action = {.sa_sigaction = fail, .sa_flags = SA_SIGINFO};
    name = path;
    sigaction(SIGBUS, &action, NULL);
}
