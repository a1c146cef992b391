/* SPDX-License-Identifier: BSD-3-Clause */
/* Lattices of a unit cell as graphs, see clup_graph_of_lattice in graph.h. */
#ifndef CLUP_CORE_CELL_H
#define CLUP_CORE_CELL_H
#include "core/graph.h"

/* Makes the graph of a lattice from the text that another one has as clup_graph.text.
 * CLUP_ERROR_USAGE for another text. */
clup_status clup_graph_of_text(const char *text, const clup_graph **out);

/* The axes of a graph that is a lattice's: how many, none for another graph; and which are open,
 * and open with a single layer of cells, as bits. clup_graph_axes_of finds them.
 * clup_graph_windings writes crossings[edges], how often each edge winds around each axis
 * (graph_sizes.clh), and unless ends is NULL ends[vertices], the ends of open axes at which each
 * vertex is: of axis a, bit 2 a for the first layer, and the next one for the last. */
typedef struct clup_graph_axes {
    unsigned count, open, single;
} clup_graph_axes;
clup_status clup_graph_axes_of(const clup_graph *graph, clup_graph_axes *axes);
clup_status clup_graph_windings(const clup_graph *graph, uint32_t *crossings, uint32_t *ends);

#endif
