/* Values of TOML: texts, numbers, lists and tables in one line. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job/toml.h"

/* ---- texts ----------------------------------------------------------------------------------- */

/* Adds a character as UTF-8. */
static char *add_character(char *to, uint32_t character)
{
    if (character < 0x80)
        *to++ = (char)character;
    else {
        const int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
        static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
        *to++ = (char)(first[more] | character >> (6 * more));
        for (int k = more - 1; k >= 0; k--)
            *to++ = (char)(0x80 | (character >> (6 * k) & 0x3F));
    }
    return to;
}

/* \uXXXX and \UXXXXXXXX: a character that JSON and C can have. */
static int read_number_of_character(toml_reader *reader, char **to)
{
    const size_t digits = reader->at[1] == 'u' ? 4 : 8;
    char hex[9] = "";
    strncpy(hex, reader->at + 2, digits);
    const unsigned long character = strtoul(hex, NULL, 16);
    const size_t right = strspn(hex, "0123456789abcdefABCDEF");
    hex[right] = '\0';
    if (right != digits || character == 0 || character > 0x10FFFF ||
        (character >= 0xD800 && character < 0xE000))
        return toml_fail(reader, "'\\%c%s' is no character", reader->at[1], hex);
    *to = add_character(*to, (uint32_t)character);
    reader->at += 2 + digits;
    return 1;
}

/* What a backslash begins. */
static int read_escape(toml_reader *reader, int several, char **to)
{
    static const char names[] = "btnfr\"\\", characters[] = "\b\t\n\f\r\"\\";
    const char name = reader->at[1], *row = name != '\0' ? strchr(names, name) : NULL;
    const char *end = reader->at + 1 + strspn(reader->at + 1, " \t");
    if (name == 'u' || name == 'U')
        return read_number_of_character(reader, to);
    if (row != NULL) {
        *(*to)++ = characters[row - names];
        reader->at += 2;
        return 1;
    }
    if (!several || *end != '\n')
        return toml_fail(reader, "a backslash in a text is none of \\b \\t \\n \\f \\r \\\" \\\\ "
                                 "\\uXXXX \\UXXXXXXXX");
    /* the line goes on with the next one that is not empty */
    for (reader->at = end; *reader->at == '\n' || *reader->at == ' ' || *reader->at == '\t';
         reader->at++)
        reader->line += *reader->at == '\n';
    return 1;
}

char *toml_text(toml_reader *reader, int several)
{
    const char quote = *reader->at;
    const int is_long = reader->at[1] == quote && reader->at[2] == quote;
    /* nothing becomes longer than it is written */
    char *text = is_long && !several ? NULL : malloc(strlen(reader->at) + 1), *to = text;
    if (text == NULL) {
        toml_fail(reader, is_long && !several ? "a key is of one line" : "out of memory");
        return NULL;
    }
    reader->at += is_long ? 3 : 1;
    if (is_long && *reader->at == '\n') {
        reader->at++;
        reader->line++;
    }
    for (;;) {
        const char *at = reader->at;
        if (*at == quote && !is_long)
            break;
        const size_t quotes = strspn(at, (const char[]){quote, '\0'});
        if (quotes >= 3 && quotes <= 5) {
            /* the last three end it, the others are of the text */
            memset(to, quote, quotes - 3);
            to += quotes - 3;
            reader->at += quotes - 3;
            break;
        }
        if (*at == '\0' || (*at == '\n' && !is_long) || quotes > 5) {
            toml_fail(reader, "a text has no end: %s is missing",
                      is_long        ? quote == '"' ? "\"\"\"" : "'''"
                      : quote == '"' ? "\""
                                     : "'");
            free(text);
            return NULL;
        }
        if (*at == '\\' && quote == '"') {
            if (!read_escape(reader, is_long, &to)) {
                free(text);
                return NULL;
            }
            continue;
        }
        reader->line += *at == '\n';
        *to++ = *at;
        reader->at++;
    }
    *to = '\0';
    reader->at += is_long ? 3 : 1;
    return text;
}

/* ---- words ----------------------------------------------------------------------------------- */

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.:"
#define WORD_MOST 128

/* Digits of a base with underscores between them, which are left out in what is added to *to;
 * whether there are some. */
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

/* A decimal number: whether it is one, and whether it is a whole one. */
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
        /* which JSON does not have */
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
        toml_fail(reader, "a value is missing");
    else if (strspn(word, "0123456789-:.TZtz+") == length && strpbrk(word, "-:") != NULL)
        toml_fail(reader, "'%s' is a date or a time, which no option has", word);
    else
        toml_fail(reader, "'%.*s' is no value; texts have quotes", length < 80 ? (int)length : 80,
                  reader->at);
    if (value == NULL && errno == ERANGE)
        toml_fail(reader, "'%s' is out of the range of numbers", word);
    else if (value == NULL)
        toml_fail(reader, "out of memory");
    reader->at += length;
    return value;
}

/* ---- lists and tables ------------------------------------------------------------------------ */

/* A list; its marks are those of the tables in it, null for other values. */
static json_t *read_list(toml_reader *reader, unsigned depth, json_t **marks)
{
    json_t *list = json_array(), *value, *inner;
    *marks = json_array();
    reader->at++;
    for (;;) {
        toml_lines(reader);
        if (*reader->at == ']')
            break;
        if ((value = toml_value(reader, depth + 1, &inner)) == NULL)
            break;
        if (json_array_append_new(*marks, inner != NULL ? inner : json_null()) != 0 ||
            json_array_append_new(list, value) != 0)
            toml_fail(reader, "out of memory");
        toml_lines(reader);
        if (*reader->at == ',')
            reader->at++;
        else if (*reader->at != ']')
            toml_fail(reader, "a list has a value without a comma or ']' behind it");
        if (reader->error[0] != '\0')
            break;
    }
    if (reader->error[0] == '\0' && list != NULL && *marks != NULL) {
        reader->at++;
        return list;
    }
    toml_fail(reader, "out of memory");
    json_decref(list);
    json_decref(*marks);
    *marks = NULL;
    return NULL;
}

/* A table in braces. */
static json_t *read_table(toml_reader *reader, unsigned depth, json_t **marks)
{
    toml_table table;
    *marks = NULL;
    if (!toml_make(reader, depth + 1, &table))
        return NULL;
    reader->at++;
    toml_blanks(reader);
    int right = 1;
    for (int more = *reader->at != '}'; right && more;) {
        right = toml_pair(reader, table);
        toml_blanks(reader);
        more = *reader->at == ',';
        if (more)
            reader->at++;
        else if (right && *reader->at != '}')
            right = toml_fail(reader, "a table in braces has a value without a comma or '}' behind "
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

json_t *toml_value(toml_reader *reader, unsigned depth, json_t **marks)
{
    *marks = NULL;
    if (depth >= TOML_DEPTH) {
        toml_fail(reader, "more than %d lists and tables inside of each other", TOML_DEPTH);
        return NULL;
    }
    if (*reader->at == '[')
        return read_list(reader, depth, marks);
    if (*reader->at == '{')
        return read_table(reader, depth, marks);
    if (*reader->at != '"' && *reader->at != '\'')
        return read_word(reader);
    char *text = toml_text(reader, 1);
    json_t *value = text != NULL ? json_string(text) : NULL;
    if (value == NULL)
        toml_fail(reader, "out of memory");
    free(text);
    return value;
}
