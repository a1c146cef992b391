/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages on stderr. They may contain texts of the user: names of files, values of options. */
#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Whether a character has an effect in place of a glyph: controls, ends of lines, and those that
 * turn the direction of writing. */
static int is_control(uint32_t character)
{
    static const uint32_t ranges[][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0x200E, 0x200F},
                                         {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        if (character >= ranges[k][0] && character <= ranges[k][1])
            return 1;
    return 0;
}

/* The most bytes that one byte of a text becomes. */
#define ESCAPE_MOST 8

/* Appends a character, escaped if it must be. Returns the number of bytes. */
static size_t show(const char *text, size_t length, uint32_t character, char *to)
{
    static const char known[] = "\n\r\t", names[] = "nrt";
    const char *at = length == 1 ? memchr(known, (int)character, sizeof known - 1) : NULL;
    if (length == 0)
        return (size_t)sprintf(to, "\\x%02x", (unsigned char)*text);
    if (at != NULL)
        return (size_t)sprintf(to, "\\%c", names[at - known]);
    if (is_control(character))
        return (size_t)sprintf(to, length == 1 ? "\\x%02x" : "\\u%04x", (unsigned)character);
    memcpy(to, text, length);
    return length;
}

static void print(int several, const char *text)
{
    char *shown = malloc(ESCAPE_MOST * strlen(text) + 1);
    size_t used = 0;
    cli_clear();
    for (size_t length; shown != NULL && *text != '\0'; text += length > 0 ? length : 1) {
        uint32_t character;
        length = clup_utf8(text, &character);
        if (several && (character == '\n' || character == '\t'))
            shown[used++] = *text;
        else
            used += show(text, length, character, shown + used);
    }
    /* without memory for escapes, prints the text as it is */
    fprintf(stderr, "clup: %.*s\n", (int)(shown != NULL ? used : strlen(text)),
            shown != NULL ? shown : text);
    free(shown);
}

static char about[4096 + 64];

void cli_message_about(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(about, sizeof about, format, args);
    va_end(args);
}

void cli_message_of(int several, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const size_t before = strlen(about);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = length >= 0 ? malloc(before + (size_t)length + 1) : NULL;
    if (text != NULL) {
        memcpy(text, about, before);
        vsnprintf(text + before, (size_t)length + 1, format, again);
        print(several, text);
    } else
        print(0, "out of memory for a message");
    va_end(again);
    free(text);
}

void cli_message(int several, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_message_of(several, format, args);
    va_end(args);
}
