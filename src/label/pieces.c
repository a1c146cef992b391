/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts clusters together from their pieces. */
#include "label/pieces.h"

#include <stdlib.h>

/* Pieces added so far that bonds across ends of axes unite. */
typedef struct clup_piece_group {
    clup_cluster_sums sums;
    uint32_t cluster; /* number of its cluster, less 1 */
    unsigned wraps;
} group;

clup_status clup_pieces_begin(clup_pieces *pieces)
{
    pieces->groups = calloc(clup_wraps_places(pieces->wraps), sizeof *pieces->groups);
    return pieces->groups != NULL ? CLUP_OK : clup_fail_memory("the pieces of clusters");
}

void clup_pieces_clear(clup_pieces *pieces)
{
    free(pieces->groups);
    free(pieces->group);
}

static clup_status set_cluster(const clup_pieces *pieces, uint32_t cluster, unsigned wraps,
                               const clup_cluster_sums *sums)
{
    if (cluster >= pieces->clusters)
        return CLUP_OK;
    const clup_status status = clup_cluster_of(pieces->problem, sums, pieces->has_values,
                                               &pieces->out[cluster]);
    pieces->out[cluster].wraps = wraps;
    return status;
}

/* Finds the group of a place; a new group gets the next cluster. */
static clup_status group_at(clup_pieces *pieces, uint32_t place, uint32_t *at)
{
    if (pieces->groups[place] == 0) {
        if (pieces->used == pieces->room) {
            const uint32_t room = 2 * pieces->room + 64;
            group *more = realloc(pieces->group, room * sizeof *more);
            if (more == NULL)
                return clup_fail_memory("the pieces of clusters");
            pieces->group = more;
            pieces->room = room;
        }
        pieces->group[pieces->used] = (group){.cluster = pieces->found++};
        pieces->groups[place] = ++pieces->used;
    }
    *at = pieces->groups[place] - 1;
    return CLUP_OK;
}

/* Shifts sums by so many lattices, except along axes around which the cluster wraps. */
static void shift_by(const clup_pieces *pieces, unsigned wraps, const int64_t boxes[3],
                     clup_cluster_sums *sums)
{
    int64_t by[3];
    for (unsigned axis = 0; axis < 3; axis++)
        by[axis] = wraps >> axis & 1 ? 0 : boxes[axis] * (int64_t)pieces->problem->size[axis];
    clup_cluster_sums_shift(sums, by);
}

clup_status clup_pieces_add(clup_pieces *pieces, uint32_t number, clup_cluster_sums *sums)
{
    int32_t box[3];
    uint32_t at = 0;
    const uint32_t place = clup_wraps_place(pieces->wraps, number, box);
    if (place == NOWHERE)
        return set_cluster(pieces, pieces->found++, 0, sums);
    const clup_status status = group_at(pieces, place, &at);
    if (status != CLUP_OK)
        return status;
    group *group = &pieces->group[at];
    group->wraps = clup_wraps_of(pieces->wraps, number);
    shift_by(pieces, group->wraps, (const int64_t[3]){box[0], box[1], box[2]}, sums);
    if (group->sums.size == 0)
        group->sums = *sums;
    else
        clup_cluster_sums_add(&group->sums, sums);
    return CLUP_OK;
}

clup_status clup_pieces_end(clup_pieces *pieces)
{
    clup_status status = CLUP_OK;
    for (uint32_t k = 0; k < pieces->used && status == CLUP_OK; k++) {
        group *group = &pieces->group[k];
        int64_t boxes[3];
        for (unsigned axis = 0; axis < 3; axis++) {
            const int64_t size = pieces->problem->size[axis], first = group->sums.first[axis];
            /* first is never past the lattice, as the piece of the root was not shifted */
            boxes[axis] = first < 0 ? (size - 1 - first) / size : 0;
        }
        shift_by(pieces, group->wraps, boxes, &group->sums);
        status = set_cluster(pieces, group->cluster, group->wraps, &group->sums);
    }
    return status;
}
