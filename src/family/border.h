/* SPDX-License-Identifier: BSD-3-Clause */
/* The border layout: each site has the number of its cluster in its tile, and a forest has a node
 * for each cluster that touches the border of its tile. */
#ifndef CLUP_FAMILY_BORDER_H
#define CLUP_FAMILY_BORDER_H
#include "core/prepared.h"

/* clup_border_tile sets the tile of the layout. clup_unfit_nodes returns why a lattice cannot have
 * the layout, or NULL where it can. */
void clup_border_tile(const lattice_args *lattice, unsigned tile[3]);
const char *clup_unfit_nodes(const clup_setting *setting);
size_t clup_volume_items(const unsigned tile[3]);
size_t clup_flip_border_items(const unsigned tile[3]);
uint64_t clup_runs_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_runs_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_union_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_union_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_flip_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_flip_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
clup_status clup_run_border(clup_prepared *prepared);
uint64_t clup_sizes_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
/* Of wraps_border: what clup_wraps_scratch says, and where the device can find the clusters that
 * wrap, the links of windings.clh and what it found, a word for each replica. */
uint64_t clup_wraps_border_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_waves_border_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_waves_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
clup_status clup_run_flip_border(clup_prepared *prepared);

#endif
