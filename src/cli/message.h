/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages on stderr, in one line each whatever names of files and values of options have in
 * them. */
#ifndef CLUP_CLI_MESSAGE_H
#define CLUP_CLI_MESSAGE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Prints "clup: " and a text on stderr. Control characters and bytes that are no UTF-8 are shown as
 * in C, \n, \x1b or \u202e; where several is not 0, as for the log of a compiler, ends of lines and
 * tabs remain. */
void cli_message(int several, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_message_of(int several, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* What all messages have behind "clup: " from now on, such as the name of the file that they are
 * about; "" for nothing. */
void cli_message_about(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Bytes of the character of UTF-8 that text, which is not "", begins with, and its number; 0 and
 * the byte where there is none. */
size_t cli_utf8(const char *text, uint32_t *character);

#endif
