/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads blanks, comments and texts in quotes of TOML, and keeps the first error. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/toml.h"
#include "program.h"

int clup_toml_fail(toml_reader *reader, const char *format, ...)
{
    va_list args;
    if (reader->error[0] != '\0')
        return 0;
    snprintf(reader->error, reader->room, "line %u: ", reader->line);
    const size_t used = strlen(reader->error);
    va_start(args, format);
    vsnprintf(reader->error + used, reader->room - used, format, args);
    va_end(args);
    return 0;
}

void clup_toml_blanks(toml_reader *reader)
{
    reader->at += strspn(reader->at, " \t");
}

/* Passes a comment, if there is one. */
void clup_toml_comment(toml_reader *reader)
{
    clup_toml_blanks(reader);
    if (*reader->at == '#')
        reader->at += strcspn(reader->at, "\n");
}

void clup_toml_lines(toml_reader *reader)
{
    for (clup_toml_comment(reader); *reader->at == '\n'; clup_toml_comment(reader)) {
        reader->at++;
        reader->line++;
    }
}

/* Keeps an error that names what is found in place of what was expected. */
int clup_toml_expected(toml_reader *reader, const char *what)
{
    uint32_t character;
    if (*reader->at == '\0' || *reader->at == '\n')
        return clup_toml_fail(reader, "expected %s, not the end of the %s", what,
                              *reader->at == '\0' ? "file" : "line");
    return clup_toml_fail(reader, "expected %s, not '%.*s'", what,
                          (int)clup_utf8(reader->at, &character), reader->at);
}

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

/* Reads \uXXXX or \UXXXXXXXX: a character that JSON and C can hold. */
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
        return clup_toml_fail(reader, "'\\%c%s' is no character", reader->at[1], hex);
    *to = add_character(*to, (uint32_t)character);
    reader->at += 2 + digits;
    return 1;
}

/* Reads an escape, after the backslash. */
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
        return clup_toml_fail(reader,
                              "a backslash in a text is none of \\b \\t \\n \\f \\r \\\" \\\\ "
                              "\\uXXXX \\UXXXXXXXX");
    /* skips to the next line that is not empty */
    for (reader->at = end; *reader->at == '\n' || *reader->at == ' ' || *reader->at == '\t';
         reader->at++)
        reader->line += *reader->at == '\n';
    return 1;
}

char *clup_toml_text(toml_reader *reader, int several)
{
    const char quote = *reader->at;
    const int is_long = reader->at[1] == quote && reader->at[2] == quote;
    /* no text becomes longer than it is written */
    char *text = is_long && !several ? NULL : malloc(strlen(reader->at) + 1), *to = text;
    if (text == NULL) {
        clup_toml_fail(reader, is_long && !several ? "a key is of one line" : "out of memory");
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
            /* the last three quotes end the text, those before belong to it */
            memset(to, quote, quotes - 3);
            to += quotes - 3;
            reader->at += quotes - 3;
            break;
        }
        if (*at == '\0' || (*at == '\n' && !is_long) || quotes > 5) {
            clup_toml_fail(reader, "a text has no end: %s is missing",
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
