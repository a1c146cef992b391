/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-items of a group for a tile, for kernels of several families. */
#include "family/family.h"

size_t clup_one_item(const unsigned tile[3])
{
    (void)tile;
    return 1;
}

size_t clup_two_items(const unsigned tile[3])
{
    (void)tile;
    return 2;
}

size_t clup_edge_items(const unsigned tile[3])
{
    return tile[0];
}

size_t clup_two_edges_items(const unsigned tile[3])
{
    return 2 * tile[0];
}

size_t clup_eight_edges_items(const unsigned tile[3])
{
    return 8 * tile[0];
}
