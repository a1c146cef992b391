/* Adds up what the groups of measure_spins and measure_largest left into one record of the series.
 *
 * One work-group of MEASURE_ITEMS; a work-item: a share of the groups for one of the COLUMNS sums.
 * updated is the sweep's counter, which it clears. Local memory: 8 MEASURE_ITEMS bytes or 8 COLUMNS, the larger. Global traffic: 4 COLUMNS bytes a group. */
#include "record.clh"
#include "systems.clh"

#define COLUMNS (STATES + 3) /* equal bonds, sites in each state, clusters, largest */
#define SHARES (MEASURE_ITEMS / COLUMNS > 0 ? MEASURE_ITEMS / COLUMNS : 1)

u64 gather(u32 column, u64 sum, u64 value)
{
    return column == COLUMNS - 1 ? max(sum, value) : sum + value;
}

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1)))
void measure_record(u32 groups, u32 slot, global const u32 *spin_sums, global const u64 *cluster_sums,
                    global u32 *updated, global sweep_record *records)
{
    local u64 sums[COLUMNS * SHARES];
    spin_sums += REPLICA((ulong)groups * (STATES + 1));
    cluster_sums += REPLICA(2ul * groups);
    updated += REPLICA(1);
    records += slot * get_num_groups(1) + REPLICA(1);
    for (u32 k = get_local_id(0); k < COLUMNS * SHARES; k += MEASURE_ITEMS) {
        u32 column = k % COLUMNS;
        sums[k] = 0;
        for (u32 g = k / COLUMNS; g < groups; g += SHARES)
            sums[k] = gather(column, sums[k], column <= STATES ? spin_sums[(ulong)g * (STATES + 1) + column]
                                                               : cluster_sums[2 * g + column - STATES - 1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 column = get_local_id(0); column < COLUMNS; column += MEASURE_ITEMS)
        for (u32 share = 1; share < SHARES; share++)
            sums[column] = gather(column, sums[column], sums[share * COLUMNS + column]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) != 0)
        return;
    sweep_record record = {sums[0], 0, sums[COLUMNS - 2], sums[COLUMNS - 1], *updated};
    for (u32 state = 0; state < STATES; state++)
        record.majority = max(record.majority, sums[1 + state]);
    *records = record;
    *updated = 0;
}
