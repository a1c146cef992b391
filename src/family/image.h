/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels for images. */
#ifndef CLUP_FAMILY_IMAGE_H
#define CLUP_FAMILY_IMAGE_H
#include "core/prepared.h"

/* Return why a kernel variant cannot be used for an image; NULL where it can. */
const char *clup_unfit_pairs(const clup_setting *setting);
const char *clup_unfit_foreground(const clup_setting *setting);
const char *clup_unfit_foreground_bytes(const clup_setting *setting);
const char *clup_unfit_bytes(const clup_setting *setting);
const char *clup_unfit_layers(const clup_setting *setting);
const char *clup_unfit_bits(const clup_setting *setting);
const char *clup_unfit_bits_alone(const clup_setting *setting);
const char *clup_unfit_pixels(const clup_setting *setting);
const char *clup_unfit_blocks(const clup_setting *setting);

void clup_layers_tile(const lattice_args *lattice, unsigned tile[3]);
size_t clup_layers_items(const unsigned tile[3]);
size_t clup_node_items(const unsigned tile[3]);
uint64_t clup_layers_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_runs_image_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_runs_pixels_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_number_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_table_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);

/* Scratch buffers of variants that number clusters: a word of key bits (blocks.clh) for every 32
 * keys, ranks and sums of a scan over these words, and a buffer of the variant's own. */
enum { CLUP_KEY_BITS, CLUP_KEY_RANKS, CLUP_KEY_SUMS, CLUP_KEY_OWN };
uint64_t clup_number_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_number_blocks_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_number_bands_scratch(const clup_prepared *prepared, unsigned which);
clup_status clup_run_number(clup_prepared *prepared);
clup_status clup_run_number_blocks(clup_prepared *prepared);
clup_status clup_run_number_bands_alone(clup_prepared *prepared);
/* Enqueues the count of the clusters that were found. The last of the sums is the number of
 * clusters. */
clup_status clup_number_count(clup_prepared *prepared);
/* Enqueues the ranks of keys, after clup_number_count. */
clup_status clup_number_ranks(clup_prepared *prepared);
/* Enqueues, after clup_number_ranks, to write to the buffer before[batch] how many clusters the
 * images before each image of a batch have. */
clup_status clup_number_before(clup_prepared *prepared, cl_mem before);
/* Enqueues to number the clusters of each image anew, in the buffer numbers, which has them
 * numbered throughout. */
clup_status clup_number_each(clup_prepared *prepared, cl_mem before, cl_mem numbers);

#endif
