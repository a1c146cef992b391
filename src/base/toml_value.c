/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of TOML: numbers, lists, tables in braces and their pairs of key and value. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/toml.h"

/* ---- words ----------------------------------------------------------------------------------- */

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.:"
#define WORD_MOST 128

/* Reads digits of a base with underscores between them, and appends the digits alone to *to.
 * Returns whether there was one. */
static int pass_digits(const char **at, const char *digits, char **to)
{
    const char *begun = *at;
    while (**at != '\0' && (strchr(digits, **at) != NULL ||
                            (**at == '_' && *at > begun && (*at)[-1] != '_' && (*at)[1] != '\0' &&
                             strchr(digits, (*at)[1]) != NULL))) {
        if (**at != '_')
            *(*to)++ = **at;
        ++*at;
    }
    return *at > begun;
}

/* A whole number with the base in front: 0x, 0o or 0b. */
static int is_based(const char *word, char *plain, int *base)
{
    static const struct {
        const char *prefix, *digits;
        int base;
    } bases[] = {{"0x", "0123456789abcdefABCDEF", 16}, {"0o", "01234567", 8}, {"0b", "01", 2}};
    for (size_t k = 0; k < sizeof bases / sizeof *bases; k++)
        if (strncmp(word, bases[k].prefix, 2) == 0) {
            *base = bases[k].base;
            word += 2;
            const int right = pass_digits(&word, bases[k].digits, &plain) && *word == '\0';
            *plain = '\0';
            return right;
        }
    return 0;
}

/* Whether a word is a decimal number, and whether it is a whole one. */
static int is_decimal(const char *word, char *plain, int *is_whole)
{
    static const char digits[] = "0123456789";
    *is_whole = 1;
    if (*word == '+' || *word == '-')
        *plain++ = *word++;
    if (*word == '0' && strchr(digits, word[1]) != NULL && word[1] != '\0')
        return 0;
    if (!pass_digits(&word, digits, &plain))
        return 0;
    if (*word == '.') {
        *is_whole = 0;
        *plain++ = *word++;
        if (!pass_digits(&word, digits, &plain))
            return 0;
    }
    if (*word == 'e' || *word == 'E') {
        *is_whole = 0;
        *plain++ = *word++;
        if (*word == '+' || *word == '-')
            *plain++ = *word++;
        if (!pass_digits(&word, digits, &plain))
            return 0;
    }
    *plain = '\0';
    return *word == '\0';
}

static json_t *read_word(toml_reader *reader)
{
    char word[WORD_MOST], plain[WORD_MOST];
    const size_t length = strspn(reader->at, WORD);
    int base = 10, is_whole;
    json_t *value = NULL;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), reader->at);
    const char *unsigned_word = word + (*word == '+' || *word == '-');
    errno = 0;
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        value = json_boolean(*word == 't');
    else if (strcmp(unsigned_word, "inf") == 0 || strcmp(unsigned_word, "nan") == 0)
        /* JSON has no such number */
        value = json_string(*word == '-' ? word : unsigned_word);
    else if (is_based(word, plain, &base) || (is_decimal(word, plain, &is_whole) && is_whole)) {
        const long long number = strtoll(plain, NULL, base);
        if (errno == 0)
            value = json_integer(number);
    } else if (is_decimal(word, plain, &is_whole)) {
        const double number = strtod(plain, NULL);
        errno = 0;
        if (isfinite(number))
            value = json_real(number);
        else
            errno = ERANGE;
    } else if (length == 0)
        clup_toml_fail(reader, "a value is missing");
    else if (strspn(word, "0123456789-:.TZtz+") == length && strpbrk(word, "-:") != NULL)
        clup_toml_fail(reader, "'%s' is a date or a time, which no option has", word);
    else
        clup_toml_fail(reader, "'%.*s' is no value; texts have quotes",
                       length < 80 ? (int)length : 80, reader->at);
    if (value == NULL && errno == ERANGE)
        clup_toml_fail(reader, "'%s' is out of the range of numbers", word);
    else if (value == NULL)
        clup_toml_fail(reader, "out of memory");
    reader->at += length;
    return value;
}

/* ---- lists and tables ------------------------------------------------------------------------ */

/* Reads a list. *marks has the marks of the tables in it, null for other values. */
static json_t *read_list(toml_reader *reader, unsigned depth, json_t **marks)
{
    json_t *list = json_array(), *value, *inner;
    *marks = json_array();
    reader->at++;
    for (;;) {
        clup_toml_lines(reader);
        if (*reader->at == ']')
            break;
        if ((value = clup_toml_value(reader, depth + 1, &inner)) == NULL)
            break;
        if (json_array_append_new(*marks, inner != NULL ? inner : json_null()) != 0 ||
            json_array_append_new(list, value) != 0)
            clup_toml_fail(reader, "out of memory");
        clup_toml_lines(reader);
        if (*reader->at == ',')
            reader->at++;
        else if (*reader->at != ']')
            clup_toml_fail(reader, "a list has a value without a comma or ']' behind it");
        if (reader->error[0] != '\0')
            break;
    }
    if (reader->error[0] == '\0' && list != NULL && *marks != NULL) {
        reader->at++;
        return list;
    }
    clup_toml_fail(reader, "out of memory");
    json_decref(list);
    json_decref(*marks);
    *marks = NULL;
    return NULL;
}

int clup_toml_pair(toml_reader *reader, toml_table table)
{
    json_t *marks = NULL, *value;
    char *key = clup_toml_dotted(reader, &table, TOML_DOTTED);
    const json_t *mark = key != NULL ? clup_toml_mark(table, key) : NULL;
    int right = key != NULL;
    if (right && mark != NULL)
        right = clup_toml_refuse_key(reader, mark, key);
    if (right && *reader->at != '=')
        right = clup_toml_expected(reader, "'=' behind a key");
    if (right) {
        reader->at++;
        clup_toml_blanks(reader);
        const unsigned line = reader->line;
        value = clup_toml_value(reader, table.depth, &marks);
        const unsigned end = reader->line;
        reader->line = line;
        right = value != NULL && clup_toml_put(reader, table, key, TOML_VALUE, value, marks);
        reader->line = end;
    }
    free(key);
    return right;
}

/* Reads a table in braces. */
static json_t *read_table(toml_reader *reader, unsigned depth, json_t **marks)
{
    toml_table table;
    *marks = NULL;
    if (!clup_toml_make(reader, depth + 1, &table))
        return NULL;
    reader->at++;
    clup_toml_blanks(reader);
    int right = 1;
    for (int more = *reader->at != '}'; right && more;) {
        right = clup_toml_pair(reader, table);
        clup_toml_blanks(reader);
        more = *reader->at == ',';
        if (more)
            reader->at++;
        else if (right && *reader->at != '}')
            right = clup_toml_fail(reader,
                                   "a table in braces has a value without a comma or '}' behind "
                                   "it, in the same line");
    }
    if (right) {
        reader->at++;
        *marks = table.marks;
        return table.values;
    }
    json_decref(table.values);
    json_decref(table.marks);
    return NULL;
}

json_t *clup_toml_value(toml_reader *reader, unsigned depth, json_t **marks)
{
    *marks = NULL;
    if (depth >= TOML_DEPTH) {
        clup_toml_fail(reader, "more than %d lists and tables inside of each other", TOML_DEPTH);
        return NULL;
    }
    if (*reader->at == '[')
        return read_list(reader, depth, marks);
    if (*reader->at == '{')
        return read_table(reader, depth, marks);
    if (*reader->at != '"' && *reader->at != '\'')
        return read_word(reader);
    char *text = clup_toml_text(reader, 1);
    json_t *value = text != NULL ? json_string(text) : NULL;
    if (value == NULL)
        clup_toml_fail(reader, "out of memory");
    free(text);
    return value;
}
