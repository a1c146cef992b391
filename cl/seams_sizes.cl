/* The sizes of the clusters at the seams of all parts, added up in the forest of seams_join.cl, and
 * counted by the part that has the root. totals have two words for each number of the forest. */
#include "gather.clh"
#include "seams_forest.clh"

/* Adds the parts' sizes to those of roots. One work-item: an entry. Work-group: WORD_ITEMS. Local
 * memory: none. Global traffic: 8 bytes an entry, and for each cluster of a part a walk and an
 * atomic. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
seams_sizes_add(lattice_args lattice, u32 parts, global const u64 *all, global const u32 *forest,
                volatile global u32 *totals)
{
    const u32 entries = 2 * seam_layer(lattice), count = parts * entries;
    u32 i = get_global_id(0);
    if (i >= count)
        return;
    const u64 size =
        all[((ulong)(i / entries) * get_num_groups(1) + get_group_id(1)) * entries + i % entries];
    if (size == 0)
        return;
    forest += REPLICA(count);
    totals += REPLICA(2 * (ulong)count);
    i = seam_top(forest, i);
    const u32 low = (u32)size, before = atomic_add(&totals[2 * (ulong)i], low),
              high = (u32)(size >> 32) + (before + low < before);
    if (high > 0)
        atomic_add(&totals[2 * (ulong)i + 1], high);
}

/* Adds the clusters whose roots a part has to the CLUSTER_SUMS sums of each group in a slot. One
 * work-item: every total-th entry. Work-group: MEASURE_ITEMS. Local memory: 8 bytes a work-item. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
seams_sizes_count(lattice_args lattice, u32 part, u32 parts, global const u32 *forest,
                  global const u32 *totals, u32 slot, global u64 *sums)
{
    local u64 all[MEASURE_ITEMS], gathered[CLUSTER_SUMS];
    cluster_counts mine = {0};
    const u32 entries = 2 * seam_layer(lattice), count = parts * entries;
    forest += REPLICA(count);
    totals += REPLICA(2 * (ulong)count);
    for (u32 k = get_global_id(0); k < entries; k += (u32)get_global_size(0)) {
        const ulong i = part * entries + k;
        const u64 size = (u64)totals[2 * i + 1] << 32 | totals[2 * i];
        if (forest[i] == i && size > 0)
            mine = with_cluster(mine, size);
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
