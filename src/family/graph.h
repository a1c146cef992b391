/* SPDX-License-Identifier: BSD-3-Clause */
/* How the kernels for graphs (graph.def) are launched, and what memory they need. */
#ifndef CLUP_FAMILY_GRAPH_H
#define CLUP_FAMILY_GRAPH_H
#include "core/prepared.h"
#include "family/wraps.h"

/* Local memory of the source, and of the kernels that measure. */
uint64_t clup_graph_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_graph_sweep_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
/* Local memory of consolidation. */
uint64_t clup_graph_listed_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_graph_scratch(const clup_prepared *prepared, unsigned which);
/* Unites the ends of active edges, and makes labels flat. */
clup_status clup_run_graph(clup_prepared *prepared);
/* Lists, in percolation, the edges that cross periodic boundaries and the vertices at the ends of
 * open axes, and unites the former. Then clup_graph_wraps_read sets wrapped[replicas] to
 * clup_wraps_any of each; wraps has the axes of the graph's lattice. */
clup_status clup_run_graph_wraps(clup_prepared *prepared);
uint64_t clup_graph_wraps_scratch(const clup_prepared *prepared, unsigned which);
clup_status clup_graph_wraps_read(clup_wraps *wraps, const clup_prepared *prepared,
                                  unsigned *wrapped);

#endif
