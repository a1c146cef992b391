/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of the layouts that have a label for each site. */
#ifndef CLUP_FAMILY_SITES_H
#define CLUP_FAMILY_SITES_H
#include "core/prepared.h"
#include "core/sizes.clh"

void clup_site_tile(const lattice_args *lattice, unsigned tile[3]);
uint64_t clup_runs_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_word_site_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
clup_status clup_run_union(clup_prepared *prepared);
clup_status clup_run_flip(clup_prepared *prepared);
clup_status clup_run_flip_one(clup_prepared *prepared);
/* flip_tied: as flip, and ties sites before clusters flip; it is used in a field alone. */
clup_status clup_run_flip_tied(clup_prepared *prepared);
/* turn_one, for models with a matrix of energies, and turn_one_tied, for all in a field. */
clup_status clup_run_turn_one(clup_prepared *prepared);
clup_status clup_run_turn_one_tied(clup_prepared *prepared);
const char *clup_no_field(const clup_setting *setting);
const char *clup_no_matrix(const clup_setting *setting);
uint64_t clup_flip_scratch(const clup_prepared *prepared, unsigned which);

/* The sizes of clusters. */
uint64_t clup_sizes_scratch(const clup_prepared *prepared, unsigned which);
/* Returns how many records the groups of all replicas make. clup_sizes_read reads those of the last
 * run, parts[clup_sizes_parts()], and adds them up to records[replicas]. */
uint64_t clup_sizes_parts(const clup_state *state);
clup_status clup_sizes_read(const clup_prepared *prepared, size_record *parts,
                            size_record *records);
/* Adds up over all processes the sizes that each found in its subdomain, records[replicas]. */
clup_status clup_sizes_join(const clup_ranks *ranks, uint32_t replicas, size_record *records);

#endif
