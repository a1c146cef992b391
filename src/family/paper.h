/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's kernels. */
#ifndef CLUP_FAMILY_PAPER_H
#define CLUP_FAMILY_PAPER_H
#include "core/prepared.h"

/* Labelling in tiles: work-items, local memory, and iterations of the last run. */
size_t clup_quarter_items(const unsigned tile[3]);
size_t clup_tile_items(const unsigned tile[3]);
uint64_t clup_word_a_site(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_two_words_a_site(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_selflabel_scratch(const clup_prepared *prepared, unsigned which);
clup_status clup_selflabel_iterations(clup_prepared *prepared, double *mean);

/* Sets the tile of variants that keep a random stream for each work-item, as the paper does for
 * drawing bonds: 256 x 4 sites. For narrower lattices the width is halved, down to 2. */
void clup_activation_tile(const lattice_args *lattice, unsigned tile[3]);
/* Returns the number of random streams of a variant whose work-items each have a column of such a
 * tile. */
uint64_t clup_column_streams(const lattice_args *lattice);
/* Of the other sources: work-items of a group, and the number of random streams for a lattice. */
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
/* Entries of each ring of few_cluster, a power of two; 0 for as many as suit the lattice. Tests
 * make it small, so that rings overflow. */
extern uint32_t clup_few_cluster_ring_entries;

/* Launches iterations 0, 1, ... of an iterative kernel variant until one changes nothing. Iteration
 * k that changes something sets its flag in scratch[flags], which has CLUP_ITERATIONS_MAX words.
 * First enqueues as many iterations as the last run took, and one more; iterations after the last
 * one that is needed must return at once. CLUP_ERROR_RUNTIME after more than most iterations.
 * prepared->iterations is the number that it took. */
#define CLUP_ITERATIONS_MAX 1024u
clup_status clup_iterate(clup_prepared *prepared, unsigned flags, uint64_t most,
                         clup_status (*launch)(clup_prepared *prepared, cl_uint iteration));

#endif
