/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes graphs that take the place of lattices. */
#include "core/graph.h"

#include <inttypes.h>
#include <stdlib.h>

#include "graph/components.h"

clup_status clup_graph_make(const clup_edges *edges, const clup_graph **out)
{
    CLUP_NEED(edges);
    CLUP_NEED(out);
    const clup_ends ends = {.ends = edges->ends,
                            .dtype = edges->dtype,
                            .vertices = edges->vertices,
                            .edges = edges->edges};
    clup_status status = CLUP_OK;
    uint32_t(*pairs)[2] = NULL;
    *out = NULL;
    CLUP_TRY(CLUP_RESERVED(edges, "clup_edges"));
    if (ends.edges == 0)
        return clup_fail(CLUP_ERROR_USAGE, "the graph has no edges");
    CLUP_NEED(edges->ends);
    if (ends.edges > CLUP_SITES_32 || ends.vertices > CLUP_SITES_32)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " vertices and %" PRIu64 " edges: at most %u of each",
                         ends.vertices, ends.edges, CLUP_SITES_32);
    CLUP_TRY(clup_ends_check(&ends));
    if ((pairs = malloc(ends.edges * sizeof *pairs)) == NULL)
        return clup_fail_memory("the graph");
    CLUP_TRY(clup_ends_take(&ends, 0, ends.edges, pairs));
    return clup_graph_keep(ends.vertices, ends.edges, pairs, NULL, out);
done:
    free(pairs);
    return status;
}
