/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is mapped and becomes shorter, or cannot be read any more, is an error like any
 * other, not an end without a word. */
#include <signal.h>
#include <unistd.h>

#include "cli/label/label.h"
#include "cli/message.h"

static const char *name;

/* The thread has come to a page that is not there: it was reading pixels or writing labels, and has
 * nothing of the C library's that a message needs. Another cause ends the program as it would have,
 * when it is tried again. */
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
