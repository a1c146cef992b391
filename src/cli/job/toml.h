/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads TOML 1.0 (toml.io), but for dates and times, as JSON values. */
#ifndef CLUP_CLI_JOB_TOML_H
#define CLUP_CLI_JOB_TOML_H
#include <jansson.h>
#include <stddef.h>

/* Tables and lists inside of each other, at most. */
#define TOML_DEPTH 64

/* A table, and its marks: an object with the same keys, each of which has an object with the line
 * where the key stands, the kind of what it has, and for tables and lists of tables, inner, the
 * marks of these. */
typedef struct toml_table {
    json_t *values, *marks;
    unsigned depth; /* 0 for the table that is the file */
} toml_table;
/* What a key has, and by what: a value, which nothing can be added to; a table of a header that
 * names a table inside of it, of a header of its own, or of a dotted key; or a list of tables. */
typedef enum toml_kind {
    TOML_VALUE,
    TOML_IMPLICIT,
    TOML_HEADER,
    TOML_DOTTED,
    TOML_TABLES
} toml_kind;

/* A text that is read, which ends with a zero byte. */
typedef struct toml_reader {
    const char *at;
    unsigned line;
    char *error; /* of room bytes; "" as long as nothing is wrong */
    size_t room;
} toml_reader;

/* Reads text, of size bytes, to a table, which the caller frees with json_decref; NULL, with what
 * is wrong in error[room], which begins with "line N: ", and no table. text is changed. */
json_t *toml_read(char *text, size_t size, json_t **marks, char *error, size_t room);

/* ---- the parts ------------------------------------------------------------------------------- */

/* Notes what is wrong with the line that is read, unless something was already; 0. */
int toml_fail(toml_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Notes what is there instead of what was to be; 0. */
int toml_expected(toml_reader *reader, const char *what);
/* Passes blanks; a comment as well; and all ends of lines. */
void toml_blanks(toml_reader *reader);
void toml_comment(toml_reader *reader);
void toml_lines(toml_reader *reader);
/* A value of a table or list at that depth, and its marks where it is a table or a list, else NULL;
 * NULL after toml_fail. */
json_t *toml_value(toml_reader *reader, unsigned depth, json_t **marks);
/* A text in quotes, of more than one line only where several is not 0; NULL after toml_fail. */
char *toml_text(toml_reader *reader, int several);
/* Reads "KEY = VALUE" into a table; 0 after toml_fail. */
int toml_pair(toml_reader *reader, toml_table table);
/* Makes an empty table; 0 after toml_fail. */
int toml_make(toml_reader *reader, unsigned depth, toml_table *table);
/* Puts what a key has, and its marks, which may be NULL, into a table; both are the table's. 0
 * after toml_fail. */
int toml_put(toml_reader *reader, toml_table table, const char *key, toml_kind kind, json_t *value,
             json_t *inner);
/* The mark of a key; NULL where the table does not have the key. */
const json_t *toml_mark(toml_table table, const char *key);
/* Notes that a key with this mark is there already; 0. */
int toml_refuse_key(toml_reader *reader, const json_t *mark, const char *key);
/* Begins the table of a header, or one more of a list of tables; 0 after toml_fail. */
int toml_begin(toml_reader *reader, toml_table *table, const char *key, int is_list);
/* Reads "A.B.C" and enters A and B, made as tables of a kind: C, which the caller frees; NULL after
 * toml_fail. */
char *toml_dotted(toml_reader *reader, toml_table *table, toml_kind kind);

#endif
