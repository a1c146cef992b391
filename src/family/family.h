/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of all stages, the serial definitions of their rows, and work-items of
 * groups. */
#ifndef CLUP_FAMILY_FAMILY_H
#define CLUP_FAMILY_FAMILY_H
#include "core/prepared.h"

extern const clup_table clup_sources, clup_locals, clup_consolidations, clup_actions;
/* The table of a stage; NULL for a stage without one. */
const clup_table *clup_table_of(clup_stage stage);

/* Finds canonical labels[sites] of bonds[directions*sites], one byte a bond: each site's label is
 * the smallest site of its cluster. Serial; CLUP_INTERRUPTED when the watch ends it. */
clup_status clup_reference_labels(const lattice_args *lattice, const uint8_t *bonds,
                                  uint32_t *labels);

/* Serial definitions of rows: labels of bonds, and what actions do with spins. */
clup_serial clup_serial_labels, clup_serial_flip, clup_serial_flip_one, clup_serial_few_cluster;

/* Work-items of a group: one, two, and 1, 2 and 8 for each column of the tile. */
size_t clup_one_item(const unsigned tile[3]);
size_t clup_two_items(const unsigned tile[3]);
size_t clup_edge_items(const unsigned tile[3]);
size_t clup_two_edges_items(const unsigned tile[3]);
size_t clup_eight_edges_items(const unsigned tile[3]);

#endif
