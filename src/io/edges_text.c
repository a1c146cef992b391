/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads edges from texts: from Matrix Market files, and from tables with two columns and more.
 * Matrix Market's format: https://math.nist.gov/MatrixMarket/formats.html */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/watch.h"
#include "io/edges.h"

#define BANNER "%%MatrixMarket"
/* Lines after which it is asked whether to stop. */
#define ASKED 0x100000u
/* Characters of a word that a message quotes. */
#define QUOTED 40

/* A text, and the edges that were read of it. */
typedef struct reader {
    const clup_input *input;
    const char *at, *end;
    uint64_t line; /* from 1 on */
    uint32_t (*ends)[2];
    double *weights;
    bool weighted; /* weights are wanted, of as many edges */
    uint64_t count, room;
    uint32_t most; /* the largest vertex */
} reader;

/* Returns the end of the line. */
static const char *line_end(const reader *reader)
{
    const char *end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    return end != NULL ? end : reader->end;
}

static bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

static const char *skip(const char *at, const char *end)
{
    while (at < end && is_separator(*at))
        at++;
    return at;
}

/* Reads a whole number, and moves *at behind it. Returns false for something else, and for a number
 * of more than 63 bits. */
static bool whole(const char **at, const char *end, uint64_t *number)
{
    const char *digit = *at;
    for (*number = 0; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
        if (*number > (INT64_MAX - 9) / 10)
            return false;
        *number = 10 * *number + (uint64_t)(*digit - '0');
    }
    if (digit == *at || (digit < end && !is_separator(*digit)))
        return false;
    *at = digit;
    return true;
}

static clup_status fail_word(const reader *reader, const char *at, const char *end,
                             const char *what)
{
    char word[QUOTED + 1];
    size_t length = 0;
    for (; at < end && !is_separator(*at) && length < QUOTED; at++)
        word[length++] = isprint((unsigned char)*at) ? *at : '?';
    word[length] = '\0';
    return length == 0
               ? clup_input_fail(reader->input, "line %" PRIu64 " has no %s", reader->line, what)
               : clup_input_fail(reader->input, "line %" PRIu64 ": '%s' is no %s", reader->line,
                                 word, what);
}

/* Makes an array larger, from the room that it has to more room. */
static clup_status grow(const reader *reader, void **array, uint64_t room, size_t each)
{
    const clup_status status = clup_input_room(reader->input, (room - reader->room) * each);
    if (status != CLUP_OK)
        return status;
    void *larger = realloc(*array, room * each);
    if (larger == NULL)
        return clup_fail_memory(reader->input->name);
    *array = larger;
    return CLUP_OK;
}

static clup_status keep(reader *reader, uint64_t a, uint64_t b, double weight)
{
    clup_status status = CLUP_OK;
    if (reader->count == reader->room) {
        const uint64_t room = reader->room < 4096 ? 4096 : 2 * reader->room;
        void *ends = reader->ends, *weights = reader->weights;
        status = grow(reader, &ends, room, sizeof *reader->ends);
        reader->ends = ends;
        if (status == CLUP_OK && reader->weighted)
            status = grow(reader, &weights, room, sizeof *reader->weights);
        reader->weights = weights;
        if (status != CLUP_OK)
            return status;
        reader->room = room;
    }
    reader->ends[reader->count][0] = (uint32_t)a;
    reader->ends[reader->count][1] = (uint32_t)b;
    if (reader->weighted)
        reader->weights[reader->count] = weight;
    reader->count++;
    if ((uint32_t)(a > b ? a : b) > reader->most)
        reader->most = (uint32_t)(a > b ? a : b);
    return CLUP_OK;
}

/* Reads a number at the beginning of a line's rest. */
static clup_status read_weight(const reader *reader, const char *at, const char *end,
                               double *weight)
{
    char word[400];
    size_t length = 0;
    at = skip(at, end);
    const char *from = at;
    for (; from < end && !is_separator(*from) && length < sizeof word - 1; from++)
        word[length++] = *from;
    const bool whole_word = from == end || is_separator(*from);
    word[length] = '\0';
    char *after = word;
    *weight = strtod(word, &after);
    return length > 0 && whole_word && *after == '\0' && isfinite(*weight)
               ? CLUP_OK
               : fail_word(reader, at, end, "weight of an edge");
}

/* Reads both ends of an edge, from least to most, and its weight where weights are wanted. */
static clup_status read_edge(reader *reader, const char *end, uint64_t least, uint64_t most)
{
    const char *at = reader->at;
    uint64_t ends[2];
    for (unsigned k = 0; k < 2; k++) {
        const char *const word = at = skip(at, end);
        if (!whole(&at, end, &ends[k]))
            return fail_word(reader, word, end, "number of a vertex");
        if (ends[k] < least || ends[k] > most)
            return clup_input_fail(reader->input,
                                   "line %" PRIu64 ": the vertex %" PRIu64 " is not one of %" PRIu64
                                   " to %" PRIu64,
                                   reader->line, ends[k], least, most);
    }
    double weight = 0;
    const clup_status status = reader->weighted ? read_weight(reader, at, end, &weight) : CLUP_OK;
    return status == CLUP_OK ? keep(reader, ends[0] - least, ends[1] - least, weight) : status;
}

/* Goes to the next line that is not empty and does not begin with a comment's mark. *end becomes
 * its end. Returns false at the end of the text. */
static bool next_line(reader *reader, const char **end)
{
    for (;;) {
        if (reader->at >= reader->end)
            return false;
        reader->line++;
        *end = line_end(reader);
        reader->at = skip(reader->at, *end);
        if (reader->at < *end && *reader->at != '#' && *reader->at != '%')
            return true;
        reader->at = *end + (*end < reader->end);
    }
}

static clup_status read_lines(reader *reader, uint64_t least, uint64_t most)
{
    const char *end;
    clup_status status = CLUP_OK;
    while (next_line(reader, &end)) {
        if (reader->line % ASKED == 0)
            CLUP_TRY(clup_watch_ask());
        CLUP_TRY(read_edge(reader, end, least, most));
        reader->at = end + (end < reader->end);
    }
done:
    return status;
}

/* ---- the formats ----------------------------------------------------------------------------- */

/* Whether the word at the beginning of *at is one of words, which end with NULL; moves *at behind
 * it. */
static bool is_word(const char **at, const char *end, const char *const *words)
{
    *at = skip(*at, end);
    for (; *words != NULL; words++) {
        const size_t length = strlen(*words);
        if ((size_t)(end - *at) >= length && strncasecmp(*at, *words, length) == 0 &&
            (*at + length == end || is_separator((*at)[length]))) {
            *at += length;
            return true;
        }
    }
    return false;
}

static clup_status read_matrix(reader *reader, uint64_t *vertices)
{
    static const char *const words[4][6] = {
        {"matrix", NULL},
        {"coordinate", NULL},
        {"real", "integer", "unsigned-integer", "pattern", "complex", NULL},
        {"general", "symmetric", "skew-symmetric", "hermitian", NULL}};
    static const char *const unweighted[] = {"pattern", "complex", NULL};
    static const char *const names[4] = {"matrix", "sparse matrix (coordinate)", "field of numbers",
                                         "symmetry"};
    const char *end = line_end(reader), *at = reader->at + strlen(BANNER);
    uint64_t numbers[3];
    clup_status status = CLUP_OK;
    reader->line = 1;
    for (unsigned k = 0; k < 4; k++) {
        const char *const word = at;
        if (!is_word(&at, end, words[k]))
            return fail_word(reader, at, end, names[k]);
        if (k == 2 && reader->weighted && is_word(&(const char *){word}, end, unweighted))
            return clup_input_fail(reader->input, "the entries of the matrix are no real numbers");
    }
    reader->at = end + (end < reader->end);
    if (!next_line(reader, &end))
        return clup_input_fail(reader->input, "the file ends before the size of the matrix");
    at = reader->at;
    for (unsigned k = 0; k < 3; k++) {
        const char *const word = at = skip(at, end);
        if (!whole(&at, end, &numbers[k]))
            return fail_word(reader, word, end, "number of rows, columns or entries");
    }
    if (numbers[0] != numbers[1])
        return clup_input_fail(reader->input,
                               "the matrix has %" PRIu64 " rows and %" PRIu64
                               " columns: that of a graph is square",
                               numbers[0], numbers[1]);
    if (numbers[0] > CLUP_VERTICES_MOST)
        return clup_input_fail(reader->input, "%" PRIu64 " vertices are more than 2^32 - 1",
                               numbers[0]);
    *vertices = numbers[0];
    reader->at = end + (end < reader->end);
    CLUP_TRY(read_lines(reader, 1, *vertices));
    if (reader->count != numbers[2])
        CLUP_TRY(clup_input_fail(reader->input, "the matrix has %" PRIu64 " entries, not %" PRIu64,
                                 reader->count, numbers[2]));
done:
    return status;
}

/* Skips a first line that has names of columns. */
static void skip_names(reader *reader)
{
    const char *const start = reader->at, *end;
    if (next_line(reader, &end) &&
        (isalpha((unsigned char)*reader->at) || *reader->at == '"' || *reader->at == '_')) {
        reader->at = end + (end < reader->end);
        return;
    }
    reader->at = start;
    reader->line = 0;
}

clup_status clup_edges_decode_text(clup_input *input, clup_edges *edges, double **weights)
{
    reader reader = {.input = input, .weighted = weights != NULL};
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_input_reach(input, input->most));
    reader.at = (const char *)input->bytes;
    reader.end = reader.at + input->size;
    /* UTF-8's mark at the beginning of a text, as spreadsheets write it */
    if (input->size >= 3 && memcmp(reader.at, "\xEF\xBB\xBF", 3) == 0)
        reader.at += 3;
    if (input->size > 0 && memchr(input->bytes, '\0', input->size) != NULL)
        CLUP_TRY(clup_input_fail(input, "the file is neither a text nor a NumPy array"));
    if ((size_t)(reader.end - reader.at) >= strlen(BANNER) &&
        strncasecmp(reader.at, BANNER, strlen(BANNER)) == 0)
        CLUP_TRY(read_matrix(&reader, &edges->vertices));
    else {
        skip_names(&reader);
        CLUP_TRY(read_lines(&reader, 0, CLUP_VERTICES_MOST - 1));
        edges->vertices = reader.count > 0 ? (uint64_t)reader.most + 1 : 0;
    }
    edges->edges = reader.count;
    edges->dtype = CLUP_DTYPE_U32;
    edges->ends = reader.ends;
    edges->file.pixels = reader.ends;
    if (weights != NULL)
        *weights = reader.weights;
done:
    if (status != CLUP_OK) {
        free(reader.ends);
        free(reader.weights);
    }
    return status;
}
