/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of kernel variants of all stages, references of stages, and sizes of work-groups. */
#ifndef CLUP_FAMILY_FAMILY_H
#define CLUP_FAMILY_FAMILY_H
#include "core/prepared.h"

extern const clup_table clup_sources, clup_locals, clup_consolidations, clup_actions;
/* Returns the table of a stage; NULL for a stage without one. */
const clup_table *clup_table_of(clup_stage stage);

/* Reference of labelling: finds canonical labels[sites] from bonds[directions*sites], one byte a
 * bond. The label of a site is the smallest site of its cluster. CLUP_INTERRUPTED when the watch
 * ends it. */
clup_status clup_reference_labels(const lattice_args *lattice, const uint8_t *bonds,
                                  uint32_t *labels);

/* Sets tied[sites] to whether the field ties each site in the host's next sweep. */
void clup_reference_ties(const clup_host *host, uint8_t *tied);

/* References of kernel variants: of labelling, and of actions on spins. */
clup_serial clup_serial_labels, clup_serial_flip, clup_serial_flip_one, clup_serial_few_cluster,
    clup_serial_heat_bath;

/* Return the work-items of a group: one, two, and 1, 2 or 8 for each column of the tile. */
size_t clup_one_item(const unsigned tile[3]);
size_t clup_two_items(const unsigned tile[3]);
size_t clup_edge_items(const unsigned tile[3]);
size_t clup_two_edges_items(const unsigned tile[3]);
size_t clup_eight_edges_items(const unsigned tile[3]);

#endif
