/* The three stages after the source: labelling in tiles, consolidation, action; and the serial
 * definition of labels. */
#ifndef CLUP_FAMILY_LABEL_H
#define CLUP_FAMILY_LABEL_H
#include "family/measures.h"
#include "core/pass.h"
#include "core/sizes.clh"

extern const clup_table clup_locals, clup_consolidations, clup_actions;

/* Canonical labels[sites] of bonds[directions*sites], one byte a bond: each site's label is the
 * smallest site of its cluster. Serial; CLUP_INTERRUPTED when the watch ends it. */
clup_status clup_reference_labels(const lattice_args *lattice, const uint8_t *bonds,
                                  uint32_t *labels);

/* Serial definitions of rows: labels of bonds, and what actions do with spins. */
clup_serial clup_serial_labels, clup_serial_flip, clup_serial_flip_one, clup_serial_few_cluster;

/* Rows of consolidate.def, one file each. */
clup_status clup_run_sew(clup_pass *pass);
uint64_t clup_sew_scratch(const clup_pass *pass, unsigned which);
clup_status clup_run_relax(clup_pass *pass);
uint64_t clup_relax_scratch(const clup_pass *pass, unsigned which);
clup_status clup_relax_iterations(clup_pass *pass, double *mean);
clup_status clup_run_union(clup_pass *pass);

/* Rows of action.def with a file of their own. */
clup_status clup_run_few_cluster(clup_pass *pass);
size_t clup_few_cluster_items(const clup_pass *pass);
uint64_t clup_few_cluster_scratch(const clup_pass *pass, unsigned which);
uint64_t clup_few_cluster_linear_scratch(const clup_pass *pass, unsigned which);
/* Entries of few_cluster's rings, a power of two; 0 for as many as suit the lattice. Tests make
 * them overflow. */
extern uint32_t clup_few_cluster_ring_entries;
clup_status clup_run_resident(clup_pass *pass);
clup_status clup_run_resident_many(clup_pass *pass, unsigned count, cl_mem records, unsigned *done);
void clup_resident_tile(const lattice_args *lattice, unsigned tile[3]);
size_t clup_resident_items(const unsigned tile[3]);
size_t clup_resident_group(const clup_pass *pass);
uint64_t clup_resident_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_sizes_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_sizes_scratch(const clup_pass *pass, unsigned which);
/* What the last run of sizes has found in each replica, records[replicas]. */
clup_status clup_sizes_read(const clup_pass *pass, size_record *records);
/* The same of the whole, from what each process has found in its part. */
clup_status clup_sizes_join(const clup_ranks *ranks, uint32_t replicas, size_record *records);

/* Rows for images: why a row is not for one, NULL where it is, as for clup_row; their tiles,
 * work-items and local memory. */
const char *clup_unfit_bands_of_bonds(const clup_setting *setting);
const char *clup_unfit_bands_alone(const clup_setting *setting);
const char *clup_unfit_pixels(const clup_setting *setting);
const char *clup_unfit_blocks(const clup_setting *setting);
void clup_band_tile(const lattice_args *lattice, unsigned tile[3]);
uint64_t clup_runs_image_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_runs_pixels_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
size_t clup_volume_items(const unsigned tile[3]);
uint64_t clup_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_union_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_union_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
size_t clup_node_items(const unsigned tile[3]);
uint64_t clup_number_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
/* Actions that number clusters: bits of keys (blocks.clh) in words, ranks and sums of a scan over
 * them, and what else a row needs. */
enum { CLUP_KEY_BITS, CLUP_KEY_RANKS, CLUP_KEY_SUMS, CLUP_KEY_OWN };
uint64_t clup_number_scratch(const clup_pass *pass, unsigned which);
uint64_t clup_number_blocks_scratch(const clup_pass *pass, unsigned which);
uint64_t clup_number_bands_scratch(const clup_pass *pass, unsigned which);
clup_status clup_run_number(clup_pass *pass);
clup_status clup_run_number_blocks(clup_pass *pass);
/* Enqueues the counting of the clusters that were found, how many there are to the end of the
 * sums. */
clup_status clup_number_count(clup_pass *pass);

/* Launches iterations 0, 1, ... until one leaves its flag among those in scratch[flags],
 * CLUP_ITERATIONS_MAX words, at 0. They are enqueued as many as it took last time and one more, and
 * those after the last one needed have to return at once. More than most are an error.
 * pass->iterations is how many it took. */
#define CLUP_ITERATIONS_MAX 1024u
clup_status clup_iterate(clup_pass *pass, unsigned flags, uint64_t most,
                         clup_status (*launch)(clup_pass *pass, cl_uint iteration));

/* Work-items of a group, by tile: one; two; as many as the tile has columns. */
size_t clup_one_item(const unsigned tile[3]);
size_t clup_two_items(const unsigned tile[3]);
size_t clup_edge_items(const unsigned tile[3]);
/* The tile of the border layout; why a lattice is not for it, whose nodes have 32 bits, as for
 * clup_row; and the words of local memory for its bonds, BOND_WORDS of
 * border_tile.clh. */
void clup_border_tile(const lattice_args *lattice, unsigned tile[3]);
const char *clup_unfit_nodes(const clup_setting *setting);
uint64_t clup_border_bond_words(const lattice_args *lattice);
size_t clup_two_edges_items(const unsigned tile[3]);
size_t clup_eight_edges_items(const unsigned tile[3]);

#endif
