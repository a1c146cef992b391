/* SPDX-License-Identifier: BSD-3-Clause */
/* The grammar of JSON. */
#include "base/json.h"

#include <string.h>

/* The depth up to which jansson reads. */
#define DEEPEST 2048

typedef struct cursor {
    const char *at, *end;
} cursor;

static bool accept(cursor *c, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* Reads one character of a list. */
static bool one_of(cursor *c, const char *list)
{
    if (c->at == c->end || *c->at == '\0' || strchr(list, *c->at) == NULL)
        return false;
    c->at++;
    return true;
}

static void skip_space(cursor *c)
{
    while (one_of(c, " \t\r\n"))
        ;
}

static bool digits(cursor *c)
{
    const char *start = c->at;
    while (one_of(c, "0123456789"))
        ;
    return c->at > start;
}

static bool number(cursor *c)
{
    accept(c, "-");
    if (!accept(c, "0") && !digits(c))
        return false;
    if (accept(c, ".") && !digits(c))
        return false;
    if (!one_of(c, "eE"))
        return true;
    one_of(c, "+-");
    return digits(c);
}

static bool string(cursor *c)
{
    if (!accept(c, "\""))
        return false;
    while (c->at < c->end && (unsigned char)*c->at >= ' ' && *c->at != '"')
        if (*c->at++ == '\\') {
            const bool unicode = accept(c, "u");
            for (int k = 0; k < 4 && unicode; k++)
                if (!one_of(c, "0123456789abcdefABCDEF"))
                    return false;
            if (!unicode && !one_of(c, "\"\\/bfnrt"))
                return false;
        }
    return accept(c, "\"");
}

static bool value(cursor *c, unsigned depth);

/* Reads the rest of an object or array after its opening bracket. */
static bool list(cursor *c, bool object, unsigned depth)
{
    const char *closing = object ? "}" : "]";
    skip_space(c);
    if (accept(c, closing))
        return true;
    do {
        skip_space(c);
        if (object) {
            if (!string(c))
                return false;
            skip_space(c);
            if (!accept(c, ":"))
                return false;
        }
        if (!value(c, depth))
            return false;
    } while (accept(c, ","));
    return accept(c, closing);
}

/* Reads a value with the space around it. */
static bool value(cursor *c, unsigned depth)
{
    bool is;
    skip_space(c);
    if (accept(c, "{"))
        is = depth < DEEPEST && list(c, true, depth + 1);
    else if (accept(c, "["))
        is = depth < DEEPEST && list(c, false, depth + 1);
    else
        is = accept(c, "true") || accept(c, "false") || accept(c, "null") || string(c) || number(c);
    skip_space(c);
    return is;
}

bool clup_json_is(const char *text, size_t size)
{
    cursor c = {text, text + size};
    skip_space(&c);
    return c.at < c.end && (*c.at == '{' || *c.at == '[') && value(&c, 0) && c.at == c.end;
}
