/* The three stages after the source: labelling in tiles, consolidation, action; and the serial definition of labels. */
#ifndef CLUP_LABEL_LABEL_H
#define CLUP_LABEL_LABEL_H
#include "model/pass.h"

extern const clup_table clup_locals, clup_consolidations, clup_actions;

/* Canonical labels[sites] of bonds[DIRECTIONS*sites], one byte a bond: each site's label is the smallest site of its
 * cluster. Serial. */
void clup_reference_labels(const lattice_args *lattice, const uint8_t *bonds, uint32_t *labels);

/* Rows of consolidate.def, one file each. */
clup_status clup_run_sew(clup_pass *pass);
uint64_t clup_sew_scratch(const clup_pass *pass, unsigned which);
clup_status clup_run_relax(clup_pass *pass);
uint64_t clup_relax_scratch(const clup_pass *pass, unsigned which);
clup_status clup_relax_iterations(clup_pass *pass, double *mean);
clup_status clup_run_union(clup_pass *pass);

/* Work-items of a group, by tile: one; as many as the tile has columns. */
size_t clup_one_item(const unsigned tile[2]);
size_t clup_edge_items(const unsigned tile[2]);

#endif
