/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters that go on at the other end of periodic axes, put together from their pieces.
 *
 * A piece is a cluster of the lattice without bonds across the ends of its periodic axes, in which
 * it lies in true coordinates. Bonds across the ends join pieces, or one with itself, and say by
 * how many lattices one lies from the other (family/wraps.h). So a piece is moved to where the
 * cluster has it: along each axis around which the cluster does not wrap, where that place does not
 * depend on the way there. Along others pieces stay where they are. The whole is then moved so that
 * its box begins in the lattice. */
#ifndef CLUP_LABEL_PIECES_H
#define CLUP_LABEL_PIECES_H
#include "family/wraps.h"
#include "label/cluster_sums.h"

typedef struct clup_pieces {
    const clup_label_problem *problem;
    bool has_values;
    clup_wraps *wraps; /* of pieces by their numbers, 1, 2, ..., in raster order of first pixels */
    uint32_t *groups;  /* by places of wraps: the number of the group, from 1 on */
    struct clup_piece_group *group;
    uint32_t used, room;
    uint32_t found;    /* clusters so far */
    uint32_t clusters; /* how many of the first ones are wanted */
    clup_cluster *out; /* [clusters] */
} clup_pieces;

/* Once wraps knows all bonds. */
clup_status clup_pieces_begin(clup_pieces *pieces);
/* The next piece; its number is the one after the last's. */
clup_status clup_pieces_add(clup_pieces *pieces, uint32_t number, clup_cluster_sums *sums);
/* Completes out[] after the last piece. */
clup_status clup_pieces_end(clup_pieces *pieces);
void clup_pieces_clear(clup_pieces *pieces);

#endif
