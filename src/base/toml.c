/* SPDX-License-Identifier: BSD-3-Clause */
/* A TOML file: its text and its lines. A line is the header of a table, or a key with its value. */
#include "base/toml.h"

#include <stdlib.h>
#include <string.h>

#include "program.h"

/* Reads "[A.B]" or "[[A.B]]"; *table becomes the table that begins here. */
static int read_header(toml_reader *reader, toml_table root, toml_table *table)
{
    const int is_list = reader->at[1] == '[';
    char *key;
    int right;
    reader->at += 1 + is_list;
    *table = root;
    if ((key = clup_toml_dotted(reader, table, TOML_IMPLICIT)) == NULL)
        return 0;
    if (strncmp(reader->at, "]]", (size_t)(1 + is_list)) != 0)
        right = clup_toml_expected(reader, is_list ? "']]' behind the name of a list of tables"
                                                   : "']' behind the name of a table");
    else {
        reader->at += 1 + is_list;
        right = clup_toml_begin(reader, table, key, is_list);
    }
    free(key);
    return right;
}

/* Removes carriage returns before ends of lines. Refuses bytes that are not text. */
static int check_text(toml_reader *reader, char *text, size_t size)
{
    char *to = text;
    size_t length;
    uint32_t character = 0;
    for (char *at = text; at < text + size; at += length) {
        length = *at != '\0' ? clup_utf8(at, &character) : 0;
        if (*at == '\r' && at[1] == '\n')
            continue;
        if (length == 0 || (character < ' ' && *at != '\n' && *at != '\t') || character == 0x7f)
            return clup_toml_fail(reader, "byte 0x%02x is none of a text in UTF-8",
                                  (unsigned)(unsigned char)*at);
        reader->line += *at == '\n';
        memmove(to, at, length);
        to += length;
    }
    *to = '\0';
    reader->line = 1;
    return 1;
}

json_t *clup_toml_read(char *text, size_t size, json_t **marks, char *error, size_t room)
{
    toml_reader reader = {text, 1, error, room};
    toml_table root = {NULL, NULL, 0}, table;
    error[0] = '\0';
    int right = check_text(&reader, text, size) && clup_toml_make(&reader, 0, &root);
    if (strncmp(reader.at, "\xef\xbb\xbf", 3) == 0)
        reader.at += 3;
    table = root;
    for (clup_toml_lines(&reader); right && *reader.at != '\0'; clup_toml_lines(&reader)) {
        right = *reader.at == '[' ? read_header(&reader, root, &table)
                                  : clup_toml_pair(&reader, table);
        clup_toml_comment(&reader);
        if (right && *reader.at != '\0' && *reader.at != '\n')
            right = clup_toml_expected(&reader, "the end of the line");
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
