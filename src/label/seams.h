/* The clusters at the seams between the parts of a lattice (seams.clh): a pass of each part's
 * state, between its consolidation and its action. */
#ifndef CLUP_LABEL_SEAMS_H
#define CLUP_LABEL_SEAMS_H
#include "model/pass.h"

/* The row for a layout; NULL where it has none. */
const clup_row *clup_seams_row(const clup_layout *layout);
/* Bytes of the words of a part, of all its replicas. */
uint64_t clup_seams_bytes(const clup_state *state);
/* Takes the clusters at the seams, once they are found, and writes the part's words: waits. */
clup_status clup_seams_take(clup_pass *pass, void *words);
/* Enqueues what gives these clusters their spins in the whole lattice, from the words of all parts,
 * one after the other. They may change once it returns. */
clup_status clup_seams_give(clup_pass *pass, const void *all);

#endif
