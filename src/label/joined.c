/* SPDX-License-Identifier: BSD-3-Clause */
/* A union-find over the clusters that touch another piece, which a hash table finds by name. */
#include "label/joined.h"

#include <stdlib.h>

#define ROOM_LEAST 1024

/* The slot at which the search for a name begins: the high bits of a multiple of an odd number,
 * which spread names. */
static uint64_t first_slot(const clup_joined *joined, uint64_t name)
{
    return (name * 0x9E3779B97F4A7C15u >> 20) & (joined->slot_count - 1);
}

/* The slot that has a name, or the empty one where it belongs. */
static uint64_t *slot_of(const clup_joined *joined, uint64_t name)
{
    uint64_t at = first_slot(joined, name);
    while (joined->slots[at] != 0 && joined->nodes[joined->slots[at] - 1].name != name)
        at = (at + 1) & (joined->slot_count - 1);
    return &joined->slots[at];
}

/* Makes room for twice as many names; half of the slots stay empty. */
static clup_status grow(clup_joined *joined)
{
    const uint64_t room = joined->room > 0 ? 2 * joined->room : ROOM_LEAST;
    clup_joined_node *nodes = room <= SIZE_MAX / 2 / sizeof *nodes
                                  ? realloc(joined->nodes, room * sizeof *nodes)
                                  : NULL;
    if (nodes != NULL)
        joined->nodes = nodes;
    uint64_t *slots = nodes != NULL ? calloc(2 * room, sizeof *slots) : NULL;
    if (slots == NULL)
        return clup_fail_memory("the clusters of slabs");
    free(joined->slots);
    joined->slots = slots;
    joined->slot_count = 2 * room;
    joined->room = room;
    for (uint64_t k = 0; k < joined->count; k++)
        *slot_of(joined, nodes[k].name) = k + 1;
    return CLUP_OK;
}

static clup_status node_of(clup_joined *joined, uint64_t name, uint64_t *node)
{
    clup_status status = CLUP_OK;
    if (joined->count == joined->room)
        CLUP_TRY(grow(joined));
    uint64_t *slot = slot_of(joined, name);
    if (*slot == 0) {
        joined->nodes[joined->count] = (clup_joined_node){name, joined->count};
        *slot = ++joined->count;
    }
    *node = *slot - 1;
done:
    return status;
}

static uint64_t root_of(clup_joined_node *nodes, uint64_t node)
{
    while (nodes[node].up != node) {
        nodes[node].up = nodes[nodes[node].up].up;
        node = nodes[node].up;
    }
    return node;
}

/* Makes the least name the root: it has the first pixel of the cluster. */
clup_status clup_joined_unite(clup_joined *joined, uint64_t a, uint64_t b)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(node_of(joined, a, &a));
    CLUP_TRY(node_of(joined, b, &b));
    a = root_of(joined->nodes, a);
    b = root_of(joined->nodes, b);
    if (joined->nodes[a].name < joined->nodes[b].name)
        joined->nodes[b].up = a;
    else
        joined->nodes[a].up = b;
done:
    return status;
}

static int by_name(const void *a, const void *b)
{
    const uint64_t left = ((const clup_joined_node *)a)->name,
                   right = ((const clup_joined_node *)b)->name;
    return (left > right) - (left < right);
}

clup_status clup_joined_settle(clup_joined *joined)
{
    clup_joined_node *nodes = joined->nodes;
    free(joined->gone);
    joined->gone_count = 0;
    if ((joined->gone = malloc((joined->count + 1) * sizeof *joined->gone)) == NULL)
        return clup_fail_memory("the clusters of slabs");
    for (uint64_t k = 0; k < joined->count; k++)
        if (nodes[k].up != k)
            joined->gone[joined->gone_count++] = (clup_joined_node){nodes[k].name,
                                                                    nodes[root_of(nodes, k)].name};
    qsort(joined->gone, joined->gone_count, sizeof *joined->gone, by_name);
    return CLUP_OK;
}

uint64_t clup_joined_gone_below(const clup_joined *joined, uint64_t name)
{
    uint64_t first = 0, end = joined->gone_count;
    while (first < end) {
        const uint64_t middle = first + (end - first) / 2;
        if (joined->gone[middle].name < name)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

void clup_joined_number(const clup_joined *joined, uint64_t before, uint64_t count,
                        uint32_t *numbers)
{
    uint64_t below = clup_joined_gone_below(joined, before + 1);
    numbers[0] = 0;
    for (uint64_t k = 1; k <= count; k++) {
        uint64_t name = before + k, less = below;
        if (below < joined->gone_count && joined->gone[below].name == name) {
            name = joined->gone[below++].up;
            less = clup_joined_gone_below(joined, name);
        }
        numbers[k] = (uint32_t)(name - less);
    }
}

void clup_joined_clear(clup_joined *joined)
{
    free(joined->nodes);
    free(joined->slots);
    free(joined->gone);
    *joined = (clup_joined){0};
}
