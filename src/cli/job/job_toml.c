/* SPDX-License-Identifier: BSD-3-Clause */
/* Job files in TOML. */
#include "cli/job/job_toml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "program.h"

/* The most bytes of a job file. */
#define MOST ((size_t)16 << 20)

/* Reads a file and appends a zero byte; the caller frees the bytes. NULL, with error filled in, on
 * failure. */
static char *read_file(const char *path, size_t *size, char *error, size_t room)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0;
    *size = 0;
    error[0] = '\0';
    if (file == NULL) {
        snprintf(error, room, "%s", strerror(errno));
        return NULL;
    }
    while (error[0] == '\0' && !feof(file)) {
        char *larger = realloc(text, (capacity = 2 * capacity + 4096) + 1);
        if (larger == NULL)
            snprintf(error, room, "out of memory");
        else {
            text = larger;
            *size += fread(text + *size, 1, capacity - *size, file);
        }
        if (ferror(file))
            snprintf(error, room, "%s", strerror(errno));
        else if (*size > MOST)
            snprintf(error, room, "more bytes than the limit, %zu", MOST);
    }
    fclose(file);
    if (error[0] != '\0') {
        free(text);
        return NULL;
    }
    text[*size] = '\0';
    return text;
}

/* The lines of a table's keys; none when marks is not that of a table. */
static json_t *lines_of(const json_t *marks)
{
    json_t *lines = json_object(), *mark;
    const char *key;
    json_object_foreach((json_t *)marks, key, mark)
    {
        json_object_set(lines, key, json_object_get(mark, "line"));
    }
    return lines;
}

/* The lines of the file's keys, and of the keys of each of its points. */
static json_t *all_lines(const json_t *marks)
{
    const json_t *points = json_object_get(json_object_get(marks, "points"), "inner");
    json_t *lines = json_array();
    json_array_append_new(lines, lines_of(marks));
    for (size_t k = 0; k < json_array_size(points); k++)
        json_array_append_new(lines, lines_of(json_array_get(points, k)));
    return lines;
}

/* Returns a value as JSON text, and releases the value. */
static char *text_of(json_t *value)
{
    char *text = json_dumps(value, JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(value);
    return text;
}

char *job_toml(const char *path, char **lines, char *error, size_t room)
{
    json_t *marks = NULL, *job = NULL;
    size_t size;
    char *text = read_file(path, &size, error, room);
    *lines = NULL;
    if (text != NULL)
        job = clup_toml_read(text, size, &marks, error, room);
    free(text);
    if (job == NULL)
        return NULL;
    *lines = text_of(all_lines(marks));
    json_decref(marks);
    text = text_of(job);
    if (text != NULL && *lines != NULL)
        return text;
    snprintf(error, room, "out of memory");
    free(text);
    free(*lines);
    *lines = NULL;
    return NULL;
}
