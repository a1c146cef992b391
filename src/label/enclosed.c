/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which regions enclose others: the vertices of the graph of regions without which some
 * vertices are apart from the border, vertex 0. A search in depth from there visits each vertex
 * after its parent in the tree of the search. A vertex is low where it, or one visited below it,
 * touches what was visited early. The parent of a vertex that is not lower than the parent itself
 * encloses it. Source: J. Hopcroft, R. Tarjan, Commun. ACM 16, 372 (1973). */
#include "label/enclosed.h"

#include <stdlib.h>

typedef struct search {
    uint32_t vertices;
    uint64_t *starts;   /* [vertices + 1]: where the neighbours of each vertex begin */
    uint32_t *ends;     /* the neighbours */
    uint64_t *next;     /* [vertices]: the next neighbour of each vertex to be looked at */
    uint32_t *parents;  /* [vertices] */
    uint32_t *order;    /* [vertices]: in which they were visited, from 1 on; 0 for not yet */
    uint32_t *low;      /* [vertices]: the lowest order */
    uint32_t *sequence; /* [vertices]: those that were visited, in order */
} search;

static clup_status make(search *search, uint64_t edges)
{
    const size_t vertices = search->vertices;
    search->starts = calloc(vertices + 1, sizeof *search->starts);
    search->ends = malloc((2 * (size_t)edges + 1) * sizeof *search->ends);
    search->next = malloc(vertices * sizeof *search->next);
    search->parents = calloc(vertices, sizeof *search->parents);
    search->order = calloc(vertices, sizeof *search->order);
    search->low = malloc(vertices * sizeof *search->low);
    search->sequence = malloc(vertices * sizeof *search->sequence);
    return search->starts != NULL && search->ends != NULL && search->next != NULL &&
                   search->parents != NULL && search->order != NULL && search->low != NULL &&
                   search->sequence != NULL
               ? CLUP_OK
               : clup_fail_memory("a graph of regions");
}

static void end(search *search)
{
    free(search->starts);
    free(search->ends);
    free(search->next);
    free(search->parents);
    free(search->order);
    free(search->low);
    free(search->sequence);
}

/* Lists the neighbours of each vertex. */
static void connect(search *search, const clup_contact *contacts, uint64_t count,
                    const uint64_t *border)
{
    uint64_t *const starts = search->starts, *const next = search->next, sum = 0;
    for (uint64_t k = 0; k < count; k++) {
        starts[contacts[k].a]++;
        starts[contacts[k].b]++;
    }
    for (uint32_t v = 1; v < search->vertices; v++)
        if (border[v] != 0) {
            starts[0]++;
            starts[v]++;
        }
    for (uint32_t v = 0; v <= search->vertices; v++) {
        const uint64_t own = starts[v];
        starts[v] = sum;
        sum += own;
        if (v < search->vertices)
            next[v] = starts[v];
    }
    for (uint64_t k = 0; k < count; k++) {
        search->ends[next[contacts[k].a]++] = contacts[k].b;
        search->ends[next[contacts[k].b]++] = contacts[k].a;
    }
    for (uint32_t v = 1; v < search->vertices; v++)
        if (border[v] != 0) {
            search->ends[next[0]++] = v;
            search->ends[next[v]++] = 0;
        }
    for (uint32_t v = 0; v < search->vertices; v++)
        next[v] = starts[v];
}

/* Visits all vertices that can be reached from the border; returns how many. */
static uint32_t visit(search *search)
{
    uint32_t *const order = search->order, *const low = search->low, visited = 0, at = 0;
    search->sequence[visited++] = 0;
    order[0] = low[0] = 1;
    for (;;) {
        if (search->next[at] < search->starts[at + (uint64_t)1]) {
            const uint32_t to = search->ends[search->next[at]++];
            if (order[to] == 0) {
                search->parents[to] = at;
                search->sequence[visited++] = to;
                order[to] = low[to] = visited;
                at = to;
            } else if (order[to] < low[at]) {
                low[at] = order[to];
            }
            continue;
        }
        if (at == 0)
            return visited;
        const uint32_t up = search->parents[at];
        low[up] = low[at] < low[up] ? low[at] : low[up];
        at = up;
    }
}

clup_status clup_enclosed(uint32_t regions, const clup_contact *contacts, uint64_t count,
                          const uint64_t *border, uint32_t *by)
{
    search search = {.vertices = regions + 1};
    clup_status status = CLUP_OK;
    CLUP_TRY(make(&search, count + regions));
    connect(&search, contacts, count, border);
    const uint32_t visited = visit(&search);
    for (uint32_t v = 0; v <= regions; v++)
        by[v] = 0;
    for (uint32_t k = 1; k < visited; k++) {
        const uint32_t v = search.sequence[k], up = search.parents[v];
        by[v] = search.low[v] >= search.order[up] ? up : by[up];
    }
done:
    end(&search);
    return status;
}
