/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes JSON (RFC 8259). */
#include "cli/json.h"
#include "program.h"

#include <inttypes.h>
#include <math.h>

#include "cli/message.h"

static void quote(json *json, const char *text)
{
    fputc('"', json->to);
    for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
        uint32_t c;
        length = clup_utf8(text, &c);
        /* a name of a file may have any bytes, but JSON must be UTF-8 */
        if (length == 0)
            fputs("\\ufffd", json->to);
        else if (c == '"' || c == '\\')
            fprintf(json->to, "\\%c", (int)c);
        else if (c < 0x20)
            fprintf(json->to, "\\u%04x", (unsigned)c);
        else
            fwrite(text, 1, length, json->to);
    }
    fputc('"', json->to);
}

static void start(json *json, const char *key)
{
    if (!json->first)
        fputc(',', json->to);
    json->first = 0;
    if (key != NULL) {
        quote(json, key);
        fputc(':', json->to);
    }
}

void json_open(json *json, const char *key, char bracket)
{
    start(json, key);
    fputc(bracket, json->to);
    json->first = 1;
}

void json_close(json *json, char bracket)
{
    fputc(bracket, json->to);
    json->first = 0;
}

void json_text(json *json, const char *key, const char *text)
{
    start(json, key);
    if (text != NULL)
        quote(json, text);
    else
        fputs("null", json->to);
}

void json_whole(json *json, const char *key, uint64_t number)
{
    start(json, key);
    fprintf(json->to, "%" PRIu64, number);
}

void json_digits(json *json, const char *key, const char *number)
{
    start(json, key);
    fputs(number, json->to);
}

void json_number(json *json, const char *key, double number)
{
    start(json, key);
    if (isfinite(number))
        fprintf(json->to, "%.17g", number);
    else
        fputs("null", json->to);
}

void json_flag(json *json, const char *key, int flag)
{
    start(json, key);
    fputs(flag ? "true" : "false", json->to);
}

void json_end(json *json)
{
    fputc('\n', json->to);
}
