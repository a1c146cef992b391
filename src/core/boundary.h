/* SPDX-License-Identifier: BSD-3-Clause */
/* What a graph that percolates needs to know of its boundaries, from which follows which clusters
 * wrap. Graphs that are no lattice of a cell have none. */
#ifndef CLUP_CORE_BOUNDARY_H
#define CLUP_CORE_BOUNDARY_H
#include "core/graph.h"
#include "graph/graph_sizes.clh"

/* Edges that cross a periodic boundary; then vertices at the end of an open axis. */
typedef struct clup_boundary {
    unsigned axes;
    uint32_t edges, vertices;
    /* list[edges + vertices]: the number of each; and how often an edge winds around each axis, or
     * at which ends a vertex is, as clup_cell_windings gives it */
    uint32_t (*list)[2];
    uint32_t *inner; /* a bit for each edge of the graph, set unless it crosses a boundary */
    uint64_t words;  /* of inner */
} clup_boundary;

/* clup_boundary_describe sets all numbers, and clup_boundary_make then what they count, which the
 * caller clears, after a failure as well. */
void clup_boundary_describe(const clup_graph *graph, clup_boundary *boundary);
clup_status clup_boundary_make(const clup_graph *graph, clup_boundary *boundary);
void clup_boundary_clear(clup_boundary *boundary);
/* Return the bytes of list and of inner. */
static inline uint64_t clup_boundary_list_bytes(const clup_boundary *boundary)
{
    return ((uint64_t)boundary->edges + boundary->vertices) * sizeof *boundary->list;
}
static inline uint64_t clup_boundary_inner_bytes(const clup_boundary *boundary)
{
    return boundary->words * sizeof *boundary->inner;
}

/* Returns how often an edge winds around an axis, from its code. */
static inline int clup_winds(uint32_t code, unsigned axis)
{
    const uint32_t sign = 1u << (CROSSING_BITS - 1),
                   times = code >> CROSSING_BITS * axis & ((1u << CROSSING_BITS) - 1);
    return (int)(times ^ sign) - (int)sign;
}

#endif
