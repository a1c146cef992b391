/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters at the interfaces between the subdomains of a lattice (interface_entries.clh): what each
 * process does with the clusters of its subdomain, between consolidation and action, and what it
 * exchanges with other processes. */
#ifndef CLUP_FAMILY_INTERFACE_H
#define CLUP_FAMILY_INTERFACE_H
#include "family/union_methods.h"
#include "core/prepared.h"

/* Host memory for what a process sends and receives in union rounds, pinned if possible. If
 * processes share memory, each writes its words where the others read them. The memory then has a
 * place for each process in each round, twice: sweeps use the two copies by turns. So a process
 * overwrites the words of a sweep two sweeps later. In the sweep between, it has received words of
 * the processes that read its own, and they write those only after they have read. */
typedef struct clup_interface_room {
    clup_pinned pinned;
    char *bytes;
    const clup_ranks *shared; /* the processes that share the memory; NULL where each has memory of
                                 its own */
    bool begun;               /* all processes have created the memory */
    unsigned turn;
    cl_event read;
} clup_interface_room;

typedef struct clup_interface {
    clup_state *state;
    const clup_union_method *between;
    clup_prepared ends, joined[2]; /* see interface.c */
    clup_prepared ties;            /* in a field: finds which clusters it holds */
    clup_prepared sizes, added;    /* count the sizes of clusters */
    clup_merge merges[CLUP_MERGES_MOST];
    unsigned merge_count;
    clup_interface_room words, labels, counts; /* memory for the words and sizes that a sweep sends:
                                                  for unions, for relaxation, and for sizes */
    /* the sizes of the last sweep must still be added to sums, in this slot */
    bool counting;
    cl_uint slot;
    cl_mem sums;
    /* since the state was created: rounds of exchange, and bytes received from other processes */
    uint64_t rounds, bytes;
} clup_interface;

/* Return the kernel variant for a model and a layout, NULL where there is none;
 * clup_interface_joined has the variants that do not depend on either. */
const clup_variant *clup_interface_variant(clup_model model, const clup_layout *layout);
const clup_variant *clup_interface_ties_variant(clup_model model, const clup_layout *layout);
const clup_variant *clup_interface_sizes_variant(clup_model model, const clup_layout *layout);
extern const clup_table clup_interface_joined;
/* CLUP_ERROR_USAGE unless 32 bits can number the entries of all subdomains, and, after all numbers
 * of its forest, the entries of this one. */
clup_status clup_interface_check(const clup_state *state);

/* Prepares a state of a subdomain for unions. between is the name of the union method; NULL for one
 * that is chosen. */
clup_status clup_interface_create(clup_state *state, const unsigned tile[3], const char *between,
                                  clup_interface *interface);
void clup_interface_clear(clup_interface *interface);
/* Adds to need what clup_interface_create takes on the device. The state must come from
 * clup_state_describe. */
clup_status clup_interface_need(clup_state *state, const unsigned tile[3], const char *between,
                                clup_need *need);
/* To be called by all processes once each has found the clusters of its subdomain. The processes
 * find which clusters at interfaces are one, and give each of them its spin of the whole lattice.
 * Waits for the device. */
clup_status clup_interface_join(clup_interface *interface);

/* Sizes of the clusters at interfaces, in sweeps that count (state->counting).
 * clup_interface_make_sizes prepares the kernels, once. clup_interface_begin_sizes is called before
 * sizes are counted in labels. clup_interface_count is called after that: one process for each
 * cluster adds the cluster's size in the whole lattice to the sums of a slot, or to the records of
 * samples. The next sweep does so, while processes wait for each other in any case, or
 * clup_interface_end_sizes does, for a caller that needs the sums. Waits for the device. */
clup_status clup_interface_make_sizes(clup_interface *interface, const unsigned tile[3]);
clup_status clup_interface_begin_sizes(clup_interface *interface);
clup_status clup_interface_count(clup_interface *interface, cl_uint slot, cl_mem sums);
clup_status clup_interface_end_sizes(clup_interface *interface);

#endif
