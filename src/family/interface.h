/* SPDX-License-Identifier: BSD-3-Clause */
/* The clusters at the seams between the parts of a lattice (seams.clh): what each process does with
 * those of its part, between its consolidation and its action, and with the other processes. */
#ifndef CLUP_FAMILY_INTERFACE_H
#define CLUP_FAMILY_INTERFACE_H
#include "family/union_methods.h"
#include "core/prepared.h"

/* What is sent and has come, on the host, pinned if it can be, and the read that is on its way. In
 * memory that all processes share each writes its own where those find it who get it, twice for
 * each merging, in turn: who writes the third has heard from them that they have read the first. */
typedef struct clup_interface_room {
    clup_pinned pinned;
    char *bytes;
    const clup_ranks *shared; /* who have given it; NULL where each has memory of its own */
    bool begun;               /* all have made it */
    unsigned turn;
    cl_event read;
} clup_interface_room;

typedef struct clup_interface {
    clup_state *state;
    const clup_union_method *between;
    clup_prepared ends, joined[2]; /* see seams.c */
    clup_prepared sizes, added;    /* where they are counted */
    clup_merge merges[CLUP_MERGES_MOST];
    unsigned merge_count;
    clup_interface_room words, labels, counts; /* what is sent in a sweep, by mergings or by
                                              relaxation, and of sizes */
    /* those of the last sweep are to be added up, in a slot of sums */
    bool counting;
    cl_uint slot;
    cl_mem sums;
    /* since the state was made: what came from other processes, and in how many rounds */
    uint64_t rounds, bytes;
} clup_interface;

/* The rows for a model and a layout; NULL where there is none. And those that neither changes. */
const clup_variant *clup_interface_variant(clup_model model, const clup_layout *layout);
const clup_variant *clup_interface_sizes_variant(clup_model model, const clup_layout *layout);
extern const clup_table clup_interface_joined;
/* Whether 32 bits can number the entries of all parts, and those of a part after all of its forest;
 * CLUP_ERROR_USAGE where they cannot. */
clup_status clup_interface_check(const clup_state *state);

/* For the state of a part, with the row of that name between processes, or NULL for one that is
 * chosen. */
clup_status clup_interface_create(clup_state *state, const unsigned tile[3], const char *between,
                                  clup_interface *seams);
void clup_interface_clear(clup_interface *seams);
/* What it takes on the device, of a state that was described. */
clup_status clup_interface_need(clup_state *state, const unsigned tile[3], const char *between,
                                clup_need *need);
/* Once clusters are found: all processes together find which of those at seams are one, and give
 * them their spins in the whole lattice. Waits. */
clup_status clup_interface_join(clup_interface *seams);

/* The sizes of these clusters in sweeps that count (counting of the state): made ready once; to
 * begin with, before sizes are counted in labels; and when they are, those of the whole lattice are
 * added to the sums of clusters of a slot, or to the records of samples, each by one process. That
 * is done by the next sweep, while processes wait for each other anyway, or when it is asked for
 * that they be there. Waits. */
clup_status clup_interface_make_sizes(clup_interface *seams, const unsigned tile[3]);
clup_status clup_interface_begin_sizes(clup_interface *seams);
clup_status clup_interface_count(clup_interface *seams, cl_uint slot, cl_mem sums);
clup_status clup_interface_end_sizes(clup_interface *seams);

#endif
