/* Numbers in options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

clup_status cli_parse_u64(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || text[strspn(text, "0123456789")] != '\0' || errno == ERANGE || value > most)
        return CLUP_ERROR_USAGE;
    *number = value;
    return CLUP_OK;
}

clup_status cli_parse_double(const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    int overflow = errno == ERANGE && (*number > 1 || *number < -1);
    return end == text || *end != '\0' || overflow ? CLUP_ERROR_USAGE : CLUP_OK;
}

/* More would not fit anything. */
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

/* Copies value up to the next of the ends, and steps behind that. */
static clup_status next_number(const char **value, char end, double *number)
{
    char part[64];
    size_t length = strcspn(*value, (char[]){end, '\0'});
    if (length >= sizeof part)
        return CLUP_ERROR_USAGE;
    memcpy(part, *value, length);
    part[length] = '\0';
    *value += length + ((*value)[length] != '\0');
    return cli_parse_double(part, number);
}

/* FROM:TO:N, both ends included. */
static clup_status add_range(const char *value, double **numbers, uint32_t *count)
{
    double from, to;
    uint64_t steps;
    if (next_number(&value, ':', &from) != CLUP_OK || next_number(&value, ':', &to) != CLUP_OK || cli_parse_u64(value, NUMBERS_MAX, &steps) != CLUP_OK || steps == 0)
        return CLUP_ERROR_USAGE;
    for (uint64_t k = 0; k < steps; k++)
        if (add(numbers, count, steps > 1 ? from + (to - from) * (double)k / (double)(steps - 1) : from) != CLUP_OK)
            return CLUP_ERROR_MEMORY;
    return CLUP_OK;
}

clup_status cli_parse_numbers(const char *value, double **numbers, uint32_t *count)
{
    if (strchr(value, ':') != NULL)
        return add_range(value, numbers, count);
    int more;
    do {
        double number;
        more = strchr(value, ',') != NULL;
        if (next_number(&value, ',', &number) != CLUP_OK)
            return CLUP_ERROR_USAGE;
        if (*count >= NUMBERS_MAX || add(numbers, count, number) != CLUP_OK)
            return CLUP_ERROR_MEMORY;
    } while (more);
    return CLUP_OK;
}
