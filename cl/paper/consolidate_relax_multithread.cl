/* SPDX-License-Identifier: BSD-3-Clause */
/* One iteration of label relaxation with TILE_X work-items a tile, the paper's relax_multithread();
 * see relax.clh.
 *
 * One work-group: one tile. One work-item: every TILE_X-th entry of the tile's list. Local memory:
 * none. Global traffic, bytes an entry of the list: 8 read, and 8 of labels where a bond is
 * active. */
#include "paper/relax.clh"

kernel __attribute__((reqd_work_group_size(TILE_X, 1, 1))) void
consolidate_relax_multithread(u32 iteration, global const relax_edge *edges,
                              global const label *focus, volatile global label *labels,
                              global u32 *changed)
{
    relax_tile(iteration, edges, focus, labels, changed);
}
