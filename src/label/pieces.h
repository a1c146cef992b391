/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts clusters that continue at the other end of a periodic axis together from their pieces.
 *
 * A piece is a cluster of the lattice without bonds across the ends of its periodic axes; in it
 * true coordinates are known. A bond across the ends unites two pieces, or a piece with itself, and
 * tells by how many lattices one is shifted against the other (family/wraps.h). A piece is shifted
 * accordingly along each axis around which the cluster does not wrap: there the shift does not
 * depend on the path of bonds. Along the other axes pieces are not shifted. The whole cluster is
 * then shifted so that its box begins in the lattice. */
#ifndef CLUP_LABEL_PIECES_H
#define CLUP_LABEL_PIECES_H
#include "family/wraps.h"
#include "label/cluster_sums.h"

typedef struct clup_pieces {
    const clup_label_problem *problem;
    bool has_values;
    clup_wraps *wraps; /* of pieces by their numbers, 1, 2, ..., in raster order of first pixels */
    uint32_t *groups;  /* for each place of wraps the number of its group, from 1 on */
    struct clup_piece_group *group;
    uint32_t used, room;
    uint32_t found;    /* clusters so far */
    uint32_t clusters; /* the number of first clusters that are wanted */
    clup_cluster *out; /* [clusters] */
} clup_pieces;

/* Call when wraps has all bonds. */
clup_status clup_pieces_begin(clup_pieces *pieces);
/* Adds the next piece; its number is one more than that of the piece before. */
clup_status clup_pieces_add(clup_pieces *pieces, uint32_t number, clup_cluster_sums *sums);
/* Completes out[] after the last piece. */
clup_status clup_pieces_end(clup_pieces *pieces);
void clup_pieces_clear(clup_pieces *pieces);

#endif
