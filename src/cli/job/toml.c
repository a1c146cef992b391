/* The lines of a TOML file: headers of tables, and keys with their values. */
#include "cli/job/toml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"

int toml_fail(toml_reader *reader, const char *format, ...)
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

void toml_blanks(toml_reader *reader)
{
    reader->at += strspn(reader->at, " \t");
}

/* Passes a comment, if there is one. */
static void pass_comment(toml_reader *reader)
{
    toml_blanks(reader);
    if (*reader->at == '#')
        reader->at += strcspn(reader->at, "\n");
}

void toml_lines(toml_reader *reader)
{
    for (pass_comment(reader); *reader->at == '\n'; pass_comment(reader)) {
        reader->at++;
        reader->line++;
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

int toml_make(toml_reader *reader, unsigned depth, toml_table *table)
{
    *table = (toml_table){json_object(), json_object(), depth};
    if (depth > TOML_DEPTH)
        toml_fail(reader, "more than %d tables inside of each other", TOML_DEPTH);
    else if (table->values != NULL && table->marks != NULL)
        return 1;
    else
        toml_fail(reader, "out of memory");
    json_decref(table->values);
    json_decref(table->marks);
    *table = (toml_table){NULL, NULL, depth};
    return 0;
}

/* Puts what a key has, and its marks, which may be NULL, into a table; both are the table's. */
static int put(toml_reader *reader, toml_table table, const char *key, toml_kind kind,
               json_t *value, json_t *inner)
{
    json_t *mark = json_pack("{s:i, s:i}", "line", (int)reader->line, "kind", (int)kind);
    const int put = mark != NULL && value != NULL &&
                    (inner == NULL || json_object_set(mark, "inner", inner) == 0) &&
                    json_object_set(table.values, key, value) == 0 &&
                    json_object_set(table.marks, key, mark) == 0;
    json_decref(value);
    json_decref(inner);
    json_decref(mark);
    return put || toml_fail(reader, "out of memory");
}

static const json_t *mark_of(toml_table table, const char *key)
{
    return json_object_get(table.marks, key);
}

static toml_kind kind_of(const json_t *mark)
{
    return (toml_kind)json_integer_value(json_object_get(mark, "kind"));
}

static int refuse_key(toml_reader *reader, const json_t *mark, const char *key)
{
    return toml_fail(reader, "'%.80s' is there already, since line %d", key,
                     (int)json_integer_value(json_object_get(mark, "line")));
}

/* The table that a key has, of a list of them the last one. */
static toml_table inside(toml_table table, const char *key)
{
    json_t *values = json_object_get(table.values, key),
           *marks = json_object_get(json_object_get(table.marks, key), "inner");
    if (json_is_array(values)) {
        values = json_array_get(values, json_array_size(values) - 1);
        marks = json_array_get(marks, json_array_size(marks) - 1);
    }
    return (toml_table){values, marks, table.depth + 1};
}

/* Goes from a table into that of a key, which is made, and is of that kind, where there is none;
 * by a dotted key into no table that has a header of its own. */
static int enter(toml_reader *reader, toml_table *table, const char *key, toml_kind kind)
{
    const json_t *mark = mark_of(*table, key);
    toml_table made;
    if (mark == NULL) {
        if (!toml_make(reader, table->depth + 1, &made) ||
            !put(reader, *table, key, kind, made.values, made.marks))
            return 0;
    } else if (kind_of(mark) == TOML_VALUE ||
               (kind == TOML_DOTTED && kind_of(mark) != TOML_DOTTED &&
                kind_of(mark) != TOML_IMPLICIT))
        return refuse_key(reader, mark, key);
    *table = inside(*table, key);
    return 1;
}

/* Begins the table of a header, or one more of a list of tables. */
static int begin(toml_reader *reader, toml_table *table, const char *key, int is_list)
{
    const json_t *mark = mark_of(*table, key);
    json_t *list, *marks;
    toml_table made;
    if (mark != NULL && !is_list && kind_of(mark) == TOML_IMPLICIT) {
        json_object_set_new((json_t *)mark, "kind", json_integer(TOML_HEADER));
        json_object_set_new((json_t *)mark, "line", json_integer(reader->line));
    } else if (mark == NULL && !is_list)
        return enter(reader, table, key, TOML_HEADER);
    else if (mark != NULL && (!is_list || kind_of(mark) != TOML_TABLES))
        return refuse_key(reader, mark, key);
    else {
        if (mark == NULL && !put(reader, *table, key, TOML_TABLES, json_array(), json_array()))
            return 0;
        list = json_object_get(table->values, key);
        marks = json_object_get(mark_of(*table, key), "inner");
        if (!toml_make(reader, table->depth + 1, &made))
            return 0;
        if (json_array_append_new(list, made.values) != 0 ||
            json_array_append_new(marks, made.marks) != 0)
            return toml_fail(reader, "out of memory");
    }
    *table = inside(*table, key);
    return 1;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* What is there instead of what was to be, for messages. */
static int expected(toml_reader *reader, const char *what)
{
    uint32_t character;
    if (*reader->at == '\0' || *reader->at == '\n')
        return toml_fail(reader, "expected %s, not the end of the %s", what,
                         *reader->at == '\0' ? "file" : "line");
    return toml_fail(reader, "expected %s, not '%.*s'", what, (int)cli_utf8(reader->at, &character),
                     reader->at);
}

/* A key, or one part of a dotted key. */
static char *read_key(toml_reader *reader)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t length = strspn(reader->at, bare);
    if (*reader->at == '"' || *reader->at == '\'')
        return toml_text(reader, 0);
    if (length == 0) {
        expected(reader, "a key (letters of ASCII, digits, _ and -, or a text in quotes)");
        return NULL;
    }
    char *key = strndup(reader->at, length);
    if (key == NULL)
        toml_fail(reader, "out of memory");
    reader->at += length;
    return key;
}

/* Reads "A.B.C" and enters A and B, made as tables of a kind: C, which the caller frees. */
static char *read_dotted(toml_reader *reader, toml_table *table, toml_kind kind)
{
    char *key = NULL;
    for (;;) {
        toml_blanks(reader);
        char *next = read_key(reader);
        toml_blanks(reader);
        if (next == NULL || *reader->at != '.') {
            free(key);
            return next;
        }
        reader->at++;
        const int entered = enter(reader, table, next, kind);
        free(next);
        if (!entered)
            return NULL;
    }
}

int toml_pair(toml_reader *reader, toml_table table)
{
    json_t *marks = NULL, *value;
    char *key = read_dotted(reader, &table, TOML_DOTTED);
    const json_t *mark = key != NULL ? mark_of(table, key) : NULL;
    int right = key != NULL;
    if (right && mark != NULL)
        right = refuse_key(reader, mark, key);
    if (right && *reader->at != '=')
        right = expected(reader, "'=' behind a key");
    if (right) {
        reader->at++;
        toml_blanks(reader);
        const unsigned line = reader->line;
        value = toml_value(reader, table.depth, &marks);
        const unsigned end = reader->line;
        reader->line = line;
        right = value != NULL && put(reader, table, key, TOML_VALUE, value, marks);
        reader->line = end;
    }
    free(key);
    return right;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* "[A.B]" or "[[A.B]]": the table becomes the one that it begins. */
static int read_header(toml_reader *reader, toml_table root, toml_table *table)
{
    const int is_list = reader->at[1] == '[';
    char *key;
    int right;
    reader->at += 1 + is_list;
    *table = root;
    if ((key = read_dotted(reader, table, TOML_IMPLICIT)) == NULL)
        return 0;
    if (strncmp(reader->at, "]]", (size_t)(1 + is_list)) != 0)
        right = expected(reader, is_list ? "']]' behind the name of a list of tables"
                                         : "']' behind the name of a table");
    else {
        reader->at += 1 + is_list;
        right = begin(reader, table, key, is_list);
    }
    free(key);
    return right;
}

/* Takes away the returns before ends of lines. Bytes that are no text are no TOML. */
static int check_text(toml_reader *reader, char *text, size_t size)
{
    char *to = text;
    size_t length;
    uint32_t character = 0;
    for (char *at = text; at < text + size; at += length) {
        length = *at != '\0' ? cli_utf8(at, &character) : 0;
        if (*at == '\r' && at[1] == '\n')
            continue;
        if (length == 0 || (character < ' ' && *at != '\n' && *at != '\t') || character == 0x7f)
            return toml_fail(reader, "byte 0x%02x is none of a text in UTF-8",
                             (unsigned)(unsigned char)*at);
        reader->line += *at == '\n';
        memmove(to, at, length);
        to += length;
    }
    *to = '\0';
    reader->line = 1;
    return 1;
}

json_t *toml_read(char *text, size_t size, json_t **marks, char *error, size_t room)
{
    toml_reader reader = {text, 1, error, room};
    toml_table root = {NULL, NULL, 0}, table;
    error[0] = '\0';
    int right = check_text(&reader, text, size) && toml_make(&reader, 0, &root);
    if (strncmp(reader.at, "\xef\xbb\xbf", 3) == 0)
        reader.at += 3;
    table = root;
    for (toml_lines(&reader); right && *reader.at != '\0'; toml_lines(&reader)) {
        right = *reader.at == '[' ? read_header(&reader, root, &table) : toml_pair(&reader, table);
        pass_comment(&reader);
        if (right && *reader.at != '\0' && *reader.at != '\n')
            right = expected(&reader, "the end of the line");
    }
    if (right) {
        *marks = root.marks;
        return root.values;
    }
    *marks = NULL;
    json_decref(root.values);
    json_decref(root.marks);
    return NULL;
}
