/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads series from tables, see series_csv.c. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/watch.h"
#include "core/model.h"
#include "core/problem.h"
#include "io/series.h"

/* The most bytes of a line, and the most lines with #: a file that is no table of series may have
 * no end. */
#define LINE_MOST (4 << 20)
#define LINES_MOST 70000

typedef struct pair {
    char *key, *value;
} pair;

typedef struct reader {
    FILE *from;
    const char *path;
    char line[LINE_MOST];
    size_t length; /* of the line, without its end */
    uint64_t number;
    clup_sha256_state hash;
    pair *pairs;
    size_t count, room;
    clup_record *record;
    size_t columns[CLUP_RECORD_NAMES], column_count;
    uint32_t system; /* system of the last row, and rows of that system so far */
    size_t rows;
} reader;

__attribute__((format(printf, 2, 3))) static clup_status fail(const reader *reader,
                                                              const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return clup_fail(CLUP_ERROR_RUNTIME, "'%s', line %" PRIu64 ": %s", reader->path, reader->number,
                     text);
}

/* Reads the next line, which must exist, without its end. The caller adds it to the hash. */
static clup_status next_line(reader *reader)
{
    reader->number++;
    if (fgets(reader->line, sizeof reader->line, reader->from) == NULL)
        return ferror(reader->from) ? fail(reader, "%s", strerror(errno))
                                    : fail(reader, "the file ends early");
    reader->length = strlen(reader->line);
    if (reader->length == 0 || reader->line[reader->length - 1] != '\n')
        return feof(reader->from) ? fail(reader, "the file ends early")
                                  : fail(reader, "it is too long, or has a zero byte");
    reader->line[--reader->length] = '\0';
    return clup_watch_ask_at(reader->number);
}

static void hash_line(reader *reader)
{
    clup_sha256_add(&reader->hash, reader->line, reader->length);
    clup_sha256_add(&reader->hash, "\n", 1);
}

/* Keeps "# key = value", both in one string. */
static clup_status keep_pair(reader *reader)
{
    char *middle = strstr(reader->line, " = ");
    if (strncmp(reader->line, "# ", 2) != 0 || middle == NULL || reader->count == LINES_MOST)
        return fail(reader, "not # KEY = VALUE: '%.40s'", reader->line);
    if (reader->count == reader->room) {
        const size_t room = 2 * reader->room + 64;
        pair *grown = realloc(reader->pairs, room * sizeof *grown);
        if (grown == NULL)
            return clup_fail_memory("the series");
        reader->pairs = grown;
        reader->room = room;
    }
    pair *pair = &reader->pairs[reader->count];
    if ((pair->key = strdup(reader->line + 2)) == NULL)
        return clup_fail_memory("the series");
    pair->value = pair->key + (middle - reader->line) + 1;
    pair->key[middle - reader->line - 2] = '\0';
    reader->count++;
    return CLUP_OK;
}

static const char *value_of(void *user, const char *key)
{
    const reader *reader = user;
    for (size_t k = 0; k < reader->count; k++)
        if (strcmp(reader->pairs[k].key, key) == 0)
            return reader->pairs[k].value;
    return NULL;
}

/* Reads what each system is; system k is described in line first + k, which begins with what its
 * number is called. */
static clup_status read_systems(reader *reader, const char *called, double *betas, uint32_t systems,
                                size_t first)
{
    const size_t length = strlen(called);
    for (uint32_t r = 0; r < systems; r++) {
        char key[32], *end;
        snprintf(key, sizeof key, "system %" PRIu32, r);
        if (first + r >= reader->count || strcmp(reader->pairs[first + r].key, key) != 0 ||
            strncmp(reader->pairs[first + r].value, called, length) != 0)
            return fail(reader, "%s is not described", key);
        betas[r] = strtod(reader->pairs[first + r].value + length, &end);
        if (strncmp(end, " count ", 7) != 0 || !(betas[r] >= 0))
            return fail(reader, "%s is '%.80s'", key, reader->pairs[first + r].value);
    }
    return CLUP_OK;
}

/* Makes the record without values, from all that is said about it. */
static clup_status make_record(reader *reader)
{
    clup_problem problem;
    size_t first = 0;
    double *betas = NULL;
    clup_status status = clup_problem_of_words(value_of, reader, &problem);
    if (status != CLUP_OK)
        return fail(reader, "%s", clup_error_detail());
    while (first < reader->count && strncmp(reader->pairs[first].key, "system ", 7) != 0)
        first++;
    if (problem.replicas < 1 || problem.replicas > reader->count - first)
        return fail(reader, "of %" PRIu32 " systems %zu are described", problem.replicas,
                    reader->count - first);
    if ((betas = calloc(problem.replicas, sizeof *betas)) == NULL)
        return clup_fail_memory("the series");
    CLUP_TRY(read_systems(reader, clup_problem_is_percolation(&problem) ? "p " : "beta ", betas,
                          problem.replicas, first));
    problem.betas = betas;
    status = clup_record_create(&problem, &reader->record);
    if (status != CLUP_OK && status != CLUP_ERROR_MEMORY)
        CLUP_TRY(fail(reader, "%s", clup_error_detail()));
    CLUP_TRY(status);
    for (size_t k = 0; k < first; k++)
        if (!clup_problem_has_key(reader->pairs[k].key)) {
            status = clup_record_set(reader->record, reader->pairs[k].key, reader->pairs[k].value);
            if (status != CLUP_OK && status != CLUP_ERROR_MEMORY)
                CLUP_TRY(fail(reader, "%s", clup_error_detail()));
            CLUP_TRY(status);
        }
    for (uint32_t r = 0; r < problem.replicas; r++) {
        const char *spins = strstr(reader->pairs[first + r].value, " spins ");
        if (spins == NULL)
            CLUP_TRY(fail(reader, "system %" PRIu32 " has no spins", r));
        if (strcmp(spins + 7, "unknown") != 0 &&
            clup_record_set_spins(reader->record, r, spins + 7) != CLUP_OK)
            CLUP_TRY(fail(reader, "system %" PRIu32 ": %s", r, clup_error_detail()));
    }
done:
    free(betas);
    return status;
}

/* Reads "system,sweep,NAME,..". */
static clup_status read_names(reader *reader)
{
    static const char begin[] = "system,sweep";
    char *at = reader->line + strlen(begin);
    if (strncmp(reader->line, begin, strlen(begin)) != 0 || *at != ',')
        return fail(reader, "the columns are not %s,..: '%.40s'", begin, reader->line);
    while (*at == ',') {
        char *name = at + 1;
        at = name + strcspn(name, ",");
        const char end = *at;
        size_t row = 0;
        *at = '\0';
        if (clup_record_row(reader->record, name) < reader->record->name_count)
            return fail(reader, "two columns are called '%.80s'", name);
        if (clup_record_add_name(reader->record, name, &row) != CLUP_OK)
            return fail(reader, "%s", clup_error_detail());
        reader->columns[reader->column_count++] = row;
        *at = end;
    }
    return CLUP_OK;
}

/* Reads "SYSTEM,SWEEP,VALUE,.."; systems follow one another. */
static clup_status read_row(reader *reader)
{
    char *at = reader->line, *end;
    const unsigned long system = strtoul(at, &end, 10);
    if (end == at || *end != ',' || system >= reader->record->problem.replicas ||
        system < reader->system)
        return fail(reader, "no row of a system: '%.40s'", reader->line);
    if (system != reader->system)
        reader->rows = 0;
    reader->system = (uint32_t)system;
    record_system *into = &reader->record->systems[system];
    strtoull(at = end + 1, &end, 10);
    if (end == at || *end != ',')
        return fail(reader, "no sweep: '%.40s'", reader->line);
    for (size_t k = 0; k < reader->column_count; k++) {
        const double value = strtod(at = end + (*end == ','), &end);
        if (end == at || *end != (k + 1 < reader->column_count ? ',' : '\0') || !isfinite(value))
            return fail(reader, "column %zu is no number: '%.40s'", k + 3, at);
        const clup_status status = clup_record_reserve(into, reader->columns[k], into->count + 1);
        if (status != CLUP_OK)
            return status;
        into->series[reader->columns[k]][into->count] = value;
    }
    into->count++;
    return CLUP_OK;
}

/* Gives series to systems that have no rows. */
static clup_status finish_systems(reader *reader)
{
    clup_status status = CLUP_OK;
    for (uint32_t r = 0; r < reader->record->problem.replicas && status == CLUP_OK; r++)
        for (size_t k = 0; k < reader->column_count && status == CLUP_OK; k++)
            status = clup_record_reserve(&reader->record->systems[r], reader->columns[k], 0);
    return status;
}

static clup_status check_hash(reader *reader)
{
    char hex[65];
    clup_sha256_finish(&reader->hash, hex);
    if (strcmp(reader->line + strlen("# sha256 = "), hex) != 0)
        return fail(reader, "the file is damaged, or was changed: its SHA-256 is not this one");
    return fgetc(reader->from) == EOF ? CLUP_OK : fail(reader, "something follows the last line");
}

static clup_status read_all(reader *reader)
{
    clup_status status;
    if ((status = next_line(reader)) == CLUP_INTERRUPTED)
        return status;
    if (status != CLUP_OK || strcmp(reader->line, "# " CLUP_SERIES_FORM) != 0)
        return clup_fail(CLUP_ERROR_RUNTIME,
                         "'%s' is no file of series, as --series "
                         "writes",
                         reader->path);
    hash_line(reader);
    CLUP_TRY(next_line(reader));
    for (; reader->line[0] == '#'; status = next_line(reader)) {
        CLUP_TRY(status);
        hash_line(reader);
        CLUP_TRY(keep_pair(reader));
    }
    CLUP_TRY(status);
    CLUP_TRY(make_record(reader));
    hash_line(reader);
    CLUP_TRY(read_names(reader));
    CLUP_TRY(next_line(reader));
    while (strncmp(reader->line, "# sha256 = ", 11) != 0) {
        hash_line(reader);
        CLUP_TRY(read_row(reader));
        CLUP_TRY(next_line(reader));
    }
    CLUP_TRY(check_hash(reader));
    CLUP_TRY(finish_systems(reader));
done:
    return status;
}

clup_status clup_series_read_csv(FILE *from, const char *path, clup_record **out)
{
    reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return clup_fail_memory("the series");
    reader->from = from;
    reader->path = path;
    clup_sha256_start(&reader->hash);
    clup_status status = read_all(reader);
    if (status == CLUP_OK)
        *out = reader->record;
    else
        clup_record_free(reader->record);
    for (size_t k = 0; k < reader->count; k++)
        free(reader->pairs[k].key);
    free(reader->pairs);
    free(reader);
    return status;
}
