/* SPDX-License-Identifier: BSD-3-Clause */
/* The values that an option may have, for the scripts that complete command lines in shells. */
#ifndef CLUP_CLI_COMPLETION_COMPLETION_H
#define CLUP_CLI_COMPLETION_COMPLETION_H
#include "cli/cli.h"

/* Prints, separated by spaces, the words that may be the value, and the extensions of files that it
 * may name (* for any file). */
void completion_print_words(const cli_option *option);
void completion_print_files(const cli_option *option);
/* What separates several words in a value; "" when only one is allowed. */
const char *completion_separator(const cli_option *option);

/* Each function prints a script that completes the commands; commands ends with NULL. */
void completion_print_bash(const cli_command *const *commands);
void completion_print_zsh(const cli_command *const *commands);

/* Sets the commands that clup completion completes. Must be called before clup completion runs. */
void completion_of(const cli_command *const *commands);

#endif
