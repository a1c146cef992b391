/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads edges from sparse matrices as scipy.sparse.save_npz writes them: an archive of NumPy
 * arrays. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/watch.h"
#include "io/edges.h"
#include "io/zip.h"

/* Numbers after which it is asked whether to stop. */
#define ASKED ((uint64_t)1 << 24)

/* An array of the archive. */
typedef struct part {
    char name[32];
    clup_input input; /* its file, which is in memory */
    clup_image array; /* whole numbers along one axis */
    uint64_t count;
} part;

static void clear(part *of)
{
    free(of->input.bytes);
    clup_image_clear(&of->array);
}

/* Takes a file out of the archive. Its input.bytes are NULL where the archive has none of that
 * name.
 */
static clup_status open_part(const clup_input *archive, const char *name, part *of)
{
    *of = (part){.input = {.name = archive->name, .most = archive->most}};
    snprintf(of->name, sizeof of->name, "%s.npy", name);
    const clup_status status = clup_zip_take(archive, of->name, &of->input.bytes, &of->input.size);
    of->input.capacity = of->input.size;
    if (status == CLUP_OK && of->input.bytes != NULL && !clup_npy_is(&of->input))
        return clup_input_fail(archive, "%s is no NumPy array", of->name);
    return status;
}

/* Opens an array of whole numbers, which must be there. */
static clup_status open_numbers(const clup_input *archive, const char *name, part *of)
{
    clup_status status = open_part(archive, name, of);
    CLUP_TRY(status);
    if (of->input.bytes == NULL)
        return clup_input_fail(archive, "the archive has no %s", of->name);
    CLUP_TRY(clup_npy_decode_whole(&of->input, &of->array));
    if (of->array.axes != 1)
        return clup_input_fail(archive, "%s has %u axes, not one", of->name, of->array.axes);
    of->count = of->array.size[0];
done:
    return status;
}

/* Returns number k of an array. Negative ones become larger than all others. */
static uint64_t number(const part *of, uint64_t k)
{
    const uint64_t value = clup_value_get(of->array.dtype, of->array.pixels, k);
    return of->array.dtype == CLUP_DTYPE_I32 ? (uint64_t)(int64_t)(int32_t)value : value;
}

/* Reads the format of the matrix, as scipy names it; "" for none. */
static clup_status read_format(const clup_input *archive, char format[8])
{
    part of;
    size_t data, used = 0;
    clup_status status = open_part(archive, "format", &of);
    format[0] = '\0';
    if (status == CLUP_OK && of.input.bytes != NULL) {
        status = clup_npy_data(&of.input, &data);
        /* of bytes, or of characters of 32 bits */
        for (size_t k = data; status == CLUP_OK && k < of.input.size && used < 7; k++)
            if (of.input.bytes[k] >= 'a' && of.input.bytes[k] <= 'z')
                format[used++] = (char)of.input.bytes[k];
        format[used] = '\0';
    }
    clear(&of);
    return status;
}

/* Reads the number of vertices: that of rows and of columns. */
static clup_status read_vertices(const clup_input *archive, uint64_t *vertices)
{
    part shape;
    clup_status status = open_numbers(archive, "shape", &shape);
    CLUP_TRY(status);
    if (shape.count != 2)
        CLUP_TRY(clup_input_fail(archive, "a matrix has two axes, not %" PRIu64, shape.count));
    if (number(&shape, 0) != number(&shape, 1))
        CLUP_TRY(clup_input_fail(archive,
                                 "the matrix has %" PRIu64 " rows and %" PRIu64
                                 " columns: that of a graph is square",
                                 number(&shape, 0), number(&shape, 1)));
    *vertices = number(&shape, 0);
    if (*vertices > CLUP_VERTICES_MOST)
        status = clup_input_fail(archive, "%" PRIu64 " vertices are more than 2^32 - 1", *vertices);
done:
    clear(&shape);
    return status;
}

/* Makes room for edges. */
static clup_status make_edges(const clup_input *archive, uint64_t count, clup_edges *edges)
{
    const clup_status status = clup_input_room(archive, 8 * count);
    if (status != CLUP_OK)
        return status;
    if ((edges->file.pixels = malloc((size_t)(8 * count + 1))) == NULL)
        return clup_fail_memory(archive->name);
    edges->ends = edges->file.pixels;
    edges->dtype = CLUP_DTYPE_U32;
    edges->edges = count;
    return CLUP_OK;
}

static clup_status fail_vertex(const clup_input *archive, const part *of, uint64_t k,
                               uint64_t vertices)
{
    return clup_input_fail(archive,
                           "%s: entry %" PRIu64 " is the vertex %" PRIi64 ", there are %" PRIu64,
                           of->name, k, (int64_t)number(of, k), vertices);
}

/* Reads entries by the numbers of their rows and columns (coo). */
static clup_status read_pairs(const clup_input *archive, clup_edges *edges)
{
    part ends[2] = {0};
    clup_status status = CLUP_OK;
    CLUP_TRY(open_numbers(archive, "row", &ends[0]));
    CLUP_TRY(open_numbers(archive, "col", &ends[1]));
    if (ends[0].count != ends[1].count)
        CLUP_TRY(clup_input_fail(archive, "row.npy has %" PRIu64 " entries, col.npy %" PRIu64,
                                 ends[0].count, ends[1].count));
    CLUP_TRY(make_edges(archive, ends[0].count, edges));
    uint32_t *to = edges->file.pixels;
    for (uint64_t k = 0; k < 2 * edges->edges; k++) {
        const uint64_t vertex = number(&ends[k % 2], k / 2);
        if (k % ASKED == 0)
            CLUP_TRY(clup_watch_ask());
        if (vertex >= edges->vertices)
            CLUP_TRY(fail_vertex(archive, &ends[k % 2], k / 2, edges->vertices));
        to[k] = (uint32_t)vertex;
    }
done:
    clear(&ends[0]);
    clear(&ends[1]);
    return status;
}

/* Reads entries row by row, or column by column (csr, csc). */
static clup_status read_rows(const clup_input *archive, clup_edges *edges)
{
    part starts = {0}, others = {0};
    clup_status status = CLUP_OK;
    CLUP_TRY(open_numbers(archive, "indptr", &starts));
    CLUP_TRY(open_numbers(archive, "indices", &others));
    if (starts.count != edges->vertices + 1)
        CLUP_TRY(clup_input_fail(archive, "indptr.npy has %" PRIu64 " numbers, not %" PRIu64,
                                 starts.count, edges->vertices + 1));
    if (number(&starts, 0) != 0 || number(&starts, edges->vertices) != others.count)
        CLUP_TRY(clup_input_fail(
            archive, "indptr.npy leads from %" PRIi64 " to %" PRIi64 ", not from 0 to %" PRIu64,
            (int64_t)number(&starts, 0), (int64_t)number(&starts, edges->vertices), others.count));
    CLUP_TRY(make_edges(archive, others.count, edges));
    uint32_t(*to)[2] = edges->file.pixels;
    for (uint64_t v = 0, k = 0; v < edges->vertices; v++) {
        const uint64_t end = number(&starts, v + 1);
        if (end < k || end > others.count)
            CLUP_TRY(
                clup_input_fail(archive, "indptr.npy falls, or leads too far, at %" PRIu64, v));
        for (; k < end; k++) {
            const uint64_t vertex = number(&others, k);
            if (k % ASKED == 0)
                CLUP_TRY(clup_watch_ask());
            if (vertex >= edges->vertices)
                CLUP_TRY(fail_vertex(archive, &others, k, edges->vertices));
            to[k][0] = (uint32_t)v;
            to[k][1] = (uint32_t)vertex;
        }
    }
done:
    clear(&starts);
    clear(&others);
    return status;
}

/* Reads the values of the entries, in their order. */
static clup_status read_weights(const clup_input *archive, uint64_t edges, double **weights)
{
    part of;
    clup_status status = open_part(archive, "data", &of);
    CLUP_TRY(status);
    if (of.input.bytes == NULL)
        CLUP_TRY(clup_input_fail(archive, "the archive has no %s", of.name));
    CLUP_TRY(clup_npy_decode_numbers(&of.input, &of.array));
    if (of.array.axes != 1 || of.array.size[0] != edges)
        CLUP_TRY(clup_input_fail(archive, "%s is no array of %" PRIu64 " numbers", of.name, edges));
    CLUP_TRY(clup_input_room(archive, edges * sizeof **weights));
    if ((*weights = malloc((size_t)(edges * sizeof **weights + 1))) == NULL)
        CLUP_TRY(clup_fail_memory(archive->name));
    for (uint64_t k = 0; k < edges; k++)
        (*weights)[k] = clup_value_number(of.array.dtype,
                                          clup_value_get(of.array.dtype, of.array.pixels, k));
done:
    clear(&of);
    return status;
}

clup_status clup_edges_decode_npz(clup_input *input, clup_edges *edges, double **weights)
{
    char format[8];
    clup_status status = clup_input_reach(input, input->most);
    CLUP_TRY(status);
    CLUP_TRY(read_format(input, format));
    const bool rows = strcmp(format, "csr") == 0 || strcmp(format, "csc") == 0;
    if (format[0] == '\0')
        return clup_input_fail(input, "the archive has no sparse matrix");
    if (!rows && strcmp(format, "coo") != 0)
        return clup_input_fail(input,
                               "sparse matrices of the format %s are not read; there is csr, csc "
                               "and coo",
                               format);
    CLUP_TRY(read_vertices(input, &edges->vertices));
    CLUP_TRY(rows ? read_rows(input, edges) : read_pairs(input, edges));
    if (weights != NULL)
        CLUP_TRY(read_weights(input, edges->edges, weights));
done:
    return status;
}
