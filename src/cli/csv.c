/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of tables in CSV. */
#include "cli/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void csv_text(const char *text)
{
    const int quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (quoted)
        putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    if (quoted)
        putchar('"');
}

void csv_number(double number)
{
    putchar(',');
    if (!isnan(number))
        printf("%.17g", number);
}
