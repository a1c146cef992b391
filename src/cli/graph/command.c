/* SPDX-License-Identifier: BSD-3-Clause */
/* clup graph: finds the connected components of a graph, or lets clusters percolate on it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph/graph.h"

static graph_request request = {.samples = 1000, .seed = 1};

CLI_SET(set_output, output, value)
CLI_SET(set_sizes, sizes, value)
CLI_SET(set_steps, steps, value)
CLI_SET(set_series, series, value)
CLI_SET(set_device, device, value)
CLI_SET(set_simple, simple, 1)
CLI_SET(set_reference, reference, 1)
CLI_SET(set_json, json, 1)
CLI_SET(set_quiet, quiet, 1)

static clup_status set_vertices(void *target, const char *value)
{
    (void)target;
    return cli_parse_whole(value, 1, CLUP_VERTICES_MOST, &request.vertices);
}

static clup_status set_kind(void *target, const char *value)
{
    (void)target;
    request.of_sites = strcmp(value, "site") == 0;
    return request.of_sites || strcmp(value, "bond") == 0 ? CLUP_OK
                                                          : cli_refuse("is not bond, nor site");
}

static clup_status set_algorithm(void *target, const char *value)
{
    (void)target;
    request.direct = strcmp(value, "direct") == 0;
    return request.direct || strcmp(value, "newman-ziff") == 0
               ? CLUP_OK
               : cli_refuse("is not newman-ziff, nor direct");
}

static clup_status set_ps(void *target, const char *value)
{
    (void)target;
    return cli_parse_numbers(value, &request.ps, &request.p_count);
}

static clup_status set_samples(void *target, const char *value)
{
    (void)target;
    return cli_parse_whole(value, 1, UINT32_MAX, &request.samples);
}

static clup_status set_seed(void *target, const char *value)
{
    (void)target;
    return cli_parse_whole(value, 0, UINT64_MAX, &request.seed);
}

/* The first operand is the task, the second one the file. */
static clup_status set_operand(void *target, const char *value)
{
    (void)target;
    if (request.task != GRAPH_NO_TASK)
        request.input = value;
    else if (strcmp(value, "label") == 0)
        request.task = GRAPH_LABEL;
    else if (strcmp(value, "percolate") == 0)
        request.task = GRAPH_PERCOLATE;
    else
        return cli_refuse("is no task; there are label, percolate and simulate");
    return CLUP_OK;
}

static const cli_operand operand = {
    {"label|percolate|simulate EDGES", 0, "label|percolate|simulate|F",
     "the task, and a file of edges: .npy, .npz, Matrix Market or text; simulate takes the "
     "options of clup simulate",
     set_operand},
    2,
    2,
};

static const cli_option options[] = {
    {"vertices", 'n', "N", "vertices of the graph (the largest number in the file, plus 1)",
     set_vertices},
    {"simple", 0, NULL, "no loops, and one edge of those that connect the same two vertices",
     set_simple},
    {"output", 'o', "F.npy|-", "label: write the number of each vertex's component, from 0 on",
     set_output},
    {"sizes", 0, "F.npy", "label: write the number of vertices of each component", set_sizes},
    {"kind", 0, "bond|site", "percolate: edges become active, or vertices occupied (bond)",
     set_kind},
    {"algorithm", 0, "newman-ziff|direct",
     "percolate: an edge or vertex at a time for all p, or samples at each p (newman-ziff)",
     set_algorithm},
    {"ps", 0, "FROM:TO:N|X,X,..", "percolate: probabilities, 0 to 1", set_ps},
    {"samples", 0, "N", "percolate: independent samples, at least 1 (1000)", set_samples},
    {"seed", 0, "N", "percolate: seed of the random numbers (1)", set_seed},
    {"steps", 0, "F.csv|-", "percolate: write the means after each edge or vertex", set_steps},
    {"series", 0, "F.h5|F.csv", "percolate: write the values of each sample of direct", set_series},
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", set_device},
    {"reference", 0, NULL, "work on the host, one edge after the other, instead of a device",
     set_reference},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {"quiet", 'q', NULL, "no progress bar", set_quiet},
    {0},
};

/* Refuses options of the other task. */
static int check_options(void)
{
    static const char *const of[][8] = {
        [GRAPH_LABEL] = {"algorithm", "kind", "ps", "samples", "seed", "steps", "series"},
        [GRAPH_PERCOLATE] = {"output", "sizes"},
    };
    for (const char *const *name = of[request.task]; *name != NULL; name++)
        if (cli_given(*name))
            return cli_usage_error("graph %s has no --%s",
                                   request.task == GRAPH_LABEL ? "label" : "percolate", *name);
    return 0;
}

static int run(void)
{
    clup_context *context = NULL;
    graph_result result = {.request = &request};
    int code = check_options();
    if (code == 0)
        code = (request.task == GRAPH_LABEL ? graph_label : graph_percolate)(&request, &context,
                                                                             &result);
    clup_context_free(context);
    clup_edges_clear(&result.edges);
    free(result.labels);
    free(result.sizes);
    free(request.ps);
    return code;
}

static void more_help(FILE *to)
{
    fputs("\nfiles of edges\n"
          "  NumPy          .npy of shape (edges, 2), integers of 32 or 64 bits\n"
          "  .npz           a square sparse matrix of scipy's, csr, csc or coo\n"
          "  Matrix Market  a square sparse matrix, whose entries are edges\n"
          "  text           lines of two numbers from 0 on; more columns are ignored\n"
          "\nclup graph simulate EDGES takes the options of clup simulate after EDGES\n",
          to);
}

const cli_command cli_graph = {
    "graph",  "finds the connected components of a graph, or percolates on it",
    options,  &request,
    run,      more_help,
    &operand, NULL,
};
