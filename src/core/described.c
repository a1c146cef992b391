/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads texts in TOML or JSON that describe something. */
#include "core/described.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "program.h"

clup_status clup_described_refuse(const clup_described *at, const char *key, const char *format,
                                  ...)
{
    char text[512], where[32] = "";
    const json_t *line = json_object_get(json_object_get(at->marks, key), "line");
    const char *const quote = at->from[0] != '\0' ? "'" : "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (line != NULL)
        snprintf(where, sizeof where, ", line %d", (int)json_integer_value(line));
    return clup_fail(CLUP_ERROR_USAGE, "%s%.300s%s%s: %s %s", quote,
                     at->from[0] != '\0' ? at->from : at->called, quote, where, key, text);
}

clup_status clup_described_read(clup_described *at, char *text, size_t size)
{
    char error[512];
    json_error_t where;
    const char *const quote = at->from[0] != '\0' ? "'" : "";
    at->values = text[0] == '{' ? json_loadb(text, size, JSON_REJECT_DUPLICATES, &where)
                                : clup_toml_read(text, size, &at->marks, error, sizeof error);
    if (at->values == NULL && text[0] == '{')
        snprintf(error, sizeof error, "line %d: %s", where.line, where.text);
    return at->values != NULL
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "%s%.300s%s, %s", quote,
                           at->from[0] != '\0' ? at->from : at->called, quote, error);
}

void clup_described_clear(clup_described *at)
{
    json_decref(at->values);
    json_decref(at->marks);
    at->values = at->marks = NULL;
}

clup_status clup_described_keys(const clup_described *at, const char *const *keys, const char *what)
{
    const char *key;
    json_t *value;
    clup_text known = {0};
    clup_status status = CLUP_OK;
    size_t count = 0;
    while (keys[count] != NULL)
        count++;
    for (size_t k = 0; k < count; k++)
        clup_text_add(&known, "%s%s", k == 0 ? "" : k + 1 < count ? ", " : " and ", keys[k]);
    json_object_foreach(at->values, key, value)
    {
        size_t k = 0;
        while (k < count && strcmp(keys[k], key) != 0)
            k++;
        if (k == count && status == CLUP_OK)
            status = clup_described_refuse(at, key, "is no key of %s: there is %s", what,
                                           clup_text_ok(&known) ? known.data : "?");
    }
    clup_text_free(&known);
    return status;
}
