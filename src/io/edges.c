/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads edges of a graph from a file. */
#include "io/edges.h"

#include <inttypes.h>

#include "base/dtype.h"
#include "base/watch.h"
#include "io/zip.h"

/* Edges of an array that are looked at for the largest vertex between two questions whether to
 * stop. */
#define LOOKED ((uint64_t)1 << 24)

/* Returns the number of vertices of an array: the largest number, plus 1. Fails for a number that
 * no vertex can have. */
static clup_status count_vertices(const clup_input *input, clup_edges *edges)
{
    const uint64_t count = 2 * edges->edges;
    uint64_t most = 0;
    for (uint64_t k = 0; k < count; k++) {
        if (k % LOOKED == 0 && clup_watch_ask() != CLUP_OK)
            return CLUP_INTERRUPTED;
        uint64_t vertex = clup_value_get(edges->dtype, edges->ends, k);
        if (edges->dtype == CLUP_DTYPE_I32)
            vertex = (uint64_t)(int64_t)(int32_t)vertex;
        if (vertex >= CLUP_VERTICES_MOST)
            return edges->dtype != CLUP_DTYPE_U64 && (int64_t)vertex < 0
                       ? clup_input_fail(input, "edge %" PRIu64 " has the vertex %" PRIi64, k / 2,
                                         (int64_t)vertex)
                       : clup_input_fail(
                             input, "edge %" PRIu64 " has the vertex %" PRIu64 ", above 2^32 - 2",
                             k / 2, vertex);
        if (vertex > most)
            most = vertex;
    }
    edges->vertices = count > 0 ? most + 1 : 0;
    return CLUP_OK;
}

static clup_status take_array(clup_input *input, clup_edges *edges)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_npy_decode_whole(input, &edges->file));
    if (edges->file.axes != 2 || edges->file.size[0] != 2)
        return clup_input_fail(input, "an array of edges has the shape (edges, 2)");
    edges->edges = edges->file.size[1];
    edges->dtype = edges->file.dtype;
    edges->ends = edges->file.pixels;
    CLUP_TRY(count_vertices(input, edges));
done:
    return status;
}

clup_status clup_edges_decode(clup_input *input, clup_edges *edges, double **weights)
{
    const clup_status status = clup_input_reach(input, 8);
    if (status != CLUP_OK)
        return status;
    if (clup_npy_is(input))
        return weights == NULL ? take_array(input, edges)
                               : clup_input_fail(input, "arrays of edges have no weights");
    return clup_zip_is(input) ? clup_edges_decode_npz(input, edges, weights)
                              : clup_edges_decode_text(input, edges, weights);
}

clup_status clup_edges_read(const char *path, clup_edges *edges)
{
    clup_input input;
    clup_status status = CLUP_OK;
    CLUP_NEED(path);
    CLUP_NEED(edges);
    *edges = (clup_edges){0};
    CLUP_TRY(clup_input_open(path, UINT64_MAX / 4, &input));
    status = clup_edges_decode(&input, edges, NULL);
    clup_input_close(&input);
    if (status != CLUP_OK)
        clup_edges_clear(edges);
done:
    return status;
}

void clup_edges_clear(clup_edges *edges)
{
    if (edges == NULL)
        return;
    clup_image_clear(&edges->file);
    *edges = (clup_edges){0};
}
