/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a TOML file: the values of keys, and the tables that dotted keys and headers
 * name. */
#include <stdlib.h>
#include <string.h>

#include "base/toml.h"

int clup_toml_make(toml_reader *reader, unsigned depth, toml_table *table)
{
    *table = (toml_table){json_object(), json_object(), depth};
    if (depth > TOML_DEPTH)
        clup_toml_fail(reader, "more than %d tables inside of each other", TOML_DEPTH);
    else if (table->values != NULL && table->marks != NULL)
        return 1;
    else
        clup_toml_fail(reader, "out of memory");
    json_decref(table->values);
    json_decref(table->marks);
    *table = (toml_table){NULL, NULL, depth};
    return 0;
}

/* Puts the value of a key, and its marks (may be NULL), into a table, which takes over both. */
int clup_toml_put(toml_reader *reader, toml_table table, const char *key, toml_kind kind,
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
    return put || clup_toml_fail(reader, "out of memory");
}

const json_t *clup_toml_mark(toml_table table, const char *key)
{
    return json_object_get(table.marks, key);
}

static toml_kind kind_of(const json_t *mark)
{
    return (toml_kind)json_integer_value(json_object_get(mark, "kind"));
}

int clup_toml_refuse_key(toml_reader *reader, const json_t *mark, const char *key)
{
    return clup_toml_fail(reader, "'%.80s' is there already, since line %d", key,
                          (int)json_integer_value(json_object_get(mark, "line")));
}

/* The table that is the value of a key; of a list of tables, the last one. */
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

/* Goes from a table into the table of a key. Makes it, of that kind, when there is none. A dotted
 * key cannot go into a table that has a header of its own. */
static int enter(toml_reader *reader, toml_table *table, const char *key, toml_kind kind)
{
    const json_t *mark = clup_toml_mark(*table, key);
    toml_table made;
    if (mark == NULL) {
        if (!clup_toml_make(reader, table->depth + 1, &made) ||
            !clup_toml_put(reader, *table, key, kind, made.values, made.marks))
            return 0;
    } else if (kind_of(mark) == TOML_VALUE ||
               (kind == TOML_DOTTED && kind_of(mark) != TOML_DOTTED &&
                kind_of(mark) != TOML_IMPLICIT))
        return clup_toml_refuse_key(reader, mark, key);
    *table = inside(*table, key);
    return 1;
}

/* Begins the table of a header, or appends a table to a list of tables. */
int clup_toml_begin(toml_reader *reader, toml_table *table, const char *key, int is_list)
{
    const json_t *mark = clup_toml_mark(*table, key);
    json_t *list, *marks;
    toml_table made;
    if (mark != NULL && !is_list && kind_of(mark) == TOML_IMPLICIT) {
        json_object_set_new((json_t *)mark, "kind", json_integer(TOML_HEADER));
        json_object_set_new((json_t *)mark, "line", json_integer(reader->line));
    } else if (mark == NULL && !is_list)
        return enter(reader, table, key, TOML_HEADER);
    else if (mark != NULL && (!is_list || kind_of(mark) != TOML_TABLES))
        return clup_toml_refuse_key(reader, mark, key);
    else {
        if (mark == NULL &&
            !clup_toml_put(reader, *table, key, TOML_TABLES, json_array(), json_array()))
            return 0;
        list = json_object_get(table->values, key);
        marks = json_object_get(clup_toml_mark(*table, key), "inner");
        if (!clup_toml_make(reader, table->depth + 1, &made))
            return 0;
        if (json_array_append_new(list, made.values) != 0 ||
            json_array_append_new(marks, made.marks) != 0)
            return clup_toml_fail(reader, "out of memory");
    }
    *table = inside(*table, key);
    return 1;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Reads a key, or one part of a dotted key. */
static char *read_key(toml_reader *reader)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t length = strspn(reader->at, bare);
    if (*reader->at == '"' || *reader->at == '\'')
        return clup_toml_text(reader, 0);
    if (length == 0) {
        clup_toml_expected(reader,
                           "a key (letters of ASCII, digits, _ and -, or a text in quotes)");
        return NULL;
    }
    char *key = strndup(reader->at, length);
    if (key == NULL)
        clup_toml_fail(reader, "out of memory");
    reader->at += length;
    return key;
}

/* Reads "A.B.C" and enters A and B; tables that do not exist are made, of the given kind. Returns
 * C, which the caller frees. */
char *clup_toml_dotted(toml_reader *reader, toml_table *table, toml_kind kind)
{
    char *key = NULL;
    for (;;) {
        clup_toml_blanks(reader);
        char *next = read_key(reader);
        clup_toml_blanks(reader);
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
