/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of edges. */
#ifndef CLUP_IO_EDGES_H
#define CLUP_IO_EDGES_H
#include "clup/graph.h"
#include "io/image.h"

/* Reads edges from an open input, as clup_edges_read does from a file. *weights becomes their
 * weights, an array of as many numbers which the caller frees; a file without weights fails then.
 * weights is NULL where these are not wanted. After a failure the caller clears the edges. */
clup_status clup_edges_decode(clup_input *input, clup_edges *edges, double **weights);
/* Likewise from a text, a Matrix Market file or a table, that begins with what input has. */
clup_status clup_edges_decode_text(clup_input *input, clup_edges *edges, double **weights);
/* Likewise from an archive with a sparse matrix (scipy.sparse.save_npz). */
clup_status clup_edges_decode_npz(clup_input *input, clup_edges *edges, double **weights);

#endif
