/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts texts at the ends of characters. */
#include "bench/cut.h"

#include <stdio.h>
#include <string.h>

int bench_cut(const char *text, int most)
{
    int length = (int)strnlen(text, (size_t)most + 1);
    if (length <= most)
        return length;
    /* goes back to a byte that begins a character */
    for (length = most; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80; length--)
        continue;
    return length;
}

void bench_print_list(char *to, size_t size, const char *format, va_list args)
{
    const int length = vsnprintf(to, size, format, args);
    if (length < 0)
        to[0] = '\0';
    if (length < 0 || (size_t)length < size)
        return;
    /* the text may end inside a character: removes the incomplete one */
    size_t begin = size - 1;
    while (begin > 0 && ((unsigned char)to[begin - 1] & 0xC0) == 0x80)
        begin--;
    if (begin == 0 || (unsigned char)to[begin - 1] < 0xC0)
        return;
    const unsigned char first = (unsigned char)to[begin - 1];
    const size_t bytes = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (begin - 1 + bytes > size - 1)
        to[begin - 1] = '\0';
}

void bench_print(char *to, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bench_print_list(to, size, format, args);
    va_end(args);
}
