/* SPDX-License-Identifier: BSD-3-Clause */
/* What percolates: the vertices and bonds of a lattice or a graph, and the random numbers of each.
 */
#ifndef CLUP_GRAPH_NETWORK_H
#define CLUP_GRAPH_NETWORK_H
#include "core/random.clh"
#include "graph/components.h"
#include "graph/graph_sizes.clh"

typedef struct clup_network {
    bool of_sites;     /* sites are occupied, one after the other; else bonds become active */
    uint64_t vertices; /* with those of no site, the holes of a lattice */
    uint64_t sites;    /* without them */
    unsigned axes;     /* of a lattice; 0 for a graph, which wraps around none */
    unsigned spanned;  /* open axes of one layer, as bits: a single site spans them */
    bool open;         /* some axis is */
    uint32_t nx, row_words;
    uint64_t words;      /* of 32 bonds or sites, see graph_order.cl, in each direction */
    unsigned directions; /* 1 of sites */
    uint64_t steps;      /* bonds or sites that exist */
    uint32_t *present;   /* [directions*words]: those that exist, as bits */
    /* Of bonds: edges[32*directions*words], both ends, and crossings, see graph_grow.cl. Of sites:
     * edges[rows[vertices]], a neighbour and the crossing to there. Where there are no axes,
     * crossings are NULL, or 0. */
    uint32_t (*edges)[2];
    uint32_t *crossings;
    uint32_t *rows;
    uint64_t edge_count;
    uint32_t *ends; /* [vertices], the ends of open axes at which a vertex is; NULL for none */
} clup_network;

/* Make a network of the lattice of a valid problem of percolation, and of a graph. The caller
 * clears it, after a failure as well. CLUP_ERROR_USAGE where there are too many bonds or sites. */
clup_status clup_network_of_problem(const clup_problem *problem, clup_network *network);
clup_status clup_network_of_edges(const clup_ends *ends, bool of_sites, clup_network *network);
void clup_network_clear(clup_network *network);

/* Returns the purpose of the random numbers of direction 0. */
static inline uint32_t clup_network_purpose(const clup_network *network)
{
    return network->of_sites ? PURPOSE_SITE : PURPOSE_BOND;
}

/* Returns the vertex of a site's index. */
static inline uint32_t clup_network_vertex(const clup_network *network, uint32_t index)
{
    const uint32_t row = index / 32 / network->row_words;
    return index - 32 * network->row_words * row + network->nx * row;
}

#endif
