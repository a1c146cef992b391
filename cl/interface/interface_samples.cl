/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters at the interfaces of subdomains in samples of percolation; the kernels do what those of
 * interface_labels.cl and interface_count.cl do. Sites in a state other than 0 belong to no
 * cluster. */
#include "core/labels.clh"
#include "interface/interface_sites.clh"
#include "core/size_counts.clh"
#include "core/spins.clh"

/* One work-item: an entry. Work-group: WORD_ITEMS. Local memory: none. Global traffic: a word, a
 * label, and a word of spins. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_samples_sizes(lattice_args lattice, global const spin_store *spins,
                        global const label *labels, global const interface_word *words,
                        global const u32 *roots, global u64 *sizes)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0),
              end = (u32)lattice_sites(lattice);
    spins += REPLICA(spins_length(lattice));
    labels += REPLICA(end);
    words += REPLICA(2 * layer);
    roots += REPLICA(2 * layer);
    sizes += REPLICA(2 * layer);
    if (k >= 2 * layer)
        return;
    u64 size = 0;
    if (words[k] >= 2 * layer) {
        const u32 root = roots[k];
        if (spin_at(lattice, spins, root % lattice.nx, root / lattice.nx) == 0)
            size = labels[root] - end;
    }
    sizes[k] = size;
}

/* Adds clusters that have no entry in the new group, for roots number first to last - 1, to the
 * record of each group. One work-item: every total-th number. Work-group: MEASURE_ITEMS. Local
 * memory: 16 bytes a work-item and SIZE_CLASSES counters. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
interface_samples_count(lattice_args lattice, u32 groups, ulong begun, u32 first, u32 last,
                        global const u32 *forest, global const u32 *totals, u32 slot,
                        global size_record *records)
{
    local u64 all[GATHER_ROOM], gathered[SIZE_SUMS];
    local u32 classes[SIZE_CLASSES];
    cluster_counts mine = {0};
    const u32 end = groups * 2 * interface_layer(lattice), item = get_local_id(0);
    forest += begun + REPLICA(end);
    totals += REPLICA(2 * (ulong)end);
    records += SLOT_GROUP(slot, get_num_groups(0), get_group_id(0));
    begin_classes(classes);
    for (u32 i = first + get_global_id(0); i < last; i += (u32)get_global_size(0)) {
        const u64 size = interface_total(totals, i);
        if (forest[i] > 0 || size == 0)
            continue;
        count_size(&mine, classes, size);
    }
    gather_counts(mine, all, gathered);
    for (u32 k = item; k < SIZE_CLASSES; k += MEASURE_ITEMS)
        records->classes[k] += classes[k];
    if (item == 0) {
#define ROW(NAME, OP, VALUE) \
    records->NAME = counted_##OP(records->NAME, gathered[CLUSTER_SUM_##NAME]);
        SIZE_COUNTS(ROW)
#undef ROW
    }
}
