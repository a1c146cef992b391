/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts texts that are too long, at the end of a UTF-8 character. */
#ifndef CLUP_BENCH_CUT_H
#define CLUP_BENCH_CUT_H
#include <stdarg.h>
#include <stddef.h>

/* Returns how many bytes of a text are whole characters, at most most: for "%.*s". */
int bench_cut(const char *text, int most);
/* As snprintf and vsnprintf, but cuts at the end of a character. */
void bench_print(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void bench_print_list(char *to, size_t size, const char *format, va_list args);

#endif
