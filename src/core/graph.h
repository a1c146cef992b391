/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs in place of a lattice, see clup_graph in problem.h. Their bonds are their edges, in the
 * order in which these stand, in words of 32 as the sites of a row. */
#ifndef CLUP_CORE_GRAPH_H
#define CLUP_CORE_GRAPH_H
#include <stdbool.h>

#include "base/status.h"
#include "core/kept.h"
#include "core/lattice.h"

/* Of the graph of a lattice: its cell (cell.h), what messages call it, a text from which it can be
 * made again, all three allocated, and the couplings of its bonds. NULL for other graphs; couplings
 * also where all are 1. */
typedef struct clup_graph_extras {
    struct clup_cell *cell;
    char *called, *text;
    const clup_bond_couplings *couplings;
} clup_graph_extras;
void clup_graph_extras_clear(clup_graph_extras *extras);

struct clup_graph {
    clup_kept kept;
    uint64_t vertices, edges;
    uint32_t (*ends)[2]; /* [edges], numbers of vertices */
    clup_graph_extras extras;
};

/* Keeps a graph of ends[edges]. These, and the extras (NULL for none), belong to it from then on,
 * also after a failure. At least one edge; the ends are vertices. Returns an equal graph where
 * there is one already. */
clup_status clup_graph_keep(uint64_t vertices, uint64_t edges, uint32_t (*ends)[2],
                            const clup_graph_extras *extras, const clup_graph **out);
/* Returns the graph with this id, or what stands for it until the program gets it. NULL if id is
 * none or there is no memory. */
const clup_graph *clup_graph_known(const char *id);
/* CLUP_ERROR_USAGE where the id alone of a problem's graph is known. */
clup_status clup_graph_need(const clup_problem *problem);
/* Returns the edges of a problem's graph; 0 where they are not known, and without a graph. */
uint64_t clup_graph_edges(const clup_problem *problem);
/* Makes a graph of any number of vertices and edges, from 1 on, for tests: with loops and with
 * edges that occur several times. */
clup_status clup_graph_sample(uint64_t vertices, uint64_t edges, const clup_graph **out);

/* Returns the lattice whose sites are the bonds of a problem: in place of a graph one row of its
 * edges. Else the lattice itself. clup_bonds_of_laws returns it for references. */
lattice_args clup_bonds_of_problem(const clup_problem *problem, const lattice_args *lattice);
static inline lattice_args clup_bonds_of_laws(const clup_laws *laws, const lattice_args *lattice)
{
    return laws->edges > 0 ? clup_row_of(lattice, (uint32_t)laws->edges) : *lattice;
}
/* Returns the site from which bond i leads. */
static inline uint64_t clup_bond_start(const clup_laws *laws, uint64_t i)
{
    return laws->edges > 0 ? laws->ends[i][0] : i;
}

#endif
