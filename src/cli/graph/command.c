/* SPDX-License-Identifier: BSD-3-Clause */
/* clup graph: finds the connected components of a graph. */
#include "cli/graph/graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/paths.h"
#include "cli/simulate/simulate.h"

static graph_request request;

CLI_SET(set_output, output, value)
CLI_SET(set_sizes, sizes, value)
CLI_SET(set_device, device, value)
CLI_SET(set_reference, reference, 1)
CLI_SET(set_json, json, 1)
CLI_SET(set_quiet, quiet, 1)

static clup_status set_vertices(void *target, const char *value)
{
    (void)target;
    return cli_parse_whole(value, 1, CLUP_VERTICES_MOST, &request.vertices);
}

/* The first operand is the task, the second one the file. */
static clup_status set_operand(void *target, const char *value)
{
    (void)target;
    if (request.task)
        request.input = value;
    else if (strcmp(value, "label") == 0)
        request.task = 1;
    else
        return cli_refuse("is no task; there is label");
    return CLUP_OK;
}

static const cli_operand operand = {
    {"label EDGES", 0, "label|F",
     "the task, and a file of edges: .npy, .npz, Matrix Market or text", set_operand},
    2,
    2,
};

static const cli_option options[] = {
    {"vertices", 'n', "N", "vertices of the graph (the largest number in the file, plus 1)",
     set_vertices},
    {"output", 'o', "F.npy|-", "write the number of each vertex's component, from 0 on",
     set_output},
    {"sizes", 0, "F.npy", "write the number of vertices of each component", set_sizes},
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", set_device},
    {"reference", 0, NULL, "find them by a serial union-find instead of a device", set_reference},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {"quiet", 'q', NULL, "no progress bar", set_quiet},
    {0},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int code_of(clup_status status)
{
    return status == CLUP_OK ? 0 : cli_fail(status);
}

/* Validates what can be validated before the file is read. */
static int settle(void)
{
    const char *const files[] = {request.output, request.sizes};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        if (files[k] == NULL || (k == 0 && cli_is_stdout(files[k])))
            continue;
        if (!cli_has_extension(files[k], ".npy"))
            return cli_usage_error("%s '%s' is no .npy", k == 0 ? "--output" : "--sizes", files[k]);
        const int code = code_of(clup_file_writable(files[k]));
        if (code != 0)
            return code;
    }
    if (request.output != NULL && request.sizes != NULL &&
        cli_same_file(request.output, request.sizes))
        return cli_usage_error("--output and --sizes both name '%s'", request.output);
    if (request.json && cli_is_stdout(request.output))
        return cli_usage_error("--json and --output - both need standard output");
    if (request.reference && request.device != NULL)
        return cli_usage_error("--reference needs no --device");
    return 0;
}

static int read_edges(graph_result *result)
{
    const double start = seconds();
    const int code = code_of(clup_edges_read(request.input, &result->edges));
    result->read_s = seconds() - start;
    if (code != 0)
        return code;
    if (request.vertices > 0 && request.vertices < result->edges.vertices)
        return cli_usage_error("--vertices '%" PRIu64 "': '%s' has %" PRIu64, request.vertices,
                               request.input, result->edges.vertices);
    if (request.vertices > 0)
        result->edges.vertices = request.vertices;
    return 0;
}

/* Finds the components. The first graph of a context includes compiling and a known-answer test,
 * which the time leaves out. */
static clup_status find_components(clup_context *context, graph_result *result)
{
    const clup_edges *edges = &result->edges;
    clup_components *components = NULL;
    clup_status status = clup_components_create(context, edges->vertices, &components);
    const double start = seconds();
    if (status == CLUP_OK)
        status = clup_components_add(components, edges->ends, edges->dtype, edges->edges);
    if (status == CLUP_OK)
        status = clup_components_labels(components, result->labels, &result->components);
    result->wall_s = seconds() - start;
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

static int label(clup_context **context, graph_result *result)
{
    int code = settle();
    cli_watch(request.quiet);
    if (code != 0 || (code = read_edges(result)) != 0)
        return code;
    const uint64_t vertices = result->edges.vertices;
    if (vertices == 0 && (request.output != NULL || request.sizes != NULL))
        return cli_usage_error("'%s' has no edges: give --vertices", request.input);
    if ((result->labels = malloc((vertices + 1) * sizeof *result->labels)) == NULL)
        return cli_fail_memory("the numbers of components");
    if (request.reference)
        result->device = simulate_host();
    else {
        if ((code = code_of(cli_context_create(request.device, context))) != 0)
            return code;
        result->device = *clup_context_device(*context);
    }
    code = code_of(find_components(*context, result));
    cli_clear();
    if (code != 0 || (code = count_sizes(result)) != 0)
        return code;
    if (request.json)
        code = code_of(clup_labels_sha256(NULL, result->labels, vertices, result->labels_sha256));
    if (code == 0)
        code = code_of(write_numbers(request.output, result->labels, vertices,
                                     result->components > 0 ? result->components - 1 : 0));
    if (code == 0)
        code = code_of(
            write_numbers(request.sizes, result->sizes, result->components, result->largest));
    if (code != 0)
        return code;
    if (request.json)
        graph_write_json(result);
    else if (!cli_is_stdout(request.output))
        graph_print_table(result);
    return 0;
}

static int run(void)
{
    clup_context *context = NULL;
    graph_result result = {.request = &request};
    const int code = label(&context, &result);
    clup_context_free(context);
    clup_edges_clear(&result.edges);
    free(result.labels);
    free(result.sizes);
    return code;
}

static void more_help(FILE *to)
{
    fputs("\nfiles of edges\n"
          "  NumPy          .npy of shape (edges, 2), integers of 32 or 64 bits\n"
          "  .npz           a square sparse matrix of scipy's, csr, csc or coo\n"
          "  Matrix Market  a square sparse matrix, whose entries are edges\n"
          "  text           lines of two numbers from 0 on; more columns are ignored\n",
          to);
}

const cli_command cli_graph = {
    "graph",  "finds the connected components of a graph",
    options,  &request,
    run,      more_help,
    &operand, NULL,
};
