/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the values of options: numbers and names. */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Splits a number into its digits without a point, and the power of ten that multiplies them.
 * Returns 0 for a text that is not a number. */
static int split_whole(const char *text, char *digits, size_t size, long *power)
{
    size_t count = 0;
    int point = 0, some = 0;
    *power = 0;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = 1;
            continue;
        }
        some = 1;
        *power -= point;
        if (count > 0 || *text != '0')
            digits[count++] = *text;
        if (count == size)
            return 0;
    }
    digits[count] = '\0';
    if (some && (*text == 'e' || *text == 'E') && text[1] != '\0' &&
        text[1 + strspn(text + 1, "+-")] != '\0' && strspn(text + 1, "+-") < 2) {
        char *end;
        const long written = strtol(text + 1, &end, 10);
        /* beyond these powers a number is too large, or not whole */
        *power += written > 1000 ? 1000 : written < -1000 ? -1000 : written;
        text = end;
    }
    return some && *text == '\0';
}

/* Reads a whole number exactly, which strtod does not. Returns 0 for a text that is no whole
 * number, or one above most. */
static int read_whole(const char *text, uint64_t most, uint64_t *number)
{
    char digits[128];
    long power;
    if (!split_whole(text, digits, sizeof digits, &power))
        return 0;
    size_t count = strlen(digits);
    for (; power < 0 && count > 0 && digits[count - 1] == '0'; power++)
        count--;
    *number = 0;
    if (count == 0)
        return 1;
    if (power < 0)
        return 0;
    for (size_t k = 0; k < count || power > 0; k++) {
        const unsigned digit = k < count ? (unsigned)(digits[k] - '0') : 0;
        power -= k >= count;
        if (digit > most || *number > (most - digit) / 10)
            return 0;
        *number = 10 * *number + digit;
    }
    return 1;
}

clup_status cli_parse_whole(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    if (read_whole(text, most, number) && *number >= least)
        return CLUP_OK;
    return cli_refuse("is not a whole number from %" PRIu64 " to %" PRIu64, least, most);
}

clup_status cli_parse_u64(const char *text, uint64_t most, uint64_t *number)
{
    return cli_parse_whole(text, 0, most, number);
}

clup_status cli_parse_name(const char *text, const char *(*name)(size_t row), size_t *row)
{
    char known[512] = "";
    for (*row = 0; name(*row) != NULL; ++*row) {
        if (strcmp(text, name(*row)) == 0)
            return CLUP_OK;
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *row > 0 ? ", " : "",
                 name(*row));
    }
    return cli_refuse("is not known; there is %s", known);
}

static const char *format_name(size_t row)
{
    static const char *const names[CLI_FORMATS] = {"table", "csv", "latex", "json"};
    return row < CLI_FORMATS ? names[row] : NULL;
}

clup_status cli_parse_format(const char *text, size_t *format)
{
    return cli_parse_name(text, format_name, format);
}

const char *cli_lattice_name(size_t row)
{
    return clup_lattice_name((clup_lattice_kind)row);
}

const char *cli_algorithm_name(size_t row)
{
    return clup_algorithm_name((clup_algorithm)row);
}

const char *cli_strategy_name(size_t row)
{
    return clup_strategy_name((clup_strategy)row);
}

clup_status cli_parse_double(const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    if (end == text || *end != '\0')
        return cli_refuse("is not a number");
    if (errno == ERANGE && (*number > 1 || *number < -1))
        return cli_refuse("is beyond the largest number, %g", DBL_MAX);
    return CLUP_OK;
}

/* The low bits of a number that more takes, as a double cannot hold them. */
#define MORE_MOST 0x7FFu

clup_status cli_parse_sum(const char *text, double *number, int64_t *more)
{
    const int negative = *text == '-';
    uint64_t whole;
    *more = 0;
    if (!read_whole(text + negative, UINT64_MAX, &whole) || whole >> 53 == 0)
        return cli_parse_double(text, number);
    const int64_t low = (int64_t)(whole & MORE_MOST);
    *number = (negative ? -1. : 1.) * (double)(whole - (uint64_t)low);
    *more = negative ? -low : low;
    return CLUP_OK;
}

void cli_sum_text(double number, int64_t more, char text[40])
{
    const uint64_t low = (uint64_t)(more < 0 ? -more : more);
    if (more == 0)
        snprintf(text, 40, "%.17g", number);
    else
        snprintf(text, 40, "%s%" PRIu64, number < 0 ? "-" : "", (uint64_t)fabs(number) + low);
}

clup_status cli_parse_duration(const char *text, double *seconds)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    char number[64];
    size_t length = strlen(text);
    double unit = 1;
    for (size_t k = 0; k < sizeof units / sizeof *units && length > 0; k++)
        if (text[length - 1] == units[k].letter) {
            unit = units[k].seconds;
            length--;
            break;
        }
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    if (length >= sizeof number || cli_parse_double(number, seconds) != CLUP_OK || !(*seconds >= 0))
        return cli_refuse("is not a number of seconds from 0 up, or of minutes, hours or days as "
                          "in 30m, 3h and 1d");
    *seconds *= unit;
    return CLUP_OK;
}

/* The most numbers of an option; no use has room for more. */
#define NUMBERS_MAX 65535u

static clup_status add(double **numbers, uint32_t *count, double number)
{
    double *grown = realloc(*numbers, (*count + 1) * sizeof *grown);
    if (grown == NULL)
        return CLUP_ERROR_MEMORY;
    *numbers = grown;
    grown[(*count)++] = number;
    return CLUP_OK;
}

/* Reads the number up to the next character end, and steps past it. */
static clup_status next_number(const char **value, char end, double *number)
{
    char part[64];
    size_t length = strcspn(*value, (char[]){end, '\0'});
    if (length >= sizeof part)
        return cli_refuse("has a number of more than %zu characters", sizeof part - 1);
    memcpy(part, *value, length);
    part[length] = '\0';
    *value += length + ((*value)[length] != '\0');
    return cli_parse_double(part, number) == CLUP_OK
               ? CLUP_OK
               : cli_refuse("is not FROM:TO:N, nor X,X,..: '%s' is not a number", part);
}

/* Appends the numbers of FROM:TO:N, both ends included. */
static clup_status add_range(const char *value, double **numbers, uint32_t *count)
{
    double from, to;
    uint64_t steps;
    if (next_number(&value, ':', &from) != CLUP_OK || next_number(&value, ':', &to) != CLUP_OK)
        return CLUP_ERROR_USAGE;
    if (cli_parse_whole(value, 1, NUMBERS_MAX, &steps) != CLUP_OK)
        return cli_refuse("is not FROM:TO:N: N, '%s', is not a whole number from 1 to %u", value,
                          NUMBERS_MAX);
    for (uint64_t k = 0; k < steps; k++)
        if (add(numbers, count,
                steps > 1 ? from + (to - from) * (double)k / (double)(steps - 1) : from) != CLUP_OK)
            return CLUP_ERROR_MEMORY;
    return CLUP_OK;
}

clup_status cli_parse_numbers(const char *value, double **numbers, uint32_t *count)
{
    size_t values = 1;
    if (strchr(value, ':') != NULL)
        return add_range(value, numbers, count);
    for (const char *comma = value; (comma = strchr(comma, ',')) != NULL; comma++)
        values++;
    if (values > NUMBERS_MAX)
        return cli_refuse("has %zu values; %u are allowed", values, NUMBERS_MAX);
    for (; values > 0; values--) {
        double number;
        if (next_number(&value, ',', &number) != CLUP_OK)
            return CLUP_ERROR_USAGE;
        if (add(numbers, count, number) != CLUP_OK)
            return CLUP_ERROR_MEMORY;
    }
    return CLUP_OK;
}

clup_status cli_parse_axes(const char *text, int axes[3])
{
    static const char refused[] = "is not a list of axes: x, y and z, with commas between them";
    for (;; text += 2) {
        if (*text < 'x' || *text > 'z')
            return cli_refuse(refused);
        axes[*text - 'x'] = 1;
        if (text[1] == '\0')
            return CLUP_OK;
        if (text[1] != ',')
            return cli_refuse(refused);
    }
}
