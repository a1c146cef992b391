/* SPDX-License-Identifier: BSD-3-Clause */
/* One iteration of label relaxation with one work-item a tile, the paper's relax(); see relax.clh.
 *
 * One work-item: one tile, and that is the work-group. Local memory: none.
 * Global traffic, bytes an entry of the list: 8 read, and 8 of labels where a bond is active. */
#include "paper/relax.clh"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
consolidate_relax(u32 iteration, global const relax_edge *edges, global const label *focus,
                  volatile global label *labels, global u32 *changed)
{
    relax_tile(iteration, edges, focus, labels, changed);
}
