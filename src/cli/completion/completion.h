/* SPDX-License-Identifier: BSD-3-Clause */
/* What an option's value may be, for the scripts by which shells complete the command line. */
#ifndef CLUP_CLI_COMPLETION_COMPLETION_H
#define CLUP_CLI_COMPLETION_COMPLETION_H
#include "cli/cli.h"

/* Print the words that may be the value, and the extensions of the files that it may name, * for
 * any file, with spaces between them. */
void completion_print_words(const cli_option *option);
void completion_print_files(const cli_option *option);
/* What joins several of the words, "" for nothing. */
const char *completion_separator(const cli_option *option);

/* Print a script that completes these commands, the last one being before NULL. */
void completion_print_bash(const cli_command *const *commands);
void completion_print_zsh(const cli_command *const *commands);

/* Sets the commands that clup completion completes; call it before that runs. */
void completion_of(const cli_command *const *commands);

#endif
