/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a program. */
#include "cli/cli.h"

cli_world cli_world_is;

int cli_any(int here)
{
    return cli_world_is.any != NULL ? cli_world_is.any(here) : here;
}

clup_status cli_context_create(const char *device, clup_context **context)
{
    const clup_status status = cli_world_is.open != NULL ? cli_world_is.open(device, context)
                                                         : clup_context_create(device, context);
    if (status == CLUP_OK)
        cli_warn(clup_context_warning(*context));
    return status;
}
