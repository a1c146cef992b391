/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets the clusters of samples of percolation grow, a bond or site at a time. */
#ifndef CLUP_GRAPH_GROWING_H
#define CLUP_GRAPH_GROWING_H
#include "graph/network.h"

/* What a step changes, added up over samples, modulo 2^64. */
typedef struct clup_change {
    uint64_t clusters, largest, squares, largest_square;
} clup_change;

/* The state of a sample before its first step. */
growth_state clup_growing_begin(const clup_network *network);

/* Lets samples number first to first + count - 1 grow on the host. Adds to changes[steps + 1] what
 * each step changes, and writes to wrapped[count][axes] the step at which a cluster first wraps
 * around each axis or spans it, or NEVER. */
clup_status clup_growing_serial(const clup_network *network, random_key key, uint64_t first,
                                uint64_t count, clup_change *changes, uint32_t *wrapped);

/* The same on a device, for several sets of samples at a time. */
typedef struct clup_growing clup_growing;
/* A set has set_samples samples, or a divisor of that number where there is no room; sets is how
 * many of set_samples there will be in all. network must outlive *out. */
clup_status clup_growing_create(clup_context *context, const clup_network *network, random_key key,
                                uint64_t set_samples, uint64_t sets, clup_growing **out);
void clup_growing_free(clup_growing *growth);
uint32_t clup_growing_set_samples(const clup_growing *growth);
uint32_t clup_growing_sets(const clup_growing *growth);
/* Lets samples of some sets grow, from number first on; the last set may have fewer of them. Then
 * the second function gives what clup_growing_serial does, of a set that has so many samples. */
clup_status clup_growing_run(clup_growing *growth, uint64_t first, uint32_t samples);
clup_status clup_growing_read(clup_growing *growth, uint32_t set, uint32_t samples,
                              clup_change *changes, uint32_t *wrapped);

/* Bytes of a device that samples take at most, besides half of it; tests make it smaller. */
extern uint64_t clup_growing_room;

/* Compares some samples of a small lattice of a problem's kind, or for NULL of a small graph, with
 * those of the host; once in a context for each kind of kernel. CLUP_ERROR_VERIFY where they
 * differ.
 */
clup_status clup_growing_verify(clup_context *context, const clup_problem *problem, bool of_sites);

#endif
