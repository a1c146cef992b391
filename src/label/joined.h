/* SPDX-License-Identifier: BSD-3-Clause */
/* Unites clusters where pieces of an image meet; pieces are slabs, or the subdomains of processes.
 * Pieces are in order, and the names of their clusters are 1, 2, ... in raster order of first
 * pixels. Memory is used only for clusters that touch another piece. */
#ifndef CLUP_LABEL_JOINED_H
#define CLUP_LABEL_JOINED_H
#include "base/status.h"

typedef struct clup_joined_node {
    uint64_t name;
    uint64_t up; /* the node of its parent, or itself for a root */
} clup_joined_node;

/* A union-find; all zeros when empty. */
typedef struct clup_joined {
    clup_joined_node *nodes;
    uint64_t count, room;
    uint64_t *slots; /* [slot_count], a power of two: node + 1 of a name, 0 for an empty slot */
    uint64_t slot_count;
    clup_joined_node *gone; /* after clup_joined_settle: the clusters that were united into another
                               one, in the order of their names; up is then the first name of the
                               whole cluster */
    uint64_t gone_count;
} clup_joined;

/* Unites two clusters; CLUP_ERROR_MEMORY. */
clup_status clup_joined_unite(clup_joined *joined, uint64_t a, uint64_t b);
/* Sets gone. More unions may follow. */
clup_status clup_joined_settle(clup_joined *joined);
/* The number of names below name that are gone; clup_joined_settle must come before. */
uint64_t clup_joined_gone_below(const clup_joined *joined, uint64_t name);
/* Sets numbers[1..count] to the final numbers of the clusters before + 1, before + 2, ...;
 * clup_joined_settle must come before. Clusters that are not gone are numbered 1, 2, ...; one that
 * is gone has the number of the cluster into which it was united. numbers[0] is 0. */
void clup_joined_number(const clup_joined *joined, uint64_t before, uint64_t count,
                        uint32_t *numbers);
void clup_joined_clear(clup_joined *joined);

#endif
