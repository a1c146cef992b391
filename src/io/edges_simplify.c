/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a graph simple. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "graph/components.h"
#include "io/edges.h"

static int by_ends(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

clup_status clup_edges_simplify(clup_edges *edges)
{
    uint32_t(*pairs)[2] = NULL;
    uint64_t kept = 0;
    clup_status status = CLUP_OK;
    CLUP_NEED(edges);
    if (edges->edges == 0) {
        edges->dtype = CLUP_DTYPE_U32;
        return CLUP_OK;
    }
    CLUP_NEED(edges->ends);
    const clup_ends ends = {.ends = edges->ends,
                            .dtype = edges->dtype,
                            .vertices = edges->vertices,
                            .edges = edges->edges};
    CLUP_TRY(clup_ends_check(&ends));
    if ((pairs = malloc(edges->edges * sizeof *pairs)) == NULL)
        CLUP_TRY(clup_fail_memory("edges"));
    CLUP_TRY(clup_ends_take(&ends, 0, edges->edges, pairs));
    for (uint64_t e = 0; e < edges->edges; e++) {
        const uint32_t a = pairs[e][0], b = pairs[e][1];
        if (a == b)
            continue;
        pairs[kept][0] = a < b ? a : b;
        pairs[kept++][1] = a < b ? b : a;
    }
    qsort(pairs, kept, sizeof *pairs, by_ends);
    uint64_t different = 0;
    for (uint64_t e = 0; e < kept; e++)
        if (e == 0 || by_ends(pairs[e - 1], pairs[e]) != 0) {
            const uint32_t a = pairs[e][0], b = pairs[e][1];
            pairs[different][0] = a;
            pairs[different++][1] = b;
        }
    const uint64_t vertices = edges->vertices;
    clup_edges_clear(edges);
    *edges = (clup_edges){
        .vertices = vertices, .edges = different, .dtype = CLUP_DTYPE_U32, .ends = pairs};
    edges->file.pixels = pairs;
    pairs = NULL;
done:
    free(pairs);
    return status;
}
