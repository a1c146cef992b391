/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps graphs until the program ends, each once. */
#include "core/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "clup/graph.h"

static clup_keeper keeper = {PTHREAD_MUTEX_INITIALIZER, sizeof(clup_graph), NULL};

void clup_graph_extras_clear(clup_graph_extras *extras)
{
    free(extras->cell);
    free(extras->called);
    free(extras->text);
    *extras = (clup_graph_extras){0};
}

static void free_graph(clup_graph *graph)
{
    if (graph == NULL)
        return;
    free(graph->ends);
    clup_graph_extras_clear(&graph->extras);
    free(graph);
}

static void set_id(clup_graph *graph)
{
    const uint64_t header[] = {graph->vertices, graph->edges};
    clup_sha256_state state;
    clup_sha256_start(&state);
    clup_sha256_add(&state, header, sizeof header);
    clup_sha256_add(&state, graph->ends, graph->edges * sizeof *graph->ends);
    if (graph->extras.text != NULL)
        clup_sha256_add(&state, graph->extras.text, strlen(graph->extras.text));
    clup_sha256_finish(&state, graph->kept.id);
}

clup_status clup_graph_keep(uint64_t vertices, uint64_t edges, uint32_t (*ends)[2],
                            const clup_graph_extras *extras, const clup_graph **out)
{
    clup_graph *graph = calloc(1, sizeof *graph);
    clup_graph of = {.vertices = vertices, .edges = edges, .ends = ends};
    *out = NULL;
    if (extras != NULL)
        of.extras = *extras;
    if (graph == NULL) {
        free(ends);
        clup_graph_extras_clear(&of.extras);
        return clup_fail_memory("the graph");
    }
    *graph = of;
    set_id(graph);
    const clup_kept *const kept = clup_kept_add(&keeper, &graph->kept);
    *out = (const clup_graph *)kept;
    if (kept != &graph->kept)
        free_graph(graph);
    return CLUP_OK;
}

const clup_graph *clup_graph_known(const char *id)
{
    return (const clup_graph *)clup_kept_of_id(&keeper, id);
}

uint64_t clup_graph_edges(const clup_problem *problem)
{
    const clup_graph *graph = problem->graph;
    return graph != NULL && clup_kept_is_known(&keeper, &graph->kept) ? graph->edges : 0;
}

const char *clup_graph_called(const clup_graph *graph)
{
    return graph != NULL ? graph->extras.called : NULL;
}

void clup_problem_set_graph(clup_problem *problem, const clup_graph *graph)
{
    problem->lattice = CLUP_LATTICE_GRAPH;
    problem->graph = graph;
    problem->size[0] = (uint32_t)graph->vertices;
    problem->size[1] = problem->size[2] = 1;
    memset(problem->periodic, 0, sizeof problem->periodic);
    problem->bond_couplings = graph->extras.couplings;
}

clup_status clup_graph_need(const clup_problem *problem)
{
    const clup_graph *graph = problem->graph;
    return graph == NULL || clup_kept_is_known(&keeper, &graph->kept)
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "the graph with SHA-256 %.12s.. is not known: its file has to be given "
                           "again",
                           graph->kept.id);
}

/* Returns a number that looks as if it were random. */
static uint64_t mixed(uint64_t number)
{
    number = (number + 1) * 0x9E3779B97F4A7C15u;
    number = (number ^ number >> 31) * 0xD6E8FEB86659FD93u;
    return number ^ number >> 32;
}

clup_status clup_graph_sample(uint64_t vertices, uint64_t edges, const clup_graph **out)
{
    uint32_t(*ends)[2] = malloc(edges * sizeof *ends);
    *out = NULL;
    if (ends == NULL)
        return clup_fail_memory("the graph");
    for (uint64_t e = 0; e < edges; e++) {
        const uint64_t drawn = mixed(e), from = drawn % vertices,
                       by = drawn >> 40 & 15; /* most vertices are close, 0 is a loop */
        ends[e][0] = (uint32_t)from;
        ends[e][1] = (uint32_t)((by == 15 ? mixed(drawn) : from + by) % vertices);
    }
    return clup_graph_keep(vertices, edges, ends, NULL, out);
}

lattice_args clup_bonds_of_problem(const clup_problem *problem, const lattice_args *lattice)
{
    const uint64_t edges = clup_graph_edges(problem);
    return edges > 0 ? clup_row_of(lattice, (uint32_t)edges) : *lattice;
}
