/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints lines of tables: texts that are wrapped, and values with their errors. */
#include "cli/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/value.h"

/* Columns of a value before the decimal point, and from the point on. */
#define BEFORE_POINT 6
#define FROM_POINT 14

/* Returns how many bytes of a text fit one line: up to the last blank that fits, else up to the
 * first blank. */
static size_t fitting(const char *text, size_t columns)
{
    size_t end = strlen(text);
    if (end <= columns)
        return end;
    for (end = columns; end > 0 && text[end] != ' '; end--)
        ;
    return end > 0 ? end : strcspn(text, " ");
}

/* Prints a text, wrapped into lines. */
static void print_lines(const char *name, const char *text)
{
    for (;; name = "", text++) {
        const size_t taken = fitting(text, TABLE_COLUMNS - 2 - TABLE_NAME);
        printf("  %-*s%.*s\n", TABLE_NAME, name, (int)taken, text);
        text += taken;
        if (*text == '\0')
            return;
    }
}

void table_line(const char *name, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = malloc((size_t)length + 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
        print_lines(name, text);
    } else {
        /* without memory for a copy, prints one line */
        printf("  %-*s", TABLE_NAME, name);
        vprintf(format, again);
        putchar('\n');
    }
    va_end(again);
    va_end(args);
    free(text);
}

void table_value(int columns, const char *name, double value, double error, const char *beside)
{
    char text[VALUE_TEXT];
    value_text(value, error, text);
    const int point = (int)strcspn(text, ".("), length = (int)strlen(text);
    printf("  %-*s%*s%s", columns, name, point < BEFORE_POINT ? BEFORE_POINT - point : 0, "", text);
    if (beside[0] != '\0')
        printf("%*s%s", length - point < FROM_POINT ? FROM_POINT - (length - point) : 1, "",
               beside);
    putchar('\n');
}

void table_values_head(int columns, const char *values, const char *beside)
{
    printf("  %-*s%*s%-*s", columns, "", BEFORE_POINT - 1, "",
           beside[0] != '\0' ? FROM_POINT + 1 : 0, values);
    printf("%s\n", beside);
}
