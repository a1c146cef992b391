/* SPDX-License-Identifier: BSD-3-Clause */
/* clup graph label: finds the connected components of a graph. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph/graph.h"
#include "cli/paths.h"
#include "cli/simulate/simulate.h"

/* Validates what can be validated before the file is read. */
static int settle(const graph_request *request)
{
    const char *const files[] = {request->output, request->sizes};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        if (files[k] == NULL || (k == 0 && cli_is_stdout(files[k])))
            continue;
        if (!cli_has_extension(files[k], ".npy"))
            return cli_usage_error("%s '%s' is no .npy", k == 0 ? "--output" : "--sizes", files[k]);
        const int code = graph_code(clup_file_writable(files[k]));
        if (code != 0)
            return code;
    }
    if (request->output != NULL && request->sizes != NULL &&
        cli_same_file(request->output, request->sizes))
        return cli_usage_error("--output and --sizes both name '%s'", request->output);
    if (request->json && cli_is_stdout(request->output))
        return cli_usage_error("--json and --output - both need standard output");
    return 0;
}

/* Finds the components. The first graph of a context includes compiling and a known-answer test,
 * which the time leaves out. */
static clup_status find_components(clup_context *context, graph_result *result)
{
    const clup_edges *edges = &result->edges;
    clup_components *components = NULL;
    clup_status status = clup_components_create(context, edges->vertices, &components);
    const double start = graph_seconds();
    if (status == CLUP_OK)
        status = clup_components_add(components, edges->ends, edges->dtype, edges->edges);
    if (status == CLUP_OK)
        status = clup_components_labels(components, result->labels, &result->components);
    result->wall_s = graph_seconds() - start;
    clup_components_free(components);
    return status;
}

/* Counts the vertices of each component. */
static int count_sizes(graph_result *result)
{
    const uint64_t vertices = result->edges.vertices;
    result->sizes = calloc((uint64_t)result->components + 1, sizeof *result->sizes);
    if (result->sizes == NULL)
        return cli_fail_memory("the sizes of components");
    for (uint64_t v = 0; v < vertices; v++)
        result->sizes[result->labels[v]]++;
    for (uint32_t k = 0; k < result->components; k++) {
        result->isolated += result->sizes[k] == 1;
        if (result->sizes[k] > result->largest)
            result->largest = result->sizes[k];
    }
    return 0;
}

static clup_status write_numbers(const char *path, const uint32_t *numbers, uint64_t count,
                                 uint32_t most)
{
    const uint32_t size[3] = {(uint32_t)count, 1, 1};
    return path == NULL ? CLUP_OK : clup_labels_write(NULL, path, numbers, size, 1, most);
}

int graph_label(const graph_request *request, clup_context **context, graph_result *result)
{
    int code = settle(request);
    cli_watch(request->quiet);
    if (code != 0 || (code = graph_read(request, result)) != 0)
        return code;
    const uint64_t vertices = result->edges.vertices;
    if (vertices == 0 && (request->output != NULL || request->sizes != NULL))
        return cli_usage_error("'%s' has no edges: give --vertices", request->input);
    if ((result->labels = malloc((vertices + 1) * sizeof *result->labels)) == NULL)
        return cli_fail_memory("the numbers of components");
    if ((code = graph_open(request, context, result)) != 0)
        return code;
    code = graph_code(find_components(*context, result));
    cli_clear();
    if (code != 0 || (code = count_sizes(result)) != 0)
        return code;
    if (request->json)
        code = graph_code(
            clup_labels_sha256(NULL, result->labels, vertices, result->labels_sha256));
    if (code == 0)
        code = graph_code(write_numbers(request->output, result->labels, vertices,
                                        result->components > 0 ? result->components - 1 : 0));
    if (code == 0)
        code = graph_code(
            write_numbers(request->sizes, result->sizes, result->components, result->largest));
    if (code != 0)
        return code;
    if (request->json)
        graph_write_json(result);
    else if (!cli_is_stdout(request->output))
        graph_print_table(result);
    return 0;
}
