/* SPDX-License-Identifier: BSD-3-Clause */
/* Lattices of a unit cell as graphs, see clup_graph_of_lattice in graph.h. */
#ifndef CLUP_CORE_CELL_H
#define CLUP_CORE_CELL_H
#include "core/graph.h"

/* Makes the graph of a lattice from the text that another one has as clup_graph.text.
 * CLUP_ERROR_USAGE for another text. */
clup_status clup_graph_of_text(const char *text, const clup_graph **out);

#endif
