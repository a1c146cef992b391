/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the edges and vertices at the boundaries of the graph of a lattice. */
#include "core/boundary.h"

#include <stdlib.h>
#include <string.h>

#include "core/cell.h"

void clup_boundary_clear(clup_boundary *boundary)
{
    free(boundary->list);
    free(boundary->inner);
    *boundary = (clup_boundary){0};
}

void clup_boundary_describe(const clup_graph *graph, clup_boundary *boundary)
{
    const clup_cell *cell = graph->extras.cell;
    *boundary = (clup_boundary){.words = (graph->edges + 31) / 32};
    if (cell == NULL)
        return;
    boundary->axes = cell->axes;
    boundary->edges = (uint32_t)clup_cell_crossing(cell);
    boundary->vertices = (uint32_t)clup_cell_at_ends(cell);
}

/* Lists what has a code other than 0, from entry number *next on. */
static void list(clup_boundary *boundary, const uint32_t *codes, uint64_t count, uint64_t *next)
{
    for (uint64_t k = 0; k < count; k++) {
        if (codes[k] == 0)
            continue;
        boundary->list[*next][0] = (uint32_t)k;
        boundary->list[(*next)++][1] = codes[k];
    }
}

clup_status clup_boundary_make(const clup_graph *graph, clup_boundary *boundary)
{
    const clup_cell *cell = graph->extras.cell;
    uint32_t *crossings = NULL, *ends = NULL;
    uint64_t next = 0;
    clup_status status = CLUP_OK;
    clup_boundary_describe(graph, boundary);
    if ((boundary->inner = malloc(boundary->words * sizeof *boundary->inner)) == NULL)
        CLUP_TRY(clup_fail_memory("the boundaries"));
    memset(boundary->inner, 0xFF, boundary->words * sizeof *boundary->inner);
    if (cell == NULL)
        return CLUP_OK;
    const uint64_t entries = (uint64_t)boundary->edges + boundary->vertices;
    boundary->list = malloc((entries + 1) * sizeof *boundary->list);
    crossings = malloc(graph->edges * sizeof *crossings);
    ends = malloc(graph->vertices * sizeof *ends);
    if (boundary->list == NULL || crossings == NULL || ends == NULL)
        CLUP_TRY(clup_fail_memory("the boundaries"));
    CLUP_TRY(clup_cell_windings(cell, crossings, ends));
    list(boundary, crossings, graph->edges, &next);
    for (uint64_t k = 0; k < next; k++)
        boundary->inner[boundary->list[k][0] / 32] &= ~(1u << boundary->list[k][0] % 32);
    list(boundary, ends, graph->vertices, &next);
done:
    free(crossings);
    free(ends);
    return status;
}
