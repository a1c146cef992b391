/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills local memory with a pattern, by changing the text of kernels. */
#include "ocl/poison.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

clup_status clup_poison_read(int *byte)
{
    const char *text = getenv("CLUP_POISON");
    char *end = NULL;
    *byte = -1;
    if (text == NULL || *text == '\0')
        return CLUP_OK;
    const long value = strtol(text, &end, 0);
    if (*end != '\0' || value < 0 || value > 255)
        return clup_fail(CLUP_ERROR_USAGE,
                         "CLUP_POISON is '%s', it must be a byte: a number from 0 to 255", text);
    *byte = (int)value;
    return CLUP_OK;
}

/* Inserted after a declaration for each of its local variables. The byte comes with the launch, so
 * that one build of a kernel serves all bytes. */
#define FILL " fill_local((local uchar *)&%.*s, sizeof %.*s);"
static const char function[] = "#line 1 \"poison\"\n"
                               "void fill_local(local uchar *to, uint bytes)\n"
                               "{\n"
                               "    for (uint k = get_local_id(0); k < bytes; k += "
                               "(uint)get_local_size(0))\n"
                               "        to[k] = (uchar)get_global_offset(2);\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "}\n";

/* Returns the end of a comment, a preprocessor line or white space that starts at text; text itself
 * if none does. */
static const char *skip(const char *text)
{
    if (strncmp(text, "/*", 2) == 0) {
        const char *end = strstr(text + 2, "*/");
        return end != NULL ? end + 2 : text + strlen(text);
    }
    if (*text == '#' || strncmp(text, "//", 2) == 0) {
        while (*text != '\0' && *text != '\n')
            text += text[0] == '\\' && text[1] == '\n' ? 2 : 1;
        return text;
    }
    return isspace((unsigned char)*text) ? text + 1 : text;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Adds the statement that fills the variable of a declarator [from, to): "type name[size]", "name =
 * value", and the like; nothing for a pointer. */
static void fill(const char *from, const char *to, clup_text *out)
{
    const char *end = from, *name;
    while (end < to && *end != '[' && *end != '=' && *end != '*' &&
           strncmp(end, "__attribute__", strlen("__attribute__")) != 0)
        end++;
    if (end < to && *end == '*')
        return;
    while (end > from && !in_name(end[-1]))
        end--;
    for (name = end; name > from && in_name(name[-1]);)
        name--;
    clup_text_add(out, FILL, (int)(end - name), name, (int)(end - name), name);
}

/* Adds the statements that fill the variables of the declaration [from, to), which begins with
 * "local" and is followed by a semicolon. */
static void fill_all(const char *from, const char *to, clup_text *out)
{
    unsigned depth = 0;
    for (const char *at = from; at <= to; at++) {
        if (strchr("([{", *at) != NULL)
            depth++;
        else if (strchr(")]}", *at) != NULL)
            depth--;
        else if (at == to || (*at == ',' && depth == 0)) {
            fill(from, at, out);
            from = at + 1;
        }
    }
}

clup_status clup_poison_source(clup_text *source)
{
    clup_text out = {0};
    const char *at = source->data, *statement = NULL; /* where the statement starts; NULL before it
                                                         starts */
    unsigned depth = 0;                               /* of open braces */
    clup_text_add(&out, "%s", function);
    while (*at != '\0') {
        const char *next = skip(at);
        const bool is_text = next == at;
        if (is_text) {
            next = at + 1;
            if (statement == NULL)
                statement = at;
            depth += (*at == '{') - (*at == '}');
        }
        clup_text_add_bytes(&out, at, (size_t)(next - at));
        if (is_text && strchr(";{}", *at) != NULL) {
            if (*at == ';' && depth > 0 && strncmp(statement, "local ", strlen("local ")) == 0)
                fill_all(statement, at, &out);
            statement = NULL;
        }
        at = next;
    }
    clup_text_free(source);
    *source = out;
    return clup_text_ok(source) ? CLUP_OK : clup_fail_memory("a kernel's source");
}
