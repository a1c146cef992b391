/* SPDX-License-Identifier: BSD-3-Clause */
/* Connected components of graphs, and percolation on them. */
#ifndef CLUP_GRAPH_H
#define CLUP_GRAPH_H

#include "clup/device.h"
#include "clup/image.h"
#include "clup/percolation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- components ------------------------------------------------------------------------------ */

/* The connected components of a graph with vertices 0, 1, .., of the edges that were added to it.
 * An edge connects both its ends, whatever its direction. Loops, and edges that occur several
 * times, are allowed. */
typedef struct clup_components clup_components;

/* The most vertices of a graph. */
#define CLUP_VERTICES_MOST 4294967295u

/* Makes a graph without edges.
 *
 *   context   the device; it must outlive *out. NULL: a serial union-find on the host, which gives
 *             the same numbers
 *   vertices  how many, 0 to CLUP_VERTICES_MOST
 *   out       release it by clup_components_free
 *
 * A device has buffers of 4.5 bytes a vertex, 4 more for numbers that the host reads, and for edges
 * on their way there 8 each, up to 2^27 bytes and an eighth of its memory. The first graph of a
 * context finds the components of small graphs, and compares them with those of the host: where
 * they differ the status is CLUP_ERROR_VERIFY. Returns CLUP_ERROR_USAGE for too many vertices,
 * CLUP_ERROR_MEMORY where there is no room. */
CLUP_API clup_status clup_components_create(clup_context *context, uint64_t vertices,
                                            clup_components **out);
CLUP_API void clup_components_free(clup_components *components);

/* Adds edges that are in the host's memory. Any number of calls may follow each other, so that a
 * graph may have more edges than there is memory for.
 *
 *   ends   [edges][2], the numbers of both vertices
 *   dtype  their type: U32, U64, I32 or I64
 *
 * Returns CLUP_ERROR_USAGE for another type, and where an end is no vertex: the detail has the
 * number of the edge. Which edges of this call were added is not defined then. */
CLUP_API clup_status clup_components_add(clup_components *components, const void *ends,
                                         clup_dtype dtype, uint64_t edges);

/* Adds the edges of neighbouring vertices, as in a sparse matrix in the CSR form.
 *
 *   starts      [vertices + 1] of the graph, not decreasing: the neighbours of vertex v are
 *               neighbours[starts[v]] to neighbours[starts[v + 1] - 1]
 *   neighbours  [starts[vertices]]
 *   dtype       the type of both: U32, U64, I32 or I64
 *
 * Errors are those of clup_components_add; they are also given for starts that decrease, or do not
 * begin with 0. */
CLUP_API clup_status clup_components_add_rows(clup_components *components, const void *starts,
                                              const void *neighbours, clup_dtype dtype);

struct _cl_mem;
struct _cl_event;
/* Enqueues adding edges that are in an OpenCL buffer of the context, and returns at once.
 *
 *   ends   [edges][2] uint32_t. Where an end is no vertex, the edge is left out, and from then on
 *          clup_components_count and clup_components_labels return CLUP_ERROR_USAGE
 *   wait   [count] events (cl_event) to wait for
 *   event  becomes its own event, which the caller releases; NULL for none */
CLUP_API clup_status clup_components_enqueue(clup_components *components, struct _cl_mem *ends,
                                             uint64_t edges, unsigned count,
                                             struct _cl_event *const *wait,
                                             struct _cl_event **event);

/* Enqueues numbering the components in the order of their first vertices: numbers, an OpenCL
 * buffer, becomes one uint32_t a vertex, 0 for the component of vertex 0. Further edges may be
 * added later. Without a device CLUP_ERROR_USAGE, as for the function above. */
CLUP_API clup_status clup_components_number(clup_components *components, struct _cl_mem *numbers,
                                            struct _cl_event **event);

/* Waits, and returns the number of components that clup_components_number found. Returns
 * CLUP_ERROR_USAGE if edges were added since, or it was not called, and without a device. */
CLUP_API clup_status clup_components_count(clup_components *components, uint32_t *count);

/* Writes to labels[vertices] the number of each vertex's component, 0, 1, .. in the order of their
 * first vertices, and to *count how many there are; each may be NULL.
 *
 *     uint32_t ends[3][2] = {{0, 3}, {1, 2}, {3, 0}}, labels[5], count;
 *     clup_components_create(context, 5, &graph);
 *     clup_components_add(graph, ends, CLUP_DTYPE_U32, 3);
 *     clup_components_labels(graph, labels, &count);    labels: 0 1 1 0 2; count: 3 */
CLUP_API clup_status clup_components_labels(clup_components *components, uint32_t *labels,
                                            uint32_t *count);

/* ---- files of edges -------------------------------------------------------------------------- */

/* A list of edges. */
typedef struct clup_edges {
    uint64_t vertices; /* as the file says; else the largest number of a vertex, plus 1 */
    uint64_t edges;
    clup_dtype dtype; /* of ends */
    const void *ends; /* [edges][2] */
    uint64_t reserved[4];
    clup_image file; /* what ends belong to */
} clup_edges;

/* Reads a list of edges. The first bytes of the file tell its format:
 *
 * NumPy          a .npy array of shape (edges, 2), of integers of 32 or 64 bits. It is mapped where
 *                clup_image_read would do so
 * .npz           a sparse matrix that scipy.sparse.save_npz wrote, square, in the form csr, csc or
 *                coo: its entries are edges, and its size the number of vertices. All of the file
 *                is read, and the edges take 8 bytes each
 * Matrix Market  a sparse matrix (coordinate), square, real, complex, integer, unsigned-integer or
 *                pattern, of any symmetry: its entries are edges, from 1 on, and its size the
 *                number of vertices
 * other text     lines of two numbers from 0 on, or more columns, which are ignored, separated by
 *                commas, semicolons, spaces or tabs. Empty lines and those that begin with # or %
 *                are ignored, and a first line that begins with a letter, _ or a quotation mark
 *
 * path "-" is standard input. Release *edges by clup_edges_clear. Errors begin with the name of the
 * file: CLUP_ERROR_RUNTIME where it cannot be read, or is none of these; with the line, where text
 * has no vertex. CLUP_ERROR_MEMORY where the host has no room for it. */
CLUP_API clup_status clup_edges_read(const char *path, clup_edges *edges);
/* Frees what clup_edges_read made, and sets all of *edges to zero. Accepts NULL. */
CLUP_API void clup_edges_clear(clup_edges *edges);

/* Makes the graph simple: without loops, and with one edge of those that connect the same two
 * vertices, the smaller number first, in ascending order. The ends become U32; what had been read
 * is freed, as by clup_edges_clear. Returns CLUP_ERROR_USAGE where an end is no vertex, and leaves
 * the graph as it was. */
CLUP_API clup_status clup_edges_simplify(clup_edges *edges);

/* Makes a graph for clup_problem, of edges as clup_edges_read gives them: vertices, edges, dtype
 * and ends are read, and all others may be zero. Bonds are numbered as the edges stand. It lives
 * until the program ends: making an equal one returns the same.
 *
 *     clup_edges_read("edges.csv", &edges);
 *     clup_graph_make(&edges, &graph);
 *     clup_edges_clear(&edges);
 *     clup_problem problem = {.q = 3, .beta = 0.5};
 *     clup_problem_set_graph(&problem, graph);
 *
 * Returns CLUP_ERROR_USAGE without edges, for more than 2^32 - 2 of them or of vertices, for
 * another type, and where an end is no vertex; CLUP_ERROR_MEMORY. */
CLUP_API clup_status clup_graph_make(const clup_edges *edges, const clup_graph **out);
/* Puts a graph in the place of a problem's lattice: sets lattice, graph, size and periodic, and
 * bond_couplings to those that belong to the graph, or NULL where all are 1. */
CLUP_API void clup_problem_set_graph(clup_problem *problem, const clup_graph *graph);

/* Makes the graph of a lattice of any number of axes up to 8, which is a unit cell again and again.
 *
 *   lattice   "hypercubic", one site a cell with a bond along each axis; or the path of a file in
 *             TOML, or JSON where it begins with '{', with these keys:
 *               sites  sites of a cell, 1 to 16 (1)
 *               bonds  a list of [FROM, TO, [OFFSET, ..]] or [FROM, TO, [OFFSET, ..], J]: a bond
 *                      from site FROM, from 0 on, of each cell to site TO of the cell that is so
 *                      many cells, -2 to 2, further along each axis; J is its coupling (1). Each
 *                      bond is there once, from either end, and up to 16 from a site
 *               name, about  texts of any kind
 *   size      [axes], cells along each axis, the first one first. Where axes is 1, the size of a
 *             file's lattice along all its axes
 *   open      bit a: axis a ends; else it goes on at its other end
 *
 * Site s of cell (x, y, ..) is vertex s + sites (x + size[0] (y + size[1] ..)). Edges are numbered
 * one kind of bond after the other, from cell 0 on. Files of series and checkpoints contain such a
 * graph.
 *
 * Returns CLUP_ERROR_USAGE for another lattice, as the detail says, and for more than 2^32 - 2
 * sites or bonds; CLUP_ERROR_RUNTIME where the file cannot be read; CLUP_ERROR_MEMORY. */
CLUP_API clup_status clup_graph_of_lattice(const char *lattice, const uint32_t *size, unsigned axes,
                                           unsigned open, const clup_graph **out);
/* Returns what such a lattice is called, as "hypercubic 8x8x8x8, periodic"; NULL for other graphs,
 * and for NULL. */
CLUP_API const char *clup_graph_called(const clup_graph *graph);
/* Returns the number of axes of such a lattice; 0 for other graphs, and for NULL. */
CLUP_API unsigned clup_graph_axes(const clup_graph *graph);

/* ---- percolation ----------------------------------------------------------------------------- */

/* Makes curves of percolation on a graph, as clup_percolation_curves_create does on a lattice.
 *
 *   edges  vertices, edges, dtype and ends are read: all others may be zero
 *   model  CLUP_BOND_PERCOLATION: edges become active, numbered as they stand in ends; or
 *          CLUP_SITE_PERCOLATION: vertices are occupied
 *
 * Graphs do not wrap: observables of wrapping are NAN. Returns CLUP_ERROR_USAGE, with the number of
 * the edge, where an end is no vertex.
 *
 * Samples at given probabilities are made by clup_percolation_create, from a problem whose graph
 * clup_problem_set_graph has set. */
CLUP_API clup_status clup_percolation_curves_of_graph(clup_context *context,
                                                      const clup_edges *edges, clup_model model,
                                                      uint64_t seed, clup_percolation_curves **out);

#ifdef __cplusplus
}
#endif

#endif
