/* SPDX-License-Identifier: BSD-3-Clause */
/* A string that grows. */
#include "base/text.h"

#include "program.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(clup_text *text, size_t more)
{
    if (text->failed)
        return false;
    if (text->length + more + 1 <= text->capacity)
        return true;
    size_t capacity = 2 * (text->length + more + 1);
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void clup_text_add_bytes(clup_text *text, const char *bytes, size_t count)
{
    if (!reserve(text, count))
        return;
    memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void clup_text_add(clup_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int count = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (count < 0)
        text->failed = true;
    else if (reserve(text, (size_t)count)) {
        vsnprintf(text->data + text->length, (size_t)count + 1, format, again);
        text->length += (size_t)count;
    }
    va_end(again);
}

bool clup_text_ok(const clup_text *text)
{
    return !text->failed && text->data != NULL;
}

void clup_text_free(clup_text *text)
{
    free(text->data);
    *text = (clup_text){0};
}

const char *clup_number_text(double number, char text[32])
{
    if (text == NULL)
        return NULL;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, number);
        /* a NaN is not equal to itself, however many digits are written */
        if (strtod(text, NULL) == number || number != number)
            break;
    }
    return text;
}

bool clup_text_contains(const char *text, const char *part)
{
    for (; *text != '\0'; text++) {
        size_t k = 0;
        while (part[k] != '\0' &&
               tolower((unsigned char)text[k]) == tolower((unsigned char)part[k]))
            k++;
        if (part[k] == '\0')
            return true;
    }
    return *part == '\0';
}

size_t clup_utf8(const char *text, uint32_t *character)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t length = bytes[0] < 0x80       ? 1
                          : bytes[0] >> 5 == 6  ? 2
                          : bytes[0] >> 4 == 14 ? 3
                          : bytes[0] >> 3 == 30 ? 4
                                                : 0;
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    *character = length > 1 ? bytes[0] & (0x7Fu >> length) : bytes[0];
    for (size_t k = 1; k < length; k++) {
        if (bytes[k] >> 6 != 2)
            return 0;
        *character = *character << 6 | (bytes[k] & 0x3F);
    }
    return length > 0 && *character >= least[length] && *character <= 0x10FFFF &&
                   (*character < 0xD800 || *character > 0xDFFF)
               ? length
               : 0;
}
