/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tasks of clup graph begin with: a file of edges, and a device. */
#include <inttypes.h>
#include <time.h>

#include "cli/graph/graph.h"
#include "cli/simulate/simulate.h"

double graph_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int graph_code(clup_status status)
{
    return status == CLUP_OK ? 0 : cli_fail(status);
}

int graph_read(const graph_request *request, graph_result *result)
{
    const double start = graph_seconds();
    const int code = graph_code(clup_edges_read(request->input, &result->edges));
    result->read_s = graph_seconds() - start;
    if (code != 0)
        return code;
    if (request->simple) {
        const int simple = graph_code(clup_edges_simplify(&result->edges));
        if (simple != 0)
            return simple;
    }
    if (request->vertices > 0 && request->vertices < result->edges.vertices)
        return cli_usage_error("--vertices '%" PRIu64 "': '%s' has %" PRIu64, request->vertices,
                               request->input, result->edges.vertices);
    if (request->vertices > 0)
        result->edges.vertices = request->vertices;
    return 0;
}

int graph_open(const graph_request *request, clup_context **context, graph_result *result)
{
    if (request->reference)
        result->device = simulate_host();
    else {
        const int code = graph_code(cli_context_create(request->device, context));
        if (code != 0)
            return code;
        result->device = *clup_context_device(*context);
    }
    return 0;
}
