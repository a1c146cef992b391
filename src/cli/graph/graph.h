/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and results of clup graph. */
#ifndef CLUP_CLI_GRAPH_GRAPH_H
#define CLUP_CLI_GRAPH_GRAPH_H
#include "cli/cli.h"

typedef struct graph_request {
    int task; /* a task was named; there is "label" */
    const char *input, *output, *sizes, *device;
    uint64_t vertices; /* 0 where the file says it */
    int reference, json, quiet;
} graph_request;

typedef struct graph_result {
    const graph_request *request;
    clup_device_info device;
    clup_edges edges;
    uint32_t *labels; /* labels[edges.vertices] */
    uint32_t *sizes;  /* sizes[components] */
    uint32_t components, largest, isolated;
    double read_s, wall_s; /* of reading the file, and of finding the components */
    char labels_sha256[65];
} graph_result;

/* Print the result as a table, or write it as JSON. */
void graph_print_table(const graph_result *result);
void graph_write_json(const graph_result *result);

#endif
