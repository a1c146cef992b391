/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's kernels. */
#ifndef CLUP_FAMILY_PAPER_H
#define CLUP_FAMILY_PAPER_H
#include "core/prepared.h"

/* Labelling in tiles: work-items, local memory, and how many iterations it took. */
size_t clup_quarter_items(const unsigned tile[3]);
size_t clup_tile_items(const unsigned tile[3]);
uint64_t clup_word_a_site(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_two_words_a_site(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_selflabel_scratch(const clup_prepared *prepared, unsigned which);
clup_status clup_selflabel_iterations(clup_prepared *prepared, double *mean);

/* The tile of the rows that keep a random stream for each work-item, the paper's for drawing bonds:
 * 256 x 4 sites, narrower by powers of two, down to 2, for narrower lattices. */
void clup_activation_tile(const lattice_args *lattice, unsigned tile[3]);
/* Random streams of a row where a work-item has a column of such a tile. */
uint64_t clup_column_streams(const lattice_args *lattice);
/* The same of the other sources: streams of a lattice, and work-items of a group. */
size_t clup_square_items(const unsigned tile[3]);
size_t clup_site_a_tile(const unsigned tile[3]);
uint64_t clup_square_streams(const lattice_args *lattice);
uint64_t clup_site_streams(const lattice_args *lattice);

/* Hierarchical sewing and label relaxation. */
clup_status clup_run_sew(clup_prepared *prepared);
uint64_t clup_sew_scratch(const clup_prepared *prepared, unsigned which);
clup_status clup_run_relax(clup_prepared *prepared);
uint64_t clup_relax_scratch(const clup_prepared *prepared, unsigned which);
clup_status clup_relax_iterations(clup_prepared *prepared, double *mean);

clup_status clup_run_flip_piggyback(clup_prepared *prepared);

/* The few-cluster update. */
clup_status clup_run_few_cluster(clup_prepared *prepared);
size_t clup_few_cluster_items(const clup_prepared *prepared);
uint64_t clup_few_cluster_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_few_cluster_linear_scratch(const clup_prepared *prepared, unsigned which);
/* Entries of few_cluster's rings, a power of two; 0 for as many as suit the lattice. Tests make
 * them overflow. */
extern uint32_t clup_few_cluster_ring_entries;

/* Launches iterations 0, 1, ... until one leaves its flag among those in scratch[flags],
 * CLUP_ITERATIONS_MAX words, at 0. They are enqueued as many as it took last time and one more, and
 * those after the last one needed have to return at once. More than most are an error.
 * prepared->iterations is how many it took. */
#define CLUP_ITERATIONS_MAX 1024u
clup_status clup_iterate(clup_prepared *prepared, unsigned flags, uint64_t most,
                         clup_status (*launch)(clup_prepared *prepared, cl_uint iteration));

#endif
