/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference of clusters that grow: sorts numbers, and hangs one tree after the other. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "core/boundary.h"
#include "graph/growing.h"

growth_state clup_growing_begin(const clup_network *network)
{
    growth_state state = {.largest = !network->of_sites && network->sites > 0};
    for (unsigned axis = 0; axis < WINDING_AXES; axis++)
        state.wrapped[axis] = !network->of_sites && (network->spanned >> axis & 1) ? 0 : NEVER;
    return state;
}

/* A sample on the host. Displacements are counted in windings around each axis. */
typedef struct forest {
    const clup_network *network;
    uint64_t *order;               /* [steps], a number and an index */
    uint32_t *parents;             /* [vertices]; NEVER for a site that is empty */
    uint32_t *sizes;               /* of roots */
    uint32_t *ends;                /* of roots */
    int32_t (*ways)[WINDING_AXES]; /* windings from the parent to the vertex */
    growth_state state;
    clup_change change; /* of this step */
} forest;

static clup_status forest_create(const clup_network *network, forest *forest)
{
    const uint64_t vertices = network->vertices + 1;
    *forest = (struct forest){
        .network = network,
        .order = malloc((network->steps + 1) * sizeof *forest->order),
        .parents = malloc(vertices * sizeof *forest->parents),
        .sizes = malloc(vertices * sizeof *forest->sizes),
        .ends = malloc(vertices * sizeof *forest->ends),
        .ways = network->axes > 0 ? malloc(vertices * sizeof *forest->ways) : NULL,
    };
    return forest->order == NULL || forest->parents == NULL || forest->sizes == NULL ||
                   forest->ends == NULL || (network->axes > 0 && forest->ways == NULL)
               ? clup_fail_memory("a sample")
               : CLUP_OK;
}

static void forest_clear(forest *forest)
{
    free(forest->order);
    free(forest->parents);
    free(forest->sizes);
    free(forest->ends);
    free(forest->ways);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Writes the number and the index of each bond or site that exists, in their order. */
static void draw_order(forest *forest, random_key key)
{
    const clup_network *network = forest->network;
    uint64_t count = 0;
    for (uint64_t k = 0; k < network->words * network->directions; k++) {
        uint32_t stream[32];
        const uint32_t purpose = clup_network_purpose(network) + (uint32_t)(k / network->words);
        if (network->present[k] == 0)
            continue;
        for (unsigned block = 0; block < 8; block++) {
            const philox_block drawn = random_block(key, purpose, k % network->words, block);
            memcpy(&stream[4 * block], drawn.v, sizeof drawn.v);
        }
        for (unsigned j = 0; j < 32; j++) {
            uint32_t number = 0;
            for (unsigned bit = 0; bit < 32; bit++)
                number = number << 1 | (stream[bit] >> j & 1);
            if (network->present[k] >> j & 1)
                forest->order[count++] = (uint64_t)number << 32 | (32 * k + j);
        }
    }
    qsort(forest->order, count, sizeof *forest->order, by_number);
}

/* Returns the root of a vertex; way[] becomes the windings from there to the vertex. */
static uint32_t find(forest *forest, uint32_t v, int32_t way[WINDING_AXES])
{
    const unsigned axes = forest->network->axes;
    uint32_t *parents = forest->parents;
    memset(way, 0, WINDING_AXES * sizeof *way);
    while (parents[v] != v) {
        const uint32_t up = parents[v];
        for (unsigned axis = 0; axis < axes; axis++) {
            if (parents[up] != up)
                forest->ways[v][axis] += forest->ways[up][axis];
            way[axis] += forest->ways[v][axis];
        }
        v = parents[v] = parents[up];
    }
    return v;
}

static void note_spanned(forest *forest, uint32_t root)
{
    for (unsigned axis = 0; axis < forest->network->axes; axis++)
        if ((forest->ends[root] >> 2 * axis & 3) == 3 && forest->state.wrapped[axis] == NEVER)
            forest->state.wrapped[axis] = forest->state.step;
}

static void note_size(forest *forest, uint32_t size)
{
    const uint64_t before = forest->state.largest;
    if (size <= before)
        return;
    forest->change.largest += size - before;
    forest->change.largest_square += (uint64_t)size * size - before * before;
    forest->state.largest = size;
}

static void unite(forest *forest, uint32_t u, uint32_t v, uint32_t crossing)
{
    int32_t to_u[WINDING_AXES], to_v[WINDING_AXES], way[WINDING_AXES] = {0};
    uint32_t a = find(forest, u, to_u), b = find(forest, v, to_v);
    for (unsigned axis = 0; axis < forest->network->axes; axis++) {
        way[axis] = to_u[axis] + clup_winds(crossing, axis) - to_v[axis];
        if (a == b && way[axis] != 0 && forest->state.wrapped[axis] == NEVER)
            forest->state.wrapped[axis] = forest->state.step;
    }
    if (a == b)
        return;
    const bool turned = forest->sizes[a] < forest->sizes[b];
    if (turned) {
        const uint32_t other = a;
        a = b;
        b = other;
    }
    for (unsigned axis = 0; axis < forest->network->axes; axis++)
        forest->ways[b][axis] = turned ? -way[axis] : way[axis];
    forest->change.squares += 2 * (uint64_t)forest->sizes[a] * forest->sizes[b];
    forest->change.clusters--;
    forest->parents[b] = a;
    forest->sizes[a] += forest->sizes[b];
    forest->ends[a] |= forest->ends[b];
    note_spanned(forest, a);
    note_size(forest, forest->sizes[a]);
}

static void occupy(forest *forest, uint32_t v)
{
    const clup_network *network = forest->network;
    forest->parents[v] = v;
    forest->change.clusters++;
    forest->change.squares++;
    note_size(forest, 1);
    note_spanned(forest, v);
    for (uint32_t k = network->rows[v]; k < network->rows[v + (uint64_t)1]; k++)
        if (forest->parents[network->edges[k][0]] != NEVER)
            unite(forest, v, network->edges[k][0], network->edges[k][1]);
}

static clup_status grow(forest *forest, random_key key, clup_change *changes)
{
    const clup_network *network = forest->network;
    clup_status status = CLUP_OK;
    for (uint64_t v = 0; v < network->vertices; v++) {
        forest->parents[v] = network->of_sites ? NEVER : (uint32_t)v;
        forest->sizes[v] = 1;
        forest->ends[v] = network->ends != NULL ? network->ends[v] : 0;
    }
    forest->state = clup_growing_begin(network);
    CLUP_TRY(clup_watch_ask());
    draw_order(forest, key);
    for (uint64_t k = 0; k < network->steps; k++) {
        const uint32_t index = (uint32_t)forest->order[k];
        CLUP_TRY(clup_watch_ask_at(k));
        forest->change = (clup_change){0};
        forest->state.step++;
        if (network->of_sites)
            occupy(forest, clup_network_vertex(network, index));
        else
            unite(forest, network->edges[index][0], network->edges[index][1],
                  network->crossings != NULL ? network->crossings[index] : 0);
        changes[k + 1].clusters += forest->change.clusters;
        changes[k + 1].largest += forest->change.largest;
        changes[k + 1].squares += forest->change.squares;
        changes[k + 1].largest_square += forest->change.largest_square;
    }
done:
    return status;
}

clup_status clup_growing_serial(const clup_network *network, random_key key, uint64_t first,
                                uint64_t count, clup_change *changes, uint32_t *wrapped)
{
    forest forest;
    clup_status status = forest_create(network, &forest);
    for (uint64_t k = 0; k < count && status == CLUP_OK; k++) {
        status = grow(&forest, later_key(key, first + k), changes);
        for (unsigned axis = 0; axis < network->axes; axis++)
            wrapped[k * network->axes + axis] = forest.state.wrapped[axis];
    }
    forest_clear(&forest);
    return status;
}
