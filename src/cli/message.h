/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages on stderr. Each is one line, whatever bytes the names of files and values of options
 * have. */
#ifndef CLUP_CLI_MESSAGE_H
#define CLUP_CLI_MESSAGE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Prints "clup: " and a text on stderr. Control characters and bytes that are not UTF-8 are escaped
 * as in C: \n, \x1b or \u202e. When several is not 0, as for the log of a compiler, ends of lines
 * and tabs are kept. */
void cli_message(int several, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_message_of(int several, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* From now on all messages have this text after "clup: ", such as the name of the file that they
 * are about; "" for none. */
void cli_message_about(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
