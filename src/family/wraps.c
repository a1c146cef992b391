/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters that wrap: the union-find with displacements. */
#include "family/wraps.h"

#include <stdlib.h>
#include <string.h>

#include "graph/graph_sizes.clh"

/* A cluster, in a hash table, at the place to which its name hashes. */
typedef struct node {
    uint32_t name; /* NOWHERE where the place is free */
    uint32_t parent;
    uint8_t wraps, first, last; /* of a root: a bit for each axis */
} node;

struct clup_wraps {
    unsigned axes;
    node *nodes;
    int32_t *boxes; /* [axes] of each place: relative to the box of the parent; 0 for a root */
    uint64_t room;  /* a power of two */
    uint64_t allocated;
};

clup_status clup_wraps_create(unsigned axes, clup_wraps **out)
{
    if ((*out = calloc(1, sizeof **out)) == NULL)
        return clup_fail_memory("the clusters that wrap");
    (*out)->axes = axes;
    return CLUP_OK;
}

void clup_wraps_free(clup_wraps *wraps)
{
    if (wraps != NULL) {
        free(wraps->nodes);
        free(wraps->boxes);
    }
    free(wraps);
}

clup_status clup_wraps_reset(clup_wraps *wraps, uint64_t clusters)
{
    uint64_t room = 16;
    while (room < 2 * clusters)
        room *= 2;
    if (room > wraps->allocated) {
        free(wraps->nodes);
        free(wraps->boxes);
        wraps->allocated = wraps->room = 0;
        wraps->nodes = malloc(room * sizeof *wraps->nodes);
        wraps->boxes = malloc(room * wraps->axes * sizeof *wraps->boxes + 1);
        if (wraps->nodes == NULL || wraps->boxes == NULL)
            return clup_fail_memory("the clusters that wrap");
        wraps->allocated = room;
    }
    wraps->room = room;
    for (uint64_t k = 0; k < room; k++)
        wraps->nodes[k].name = NOWHERE;
    return CLUP_OK;
}

static int32_t *box_of(const clup_wraps *wraps, uint32_t place)
{
    return wraps->boxes + (uint64_t)place * wraps->axes;
}

/* Returns the place of a cluster, or the free place that it can take. */
static uint32_t look_up(const clup_wraps *wraps, uint32_t name)
{
    uint64_t k = name * 0x9E3779B97F4A7C15u >> 32 & (wraps->room - 1);
    while (wraps->nodes[k].name != name && wraps->nodes[k].name != NOWHERE)
        k = (k + 1) & (wraps->room - 1);
    return (uint32_t)k;
}

/* Returns the place of a cluster. The first call for a name takes a place for it. */
static uint32_t place_of(clup_wraps *wraps, uint32_t name)
{
    const uint32_t k = look_up(wraps, name);
    if (wraps->nodes[k].name == NOWHERE) {
        wraps->nodes[k] = (node){.name = name, .parent = k};
        memset(box_of(wraps, k), 0, wraps->axes * sizeof *wraps->boxes);
    }
    return k;
}

/* Returns the root of a place, and makes it the parent of the place. */
static uint32_t root_of(clup_wraps *wraps, uint32_t place)
{
    node *const nodes = wraps->nodes;
    uint32_t root = place;
    int32_t box[WINDING_AXES] = {0};
    while (nodes[root].parent != root) {
        for (unsigned axis = 0; axis < wraps->axes; axis++)
            box[axis] += box_of(wraps, root)[axis];
        root = nodes[root].parent;
    }
    for (uint32_t up; nodes[place].parent != root && place != root; place = up) {
        up = nodes[place].parent;
        nodes[place].parent = root;
        for (unsigned axis = 0; axis < wraps->axes; axis++) {
            const int32_t own = box_of(wraps, place)[axis];
            box_of(wraps, place)[axis] = box[axis];
            box[axis] -= own;
        }
    }
    return root;
}

void clup_wraps_bond(clup_wraps *wraps, uint32_t a, uint32_t b, const int *steps)
{
    node *nodes = wraps->nodes;
    const uint32_t place_a = place_of(wraps, a), place_b = place_of(wraps, b),
                   root_a = root_of(wraps, place_a), root_b = root_of(wraps, place_b);
    int32_t way[WINDING_AXES]; /* from the box of a's root to the box of b's root, by the bond */
    for (unsigned axis = 0; axis < wraps->axes; axis++)
        way[axis] = box_of(wraps, place_a)[axis] + steps[axis] - box_of(wraps, place_b)[axis];
    if (root_a == root_b) {
        for (unsigned axis = 0; axis < wraps->axes; axis++)
            nodes[root_a].wraps |= (uint8_t)((way[axis] != 0) << axis);
        return;
    }
    nodes[root_b].parent = root_a;
    memcpy(box_of(wraps, root_b), way, wraps->axes * sizeof *way);
    nodes[root_a].wraps |= nodes[root_b].wraps;
    nodes[root_a].first |= nodes[root_b].first;
    nodes[root_a].last |= nodes[root_b].last;
}

void clup_wraps_leaving(clup_wraps *wraps, const lattice_args *lattice, unsigned axis, unsigned d,
                        uint32_t k, const uint32_t pair[2])
{
    const lattice_offset offset = clup_lattice_of(lattice)->offsets[d];
    const lattice_site site = layer_site(
        *lattice, axis, leaving_end(lattice_size(*lattice, axis), step_along(offset, axis)), k);
    const uint32_t at[3] = {site.x, site.row % lattice->ny, site.row / lattice->ny};
    int steps[3];
    for (unsigned a = 0; a < 3; a++) {
        const int step = step_along(offset, a);
        steps[a] = step != 0 && at[a] == leaving_end(lattice_size(*lattice, a), step) ? step : 0;
    }
    clup_wraps_bond(wraps, pair[0], pair[1], steps);
}

void clup_wraps_end(clup_wraps *wraps, uint32_t cluster, unsigned axis, unsigned end)
{
    node *root = &wraps->nodes[root_of(wraps, place_of(wraps, cluster))];
    *(end == 0 ? &root->first : &root->last) |= (uint8_t)(1u << axis);
}

uint32_t clup_wraps_place(clup_wraps *wraps, uint32_t cluster, int32_t *box)
{
    const uint32_t place = look_up(wraps, cluster);
    if (wraps->nodes[place].name == NOWHERE)
        return NOWHERE;
    const uint32_t root = root_of(wraps, place);
    memcpy(box, box_of(wraps, place), wraps->axes * sizeof *box);
    return root;
}

uint64_t clup_wraps_places(const clup_wraps *wraps)
{
    return wraps->room;
}

static unsigned wraps_of(const node *root)
{
    return root->wraps | (root->first & root->last);
}

unsigned clup_wraps_of(clup_wraps *wraps, uint32_t cluster)
{
    return wraps_of(&wraps->nodes[root_of(wraps, place_of(wraps, cluster))]);
}

unsigned clup_wraps_any(const clup_wraps *wraps)
{
    unsigned any = 0;
    for (uint64_t k = 0; k < wraps->room; k++)
        if (wraps->nodes[k].name != NOWHERE && wraps->nodes[k].parent == k)
            any |= wraps_of(&wraps->nodes[k]);
    return any;
}
