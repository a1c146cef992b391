/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and results of clup graph. */
#ifndef CLUP_CLI_GRAPH_GRAPH_H
#define CLUP_CLI_GRAPH_GRAPH_H
#include "cli/cli.h"

typedef struct graph_request {
    enum { GRAPH_NO_TASK, GRAPH_LABEL, GRAPH_PERCOLATE } task;
    const char *input, *output, *sizes, *steps, *series, *device;
    uint64_t vertices; /* 0 where the file says it */
    int of_sites, direct, simple;
    double *ps; /* ps[p_count] */
    uint32_t p_count;
    uint64_t samples, seed;
    int reference, json, quiet;
} graph_request;

typedef struct graph_result {
    const graph_request *request;
    clup_device_info device;
    clup_edges edges;
    uint32_t *labels; /* labels[edges.vertices] */
    uint32_t *sizes;  /* sizes[components] */
    uint32_t components, largest, isolated;
    uint32_t points;       /* probabilities of which there are results */
    double read_s, wall_s; /* of reading the file, and of finding the components */
    char labels_sha256[65];
} graph_result;

/* Seconds since some moment; the exit code of a status, after a message. */
double graph_seconds(void);
int graph_code(clup_status status);
/* Read the edges, and open the device. Return 0, or an exit code after a message. */
int graph_read(const graph_request *request, graph_result *result);
int graph_open(const graph_request *request, clup_context **context, graph_result *result);
/* The tasks. */
int graph_label(const graph_request *request, clup_context **context, graph_result *result);
int graph_percolate(const graph_request *request, clup_context **context, graph_result *result);

/* Print the result of label as a table, or write it as JSON. */
void graph_print_table(const graph_result *result);
void graph_write_json(const graph_result *result);

#endif
