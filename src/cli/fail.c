/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints messages: those that end a command, with its exit code, and others. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/message.h"

int cli_stopped(const char *format, ...)
{
    char text[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cli_message(0, "interrupted: %s", text);
    return CLUP_INTERRUPTED;
}

int cli_fail(clup_status status)
{
    if (status == CLUP_INTERRUPTED)
        return cli_stopped("%s", clup_error_detail());
    cli_message(status == CLUP_ERROR_BUILD, "%s: %s", clup_status_text(status),
                clup_error_detail());
    return (int)status;
}

int cli_fail_memory(const char *what)
{
    cli_message(0, "out of memory for %s", what);
    return CLUP_ERROR_MEMORY;
}

void cli_warn(const char *text)
{
    if (text[0] != '\0')
        cli_message(0, "%s", text);
}

int cli_usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_message_of(0, format, args);
    va_end(args);
    return CLUP_ERROR_USAGE;
}
