/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference of connected components: a serial union-find. */
#include "graph/components.h"

void clup_serial_begin(uint32_t *parents, uint32_t vertices)
{
    for (uint32_t v = 0; v < vertices; v++)
        parents[v] = v;
}

static uint32_t root(uint32_t *parents, uint32_t v)
{
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

void clup_serial_unite(uint32_t *parents, uint32_t (*pairs)[2], uint64_t edges)
{
    for (uint64_t e = 0; e < edges; e++) {
        const uint32_t a = root(parents, pairs[e][0]), b = root(parents, pairs[e][1]);
        parents[a > b ? a : b] = a < b ? a : b;
    }
}

uint32_t clup_serial_number(uint32_t *parents, uint32_t vertices, uint32_t *labels)
{
    uint32_t count = 0;
    /* roots come before the other vertices of their components */
    for (uint32_t v = 0; v < vertices; v++) {
        const uint32_t own = root(parents, v);
        if (labels != NULL)
            labels[v] = own == v ? count : labels[own];
        count += own == v;
    }
    return count;
}
