/* One iteration of label relaxation, the paper's relax_multithread(): each tile lowers the labels of its own roots to
 * those across its edges. The labels of roots only ever sink, by atomic_min, to the smallest of the cluster.
 *
 * One work-group: one tile. One work-item: every RELAX_ITEMS-th entry of the tile's list. Local memory: none.
 * Global traffic, bytes an entry: 8 read, and 8 of labels where a bond is active.
 *
 * changed[iteration] becomes 1 when a label sank; when the iteration before left it 0 there is nothing to do. */
#include "relax.clh"
#include "labels.clh"

kernel __attribute__((reqd_work_group_size(RELAX_ITEMS, 1, 1)))
void consolidate_relax_multithread(u32 iteration, global const relax_edge *edges, volatile global label *labels,
                                   global u32 *changed)
{
    if (iteration > 0 && changed[iteration - 1] == 0)
        return;
    for (u32 s = get_local_id(0); s < PERIMETER; s += RELAX_ITEMS) {
        relax_edge edge = edges[(ulong)get_group_id(0) * PERIMETER + s];
        if (edge.own == NO_LABEL)
            continue;
        label theirs = label_read(labels, edge.other);
        if (theirs < label_read(labels, edge.own) && theirs < atomic_min(&labels[edge.own], theirs))
            changed[iteration] = 1;
    }
}
