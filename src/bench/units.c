/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefixes of units. */
#include "bench/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most decimals of a number below the smallest unit. */
#define PLACES_MOST 12

const char *bench_digits(double value, char text[BENCH_UNITS])
{
    const double size = fabs(value);
    int places = 0;
    if (!isfinite(value) || size >= 1e15 || (size > 0 && size < 1e-9)) {
        snprintf(text, BENCH_UNITS, "%.4g", value);
        return text;
    }
    while (places < PLACES_MOST && size > 0 && size * pow(10, places) < 999.95)
        places++;
    snprintf(text, BENCH_UNITS, "%.*f", places, value);
    /* removes zeros at the end, as %g does */
    if (places > 0) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            length--;
        text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    }
    return text;
}

const char *bench_units(double value, const char *unit, char text[BENCH_UNITS])
{
    static const char *const prefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T", "P"};
    enum { PLAIN = 4, LAST = sizeof prefixes / sizeof *prefixes - 1 };
    /* no prefix above seconds, and none below bytes */
    const size_t first = strcmp(unit, "B") == 0 ? PLAIN : 0,
                 last = strcmp(unit, "s") == 0 ? PLAIN : LAST;
    char digits[BENCH_UNITS];
    size_t k = PLAIN;
    if (!isfinite(value)) {
        snprintf(text, BENCH_UNITS, "%s", "not known");
        return text;
    }
    for (; fabs(value) >= 999.95 && k < last; k++)
        value /= 1000;
    for (; value != 0 && fabs(value) < 0.99995 && k > first; k--)
        value *= 1000;
    snprintf(text, BENCH_UNITS, "%.16s %s%s", bench_digits(value, digits), prefixes[k], unit);
    return text;
}
