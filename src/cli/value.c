/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes values with their errors, as people write them. All digits are as printf rounds them. */
#include "cli/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decimal digits that every double has. */
#define DIGITS_MOST 15
/* Powers of ten of the first digit: values from the first power on, or below the second, are
 * written with an exponent. */
#define EXPONENT_FROM 8
#define EXPONENT_BELOW (-4)

/* The size of a number in units of a power of ten: digits without leading zeros, or "0". */
typedef struct units {
    char digits[32];
} units;

/* The power of ten of the first digit of a number other than 0, after rounding to so many
 * digits. */
static int first_of(double number, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, number);
    return atoi(strchr(text, 'e') + 1);
}

/* The power of ten of the last digit that is written of an error above 0. */
static int last_of(double error)
{
    char text[64];
    snprintf(text, sizeof text, "%.1e", error);
    /* 0.0298 becomes 0.030, of which one digit is written */
    return atoi(strchr(text, 'e') + 1) - (text[0] < '3');
}

static units units_of(double number, int last)
{
    units units = {"0"};
    char text[64];
    if (number == 0)
        return units;
    int more = first_of(number, DIGITS_MOST) - last;
    if (more < 0) {
        /* half a unit and more is rounded up to one */
        snprintf(text, sizeof text, "%.*e", DIGITS_MOST - 1, fabs(number));
        units.digits[0] = more == -1 && text[0] >= '5' ? '1' : '0';
        return units;
    }
    snprintf(text, sizeof text, "%.*e", more, fabs(number));
    units.digits[0] = text[0];
    if (more > 0)
        memcpy(units.digits + 1, text + 2, (size_t)more);
    /* 9.97 in units of 0.1 is 1.00e1: append a zero */
    if (atoi(strchr(text, 'e') + 1) - last > more)
        units.digits[++more] = '0';
    units.digits[more + 1] = '\0';
    return units;
}

static size_t count_of(const units *units)
{
    return strlen(units->digits);
}

/* Appends a number in units of 10^-decimals. Returns the end of the text. A value below 1 begins
 * with "0."; an error has its digits alone. */
static char *add(char *to, const units *units, int decimals, int is_value)
{
    const char *digits = units->digits;
    const int count = (int)count_of(units);
    if (decimals <= 0)
        return to + sprintf(to, "%s%.*s", digits, digits[0] == '0' ? 0 : -decimals, "00000000");
    if (count > decimals)
        return to + sprintf(to, "%.*s.%s", count - decimals, digits, digits + count - decimals);
    return to + sprintf(to, "%s%.*s%s", is_value ? "0." : "", is_value ? decimals - count : 0,
                        "0000000000000000000000000000000", digits);
}

static char *add_side(char *to, const char *sign, double error, const units *units, int decimals)
{
    to += sprintf(to, "%s", sign);
    return isinf(error) ? to + sprintf(to, "inf") : add(to, units, decimals, 0);
}

/* Writes a value with its errors, one of which must be finite and not 0. */
static void write_digits(double value, double below, double above, char text[VALUE_TEXT])
{
    const double errors[] = {isinf(below) ? 0 : below, isinf(above) ? 0 : above},
                 larger = fmax(errors[0], errors[1]), smaller = fmin(errors[0], errors[1]);
    /* the last digit is that of the smaller error, if doubles have so many digits */
    const int wanted = last_of(smaller > 0 ? smaller : larger),
              least = first_of(fmax(fabs(value), larger), 1) - DIGITS_MOST,
              last = wanted > least ? wanted : least;
    const units units[] = {units_of(value, last), units_of(errors[0], last),
                           units_of(errors[1], last)};
    size_t most = 0;
    for (unsigned k = 0; k < 3; k++)
        most = count_of(&units[k]) > most ? count_of(&units[k]) : most;
    const int first = last + (int)most - 1,
              power = first >= EXPONENT_FROM || first < EXPONENT_BELOW ? first : 0,
              decimals = power - last;
    if (value < 0 && units[0].digits[0] != '0')
        *text++ = '-';
    text = add(text, &units[0], decimals, 1);
    *text++ = '(';
    if (!isinf(below) && !isinf(above) && strcmp(units[1].digits, units[2].digits) == 0) {
        text = add(text, &units[1], decimals, 0);
    } else {
        text = add_side(text, "+", above, &units[2], decimals);
        text = add_side(text, "-", below, &units[1], decimals);
    }
    text += sprintf(text, ")");
    if (power != 0)
        sprintf(text, "e%d", power);
}

/* Writes a value with at most so many digits, and a text in place of its error. */
static void write_plain(double value, int digits, const char *error, char text[VALUE_TEXT])
{
    char number[64];
    snprintf(number, sizeof number, "%.*g", digits, value);
    const size_t length = strcspn(number, "e");
    text += sprintf(text, "%.*s%s", (int)length, number, error);
    if (number[length] == 'e')
        sprintf(text, "e%d", atoi(number + length + 1));
}

void value_text_between(double value, double below, double above, char text[VALUE_TEXT])
{
    if (isnan(value))
        strcpy(text, "-");
    else if (isinf(value))
        write_plain(value, 1, "", text);
    else if (!(below >= 0) || !(above >= 0))
        write_plain(value, 6, "(?)", text);
    else if (isinf(below) && isinf(above))
        write_plain(value, 6, "(inf)", text);
    else if (!(below > fabs(value) * 1e-15) && !(above > fabs(value) * 1e-15))
        write_plain(value, 10, "(0)", text);
    else
        write_digits(value, below, above, text);
}

void value_text(double value, double error, char text[VALUE_TEXT])
{
    value_text_between(value, error, error, text);
}
