/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON files in the user's folder: finds, reads, validates and writes them. */
#include "plan/document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"

/* Merging files compares each row with each. */
#define ROWS_MOST 10000

const char *clup_document_path(const clup_document *kind, char path[CLUP_DOCUMENT_PATH])
{
    clup_text folder = {0};
    clup_file_user_folder(CLUP_USER_DATA, &folder);
    const int known = clup_text_ok(&folder) &&
                      snprintf(path, CLUP_DOCUMENT_PATH, "%s%s", folder.data, kind->file) <
                          CLUP_DOCUMENT_PATH;
    clup_text_free(&folder);
    return known ? path : NULL;
}

void clup_document_date(char date[32])
{
    const time_t now = time(NULL);
    struct tm utc;
    strftime(date, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Fails with the reason why jansson cannot read a text. Without memory, jansson often says only
 * that it expected something else. */
static clup_status refuse(const char *text, size_t size, const char *name,
                          const json_error_t *error)
{
    const enum json_error_code code = json_error_code(error);
    const int unsure = code == json_error_unknown || code == json_error_invalid_syntax ||
                       code == json_error_premature_end_of_input;
    if (code == json_error_out_of_memory || (unsure && clup_json_is(text, size)))
        return clup_fail_memory(name);
    return clup_fail(CLUP_ERROR_RUNTIME, "%s is not JSON, or not all of it: line %d: %s", name,
                     error->line, error->text);
}

static clup_status check_rows(const json_t *rows, const char *name)
{
    if (json_array_size(rows) <= ROWS_MOST)
        return CLUP_OK;
    return clup_fail(CLUP_ERROR_RUNTIME, "%s: %zu rows, more than the limit, %u", name,
                     json_array_size(rows), ROWS_MOST);
}

clup_status clup_document_parse(const clup_document *kind, const char *text, size_t size,
                                const char *name, json_t **root)
{
    json_error_t error = {0}; /* jansson sets no code when it cannot allocate a buffer */
    clup_status status = CLUP_ERROR_RUNTIME;
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (*root == NULL)
        return refuse(text, size, name, &error);
    const char *schema = json_string_value(json_object_get(*root, "schema"));
    const json_t *rows = json_object_get(*root, "rows");
    if (schema != NULL && strcmp(schema, kind->schema) == 0 && json_is_array(rows))
        status = check_rows(rows, name);
    else
        clup_fail(status, "%s is no %s of this version: its schema is '%s', not '%s'", name,
                  kind->what, schema != NULL ? schema : "", kind->schema);
    if (status == CLUP_OK)
        return CLUP_OK;
    json_decref(*root);
    *root = NULL;
    return status;
}

clup_status clup_document_load(const clup_document *kind, const char *path, json_t **root)
{
    clup_text text = {0};
    clup_status status = CLUP_OK;
    *root = NULL;
    CLUP_TRY(clup_file_read(path, &text));
    CLUP_TRY(clup_document_parse(kind, text.data, text.length, path, root));
done:
    clup_text_free(&text);
    return status;
}

clup_status clup_document_load_user(const clup_document *kind, json_t **root)
{
    char room[CLUP_DOCUMENT_PATH];
    const char *path = clup_document_path(kind, room);
    *root = NULL;
    if (path == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME,
                         "no folder for the %s: neither XDG_DATA_HOME nor HOME is set", kind->what);
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
        *root = json_pack("{s:s, s:[]}", "schema", kind->schema, "rows");
        return *root != NULL ? CLUP_OK : clup_fail_memory(path);
    }
    return clup_document_load(kind, path, root);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int add_bytes(const char *bytes, size_t count, void *text)
{
    clup_text_add_bytes(text, bytes, count);
    return 0;
}

/* Writes JSON with a line for each item of a list, so that people can read and compare rows. An
 * item that is no row is written as it is. json_dumps will not do: jansson 2.14 leaves out a key
 * when it cannot enlarge its text; clup_text remembers that it could not. */
static void add_json(clup_text *text, const json_t *value)
{
    if (json_dump_callback(value, add_bytes, text,
                           JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) != 0)
        text->failed = true;
}

static void add_list(clup_text *text, const json_t *list)
{
    size_t k;
    json_t *item;
    clup_text_add(text, "[");
    json_array_foreach(list, k, item)
    {
        clup_text_add(text, k > 0 ? ",\n    " : "\n    ");
        add_json(text, item);
    }
    clup_text_add(text, "]");
}

static void add_row(clup_text *text, json_t *row)
{
    const char *key, *comma = "";
    json_t *value;
    if (!json_is_object(row)) {
        add_json(text, row);
        return;
    }
    clup_text_add(text, "{");
    json_object_foreach(row, key, value)
    {
        json_t *name = json_string(key);
        clup_text_add(text, "%s\n  ", comma);
        add_json(text, name);
        json_decref(name);
        clup_text_add(text, ": ");
        if (json_is_array(value))
            add_list(text, value);
        else
            add_json(text, value);
        comma = ",";
    }
    clup_text_add(text, "\n}");
}

clup_status clup_document_store(const clup_document *kind, const char *path, json_t *root)
{
    clup_text text = {0};
    clup_status status = check_rows(json_object_get(root, "rows"), path);
    size_t k;
    json_t *row;
    clup_text_add(&text, "{\"schema\": \"%s\", \"rows\": [", kind->schema);
    json_array_foreach(json_object_get(root, "rows"), k, row)
    {
        clup_text_add(&text, k > 0 ? ",\n" : "\n");
        add_row(&text, row);
    }
    clup_text_add(&text, "\n]}\n");
    if (!clup_text_ok(&text))
        status = clup_fail_memory(path);
    else if (text.length > CLUP_FILE_MOST)
        status = clup_fail(CLUP_ERROR_RUNTIME, "%s would have %zu bytes, more than the limit, %u",
                           path, text.length, CLUP_FILE_MOST);
    else if (status == CLUP_OK)
        status = clup_file_write(path, &(clup_piece){text.data, text.length}, 1);
    clup_text_free(&text);
    return status;
}

clup_status clup_document_store_user(const clup_document *kind, json_t *root)
{
    char room[CLUP_DOCUMENT_PATH];
    const char *path = clup_document_path(kind, room);
    clup_status status = clup_file_make_folders(path);
    return status == CLUP_OK ? clup_document_store(kind, path, root) : status;
}
