/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters of pieces of an image, slabs or processes' parts, that are one where the pieces meet.
 * The pieces are one after the other, and so are the names of their clusters: 1, 2, ... in raster
 * order of first pixels. Only what meets takes memory. */
#ifndef CLUP_LABEL_JOINED_H
#define CLUP_LABEL_JOINED_H
#include "base/status.h"

typedef struct clup_joined_node {
    uint64_t name;
    uint64_t up; /* the node above it, or itself */
} clup_joined_node;

/* All zeros is none. */
typedef struct clup_joined {
    clup_joined_node *nodes;
    uint64_t count, room;
    uint64_t *slots; /* [slot_count], a power of two: node + 1 of a name, 0 for none */
    uint64_t slot_count;
    clup_joined_node *gone; /* after clup_joined_settle: clusters that are others, in the order of
                               their names, up being the name of the first one of their cluster */
    uint64_t gone_count;
} clup_joined;

/* Two clusters are one; CLUP_ERROR_MEMORY. */
clup_status clup_joined_unite(clup_joined *joined, uint64_t a, uint64_t b);
/* Finds what is gone. May be followed by more that is united. */
clup_status clup_joined_settle(clup_joined *joined);
/* The names below this one that are gone, once it is settled. */
uint64_t clup_joined_gone_below(const clup_joined *joined, uint64_t name);
/* numbers[1..count] of the clusters before + 1, before + 2, ..., once it is settled: 1, 2, ...
 * without those that are gone, which have those of their clusters. numbers[0] is 0. */
void clup_joined_number(const clup_joined *joined, uint64_t before, uint64_t count,
                        uint32_t *numbers);
void clup_joined_clear(clup_joined *joined);

#endif
