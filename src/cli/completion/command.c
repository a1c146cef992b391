/* SPDX-License-Identifier: BSD-3-Clause */
/* clup completion: makes scripts by which bash and zsh complete command lines, from the tables of
 * options. */
#include <string.h>

#include "cli/completion/completion.h"

static const char *shell;

static const cli_command *const *all;

void completion_of(const cli_command *const *commands)
{
    all = commands;
}

static const struct {
    const char *name;
    void (*print)(const cli_command *const *commands);
} shells[] = {{"bash", completion_print_bash}, {"zsh", completion_print_zsh}};

static clup_status set_shell(void *target, const char *value)
{
    (void)target;
    shell = value;
    return CLUP_OK;
}

static int run(void)
{
    for (size_t k = 0; k < sizeof shells / sizeof *shells; k++)
        if (strcmp(shell, shells[k].name) == 0) {
            shells[k].print(all);
            return 0;
        }
    return cli_usage_error("no completion for '%s': there is bash and zsh", shell);
}

static void more_help(FILE *to)
{
    fputs("\nmake install puts both where the shells look for them. For one session\n"
          "  source <(clup completion bash)\n",
          to);
}

static const cli_operand operand = {{"SHELL", 0, "bash|zsh", "bash or zsh", set_shell}, 1, 1};
static const cli_option options[] = {{0}};

const cli_command cli_completion = {
    "completion", "prints a script that completes the command line in a shell",
    options,      &shell,
    run,          more_help,
    &operand,     NULL,
};
