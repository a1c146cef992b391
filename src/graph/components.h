/* SPDX-License-Identifier: BSD-3-Clause */
/* Connected components of graphs, shared by the files of this folder. */
#ifndef CLUP_GRAPH_COMPONENTS_H
#define CLUP_GRAPH_COMPONENTS_H
#include "clup/graph.h"
#include "ocl/kernel.h"

/* Numbers of vertices in the host's memory, in pairs or in rows (clup_components_add_rows), from
 * which edges are taken. */
typedef struct clup_ends {
    const void *starts; /* of rows; NULL for pairs */
    const void *ends;
    clup_dtype dtype;
    uint64_t vertices, edges;
} clup_ends;

/* Validates rows, and the type of the numbers. */
clup_status clup_ends_check(const clup_ends *ends);
/* Returns the number of edges of valid rows. */
uint64_t clup_ends_count(const clup_ends *ends);
/* Writes edges first to first + count - 1, as pairs of vertices, to pairs[count][2]. Threads share
 * the work. CLUP_ERROR_USAGE where an end is no vertex. */
clup_status clup_ends_take(const clup_ends *ends, uint64_t first, uint64_t count,
                           uint32_t (*pairs)[2]);

/* A serial union-find over vertices. clup_serial_unite adds edges; clup_serial_number writes
 * labels[vertices], which may be NULL, and returns the number of components. */
void clup_serial_begin(uint32_t *parents, uint32_t vertices);
void clup_serial_unite(uint32_t *parents, uint32_t (*pairs)[2], uint64_t edges);
uint32_t clup_serial_number(uint32_t *parents, uint32_t vertices, uint32_t *labels);

/* As clup_components_create, without the known-answer test; and this test, which is made once in a
 * context. */
clup_status clup_components_create_only(clup_context *context, uint32_t vertices,
                                        clup_components **out);
clup_status clup_components_verify(clup_context *context);

/* Edges that are brought to a device at a time; tests make it smaller. */
extern uint64_t clup_edges_piece;

#endif
