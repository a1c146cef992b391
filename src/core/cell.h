/* SPDX-License-Identifier: BSD-3-Clause */
/* Unit cells, and lattices of them as graphs, see clup_graph_of_lattice in graph.h. */
#ifndef CLUP_CORE_CELL_H
#define CLUP_CORE_CELL_H
#include "core/graph.h"

#define CLUP_CELL_AXES 8
#define CLUP_CELL_SITES 16
/* The most bonds from a site. */
#define CLUP_CELL_FORWARD 16
/* The longest name, in bytes. */
#define CLUP_CELL_NAME 64

typedef struct clup_cell_bond {
    unsigned from, to;          /* sites of the cell */
    int offset[CLUP_CELL_AXES]; /* how many cells the second is further along each axis */
    double coupling;
} clup_cell_bond;

/* A cell, and how many of them are along each axis of a lattice. */
typedef struct clup_cell {
    char name[CLUP_CELL_NAME + 1];
    unsigned axes, sites, bonds;
    clup_cell_bond bond[CLUP_CELL_SITES * CLUP_CELL_FORWARD];
    uint32_t size[CLUP_CELL_AXES];
    unsigned periodic; /* bit a for axis a */
} clup_cell;

/* Read a cell from a file, without a size; and a cell with its size from the text that
 * clup_cell_text returns, one line of JSON, which the caller frees; NULL where there is no memory.
 * *to begins as zeros. CLUP_ERROR_USAGE for another text. */
clup_status clup_cell_read(const char *path, clup_cell *to);
clup_status clup_cell_parse(const char *text, clup_cell *to);
char *clup_cell_text(const clup_cell *of);

/* Makes the graph of a lattice from the text that it has in extras.text. CLUP_ERROR_USAGE for
 * another text. */
clup_status clup_graph_of_text(const char *text, const clup_graph **out);
/* Whether two graphs can be sizes of one problem: lattices of the same cell with the same open
 * axes, or two lists of edges, of which nothing more is known; or neither is there. */
bool clup_graph_same_law(const clup_graph *one, const clup_graph *other);
/* Writes how the graph of a lattice winds: crossings[edges], how often each edge winds around each
 * axis (graph_sizes.clh), and unless ends is NULL ends[vertices], the ends of open axes at which
 * each vertex is: of axis a, bit 2 a for the first layer of cells, and the next one for the last.
 */
clup_status clup_cell_windings(const clup_cell *of, uint32_t *crossings, uint32_t *ends);
/* Returns the number of edges that wind around an axis, and of vertices at the end of an open axis.
 */
uint64_t clup_cell_crossing(const clup_cell *of);
uint64_t clup_cell_at_ends(const clup_cell *of);
/* Makes a lattice of the same cell that is no longer along any axis, with sites vertices at least
 * where the other one has as many. */
clup_status clup_graph_smaller(const clup_graph *of, uint64_t sites, const clup_graph **out);

#endif
