/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that are cut where there is no room, at the end of a character of UTF-8. */
#ifndef CLUP_BENCH_CUT_H
#define CLUP_BENCH_CUT_H
#include <stdarg.h>
#include <stddef.h>

/* How many bytes of a text are whole characters, most or fewer: for "%.*s". */
int bench_cut(const char *text, int most);
/* As snprintf and vsnprintf. */
void bench_print(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void bench_print_list(char *to, size_t size, const char *format, va_list args);

#endif
