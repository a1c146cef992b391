/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a command. A program whose output was not written has failed. */
#include <errno.h>
#include <string.h>

#include "cli/cli.h"

/* errno of the first failure to write output; 0 when there was none, or when it is not known. */
static int output_error;

void cli_flush(void)
{
    if (fflush(stdout) != 0 && output_error == 0)
        output_error = errno;
}

/* Returns the exit code: another than code when the output was not written, or when a signal came
 * too late to end any work. */
int cli_finish(int code)
{
    cli_flush();
    const int failed = output_error != 0 || ferror(stdout);
    if (cli_interrupted() && code == 0)
        return cli_stopped(failed ? "standard output is not complete" : "all was done");
    if (!failed)
        return code;
    fprintf(stderr, "clup: cannot write standard output: %s\n",
            output_error != 0 ? strerror(output_error) : "some of it is lost");
    return code == 0 ? CLUP_ERROR_RUNTIME : code;
}

int cli_execute(const cli_command *command, int argc, char **argv)
{
    const int code = cli_parse_options(command, argc, argv);
    return cli_finish(code == 0 ? command->run() : code < 0 ? 0 : code);
}
