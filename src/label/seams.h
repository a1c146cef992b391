/* The clusters at the seams between the parts of a lattice (seams.clh): a pass of each part's
 * state, between its consolidation and its action. */
#ifndef CLUP_LABEL_SEAMS_H
#define CLUP_LABEL_SEAMS_H
#include "model/pass.h"

/* The row for a layout; NULL where it has none. */
const clup_row *clup_seams_row(const clup_layout *layout);
/* Whether 32 bits can number the entries of all parts, and those of a part after all of its forest;
 * CLUP_ERROR_USAGE where they cannot. */
clup_status clup_seams_check(const clup_state *state);
/* Bytes of the words of a part, of all its replicas. */
uint64_t clup_seams_bytes(const clup_state *state);
/* Takes the clusters at the seams, once they are found, and writes the part's words: waits. */
clup_status clup_seams_take(clup_pass *pass, void *words);
/* Enqueues what gives these clusters their spins in the whole lattice, from the words of all parts,
 * one after the other. They may change once it returns. */
clup_status clup_seams_give(clup_pass *pass, const void *all);

/* The sizes of these clusters in sweeps that count: the row, and its pass beside that of the seams.
 * To begin with, before sizes are counted in labels; then, after the action, the part's own, in
 * bytes for all its replicas: waits; and from those of all parts the clusters whose roots the part
 * has, which are added to the sums of clusters of a slot. */
const clup_row *clup_seams_sizes_row(const clup_layout *layout);
uint64_t clup_seams_sizes_bytes(const clup_state *state);
clup_status clup_seams_sizes_begin(clup_pass *sizes, const clup_pass *seams);
clup_status clup_seams_sizes_read(clup_pass *sizes, const clup_pass *seams, void *own);
clup_status clup_seams_sizes_count(clup_pass *sizes, const clup_pass *seams, const void *all,
                                   cl_uint slot, cl_mem sums);

#endif
