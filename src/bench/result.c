/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes result files. */
#include "bench/result.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/result_check.h"
#include "bench/status.h"
#include "program.h"

#define BYTES_MOST (64u << 20)
/* Samples have six digits; values computed from them have fifteen, which JSON preserves. */
#define PRECISION JSON_REAL_PRECISION(15)

const json_t *bench_find(const json_t *root, const char *id)
{
    size_t k;
    json_t *point;
    json_array_foreach(json_object_get(root, "points"), k, point)
    {
        const char *other = json_string_value(json_object_get(point, "id"));
        if (other != NULL && strcmp(other, id) == 0)
            return point;
    }
    return NULL;
}

/* Computes the hash of everything except the hash. */
static clup_status hash(const json_t *root, char hex[65])
{
    json_t *rest = json_copy((json_t *)root);
    char *text = NULL;
    if (rest != NULL) {
        json_object_del(rest, "sha256");
        text = json_dumps(rest, JSON_COMPACT | JSON_SORT_KEYS | PRECISION);
    }
    json_decref(rest);
    if (text == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for the hash of a result");
    clup_sha256(text, strlen(text), hex);
    free(text);
    return CLUP_OK;
}

/* Validates that the hash belongs to the rest. */
static clup_status check_hash(const char *path, const json_t *root)
{
    char hex[65];
    const clup_status status = hash(root, hex);
    if (status == CLUP_OK && strcmp(hex, json_string_value(json_object_get(root, "sha256"))) != 0)
        return bench_fail(CLUP_ERROR_RUNTIME,
                          "%s: its sha256 is not that of the rest: something was changed after it "
                          "was measured",
                          path);
    return status;
}

/* Refuses a text that jansson cannot read. When jansson has no memory, its message often says no
 * more than that, or nothing. */
static clup_status refuse_text(const char *path, const json_error_t *error)
{
    if (error->text[0] == '\0' || json_error_code(error) == json_error_out_of_memory)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for %s", path);
    return bench_fail(CLUP_ERROR_RUNTIME, "%s: is no JSON: %s, line %d", path, error->text,
                      error->line);
}

static clup_status refuse_size(const char *path)
{
    return bench_fail(CLUP_ERROR_RUNTIME, "%s: is larger than %u MiB", path, BYTES_MOST >> 20);
}

/* Reads a whole file, which the caller frees; a pipe, which has no size, up to the limit. */
static clup_status read_whole(const char *path, char **text, size_t *size)
{
    clup_status status = CLUP_OK;
    struct stat found;
    size_t room = 1u << 16;
    FILE *from = fopen(path, "rb");
    *text = NULL;
    *size = 0;
    if (from == NULL || fstat(fileno(from), &found) != 0) {
        status = bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
        goto done;
    }
    if (S_ISREG(found.st_mode) && found.st_size > (off_t)BYTES_MOST) {
        status = refuse_size(path);
        goto done;
    }
    for (; !feof(from) && !ferror(from) && *size <= BYTES_MOST; room *= 2) {
        char *grown = realloc(*text, room);
        if (grown == NULL) {
            status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for %s", path);
            goto done;
        }
        *text = grown;
        *size += fread(*text + *size, 1, room - *size, from);
    }
    if (ferror(from))
        status = bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
    else if (*size > BYTES_MOST)
        status = refuse_size(path);
done:
    if (from != NULL)
        fclose(from);
    return status;
}

clup_status bench_result_load(const char *path, json_t **root)
{
    json_error_t error = {0}; /* jansson sets no code when it cannot allocate a buffer */
    json_t *read = NULL;
    char *text;
    size_t size;
    *root = NULL;
    clup_status status = read_whole(path, &text, &size);
    if (status == CLUP_OK) {
        read = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
        if (read == NULL)
            status = refuse_text(path, &error);
    }
    free(text);
    if (status == CLUP_OK)
        status = bench_result_check(path, read);
    if (status == CLUP_OK)
        status = check_hash(path, read);
    if (status == CLUP_OK)
        *root = read;
    else
        json_decref(read);
    return status;
}

/* Makes the text of the file: a line for the head, one for each point, one for the hash. The caller
 * frees it. NULL without memory. */
static char *text_of(const json_t *root)
{
    const json_t *points = json_object_get(root, "points");
    char *text = NULL;
    size_t size = 0, k;
    if (!json_is_array(points))
        return json_dumps(root, JSON_COMPACT | PRECISION);
    json_t *head = json_copy((json_t *)root), *point;
    FILE *to = open_memstream(&text, &size);
    bool failed = to == NULL || head == NULL;
    if (!failed) {
        json_object_del(head, "points");
        json_object_del(head, "sha256");
        failed = json_dumpf(head, to, JSON_COMPACT | PRECISION) != 0;
        /* overwrites the last brace */
        failed |= fseek(to, -1, SEEK_CUR) != 0;
        fputs(",\n\"points\":[", to);
        json_array_foreach(points, k, point)
        {
            fputs(k > 0 ? ",\n" : "\n", to);
            failed |= json_dumpf(point, to, JSON_COMPACT | PRECISION) != 0;
        }
        fprintf(to, "\n],\n\"sha256\":\"%s\"}\n",
                json_string_value(json_object_get(root, "sha256")));
    }
    json_decref(head);
    if (to != NULL)
        failed |= ferror(to) | fclose(to);
    if (failed)
        free(text);
    return failed ? NULL : text;
}

clup_status bench_result_save(const char *path, json_t *root)
{
    char hex[65], back[65] = "";
    clup_status status = hash(root, hex);
    if (status != CLUP_OK)
        return status;
    if (json_object_set_new(root, "sha256", json_string(hex)) != 0)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for the hash of a result");
    char *text = text_of(root);
    json_t *again = text != NULL ? json_loads(text, 0, NULL) : NULL;
    /* jansson omits values that it has no memory for */
    if (again == NULL || hash(again, back) != CLUP_OK || strcmp(hex, back) != 0)
        status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for %s", path);
    else
        status = bench_library(clup_file_save(path, text, strlen(text)));
    json_decref(again);
    free(text);
    return status;
}
