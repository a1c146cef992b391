/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads TOML 1.0 (toml.io), but for dates and times, as JSON values. */
#ifndef CLUP_BASE_TOML_H
#define CLUP_BASE_TOML_H
#include <jansson.h>
#include <stddef.h>

/* The most levels of tables and lists inside each other. */
#define TOML_DEPTH 64

/* A table, and its marks. marks is an object with the keys of the table; for each key it has an
 * object with the line of the key and the kind of its value (toml_kind). For tables and lists of
 * tables that object also has inner, the marks of the inner tables. */
typedef struct toml_table {
    json_t *values, *marks;
    unsigned depth; /* 0 for the table that is the file */
} toml_table;
/* What the value of a key is, and how it was made: a value, to which nothing can be added; a table
 * that exists because a header names a table inside it; a table with its own header; a table of a
 * dotted key; or a list of tables. */
typedef enum toml_kind {
    TOML_VALUE,
    TOML_IMPLICIT,
    TOML_HEADER,
    TOML_DOTTED,
    TOML_TABLES
} toml_kind;

/* A text that is being read. It ends with a zero byte. */
typedef struct toml_reader {
    const char *at;
    unsigned line;
    char *error; /* of room bytes; "" until an error is found */
    size_t room;
} toml_reader;

/* clup_toml_read is in program.h. */

/* ---- the parts ------------------------------------------------------------------------------- */

/* Writes an error about the present line, unless there is an error already. Returns 0. */
int clup_toml_fail(toml_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes an error that names what is found in place of what was expected. Returns 0. */
int clup_toml_expected(toml_reader *reader, const char *what);
/* toml_blanks passes blanks; toml_comment blanks and a comment; toml_lines blanks, comments and
 * ends of lines. */
void clup_toml_blanks(toml_reader *reader);
void clup_toml_comment(toml_reader *reader);
void clup_toml_lines(toml_reader *reader);
/* Reads a value of a table or list at that depth. Sets *marks for a table or a list, else to NULL.
 * Returns NULL after toml_fail. */
json_t *clup_toml_value(toml_reader *reader, unsigned depth, json_t **marks);
/* Reads a text in quotes, which may have more than one line only when several is not 0. Returns
 * NULL after toml_fail. */
char *clup_toml_text(toml_reader *reader, int several);
/* Reads "KEY = VALUE" into a table. Returns 0 after toml_fail. */
int clup_toml_pair(toml_reader *reader, toml_table table);
/* Makes an empty table. Returns 0 after toml_fail. */
int clup_toml_make(toml_reader *reader, unsigned depth, toml_table *table);
/* Puts the value of a key, and its marks (may be NULL), into a table, which takes over both.
 * Returns 0 after toml_fail. */
int clup_toml_put(toml_reader *reader, toml_table table, const char *key, toml_kind kind,
                  json_t *value, json_t *inner);
/* The mark of a key; NULL where the table does not have the key. */
const json_t *clup_toml_mark(toml_table table, const char *key);
/* Writes an error that a key with this mark was set before. Returns 0. */
int clup_toml_refuse_key(toml_reader *reader, const json_t *mark, const char *key);
/* Begins the table of a header, or appends a table to a list of tables. Returns 0 after
 * toml_fail. */
int clup_toml_begin(toml_reader *reader, toml_table *table, const char *key, int is_list);
/* Reads "A.B.C" and enters A and B; tables that do not exist are made, of the given kind. Returns
 * C, which the caller frees, or NULL after toml_fail. */
char *clup_toml_dotted(toml_reader *reader, toml_table *table, toml_kind kind);

#endif
