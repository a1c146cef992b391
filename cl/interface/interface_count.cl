/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts clusters at the interfaces of subdomains, once their sizes are added up
 * (interface_merge.cl). */
#include "core/gather.clh"
#include "interface/interface_sites.clh"

/* Adds clusters that have no entry in the new group, for roots number first to last - 1, to the
 * CLUSTER_SUMS sums of each group in a slot. One work-item: every total-th number. Work-group:
 * MEASURE_ITEMS. Local memory: 36 bytes a work-item. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
interface_count(lattice_args lattice, u32 groups, ulong begun, u32 first, u32 last,
                global const u32 *forest, global const u32 *totals, u32 slot, global u64 *sums)
{
    local u64 all[GATHER_ROOM], gathered[CLUSTER_SUMS];
    cluster_counts mine = {0};
    const u32 end = groups * 2 * interface_layer(lattice);
    forest += begun + REPLICA(end);
    totals += REPLICA(2 * (ulong)end);
    for (u32 i = first + get_global_id(0); i < last; i += (u32)get_global_size(0)) {
        const u64 size = interface_total(totals, i);
        if (forest[i] == 0 && size > 0)
            add_cluster(&mine, size);
    }
    gather_counts(mine, all, gathered);
    sums += CLUSTER_SUMS * SLOT_GROUP(slot, get_num_groups(0), get_group_id(0));
    if (get_local_id(0) == 0) {
#define ROW(NAME, OP, VALUE) \
    sums[CLUSTER_SUM_##NAME] = counted_##OP(sums[CLUSTER_SUM_##NAME], gathered[CLUSTER_SUM_##NAME]);
        CLUSTER_COUNTS(ROW)
#undef ROW
    }
}
