/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a program. */
#include "cli/cli.h"

cli_world cli_world_is;

int cli_any(int here)
{
    return cli_world_is.any != NULL ? cli_world_is.any(here) : here;
}

/* The context that a thread makes. */
static struct {
    clup_aside *thread;
    const char *device;
    clup_context *context;
} ahead;

static clup_status create_ahead(void *unused)
{
    (void)unused;
    return clup_context_create(ahead.device, &ahead.context);
}

void cli_context_begin(const char *device)
{
    ahead.device = device;
    if (cli_world_is.open == NULL)
        ahead.thread = clup_aside_begin(create_ahead, NULL);
}

void cli_context_drop(void)
{
    if (ahead.thread != NULL && clup_aside_end(&ahead.thread) == CLUP_OK)
        clup_context_free(ahead.context);
}

clup_status cli_context_create(const char *device, clup_context **context)
{
    clup_status status;
    if (ahead.thread != NULL) {
        status = clup_aside_end(&ahead.thread);
        *context = ahead.context;
    } else
        status = cli_world_is.open != NULL ? cli_world_is.open(device, context)
                                           : clup_context_create(device, context);
    if (status == CLUP_OK)
        cli_warn(clup_context_warning(*context));
    return status;
}
