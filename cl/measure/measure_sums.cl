/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the numbers that groups have written for an array of the record (record.clh), and stores
 * them in the record of a slot.
 *
 * One work-item, or where many groups have counted a work-group: every total-th number of a
 * replica. Work-group: MEASURE_ITEMS. Local memory: 8 bytes a work-item. Global traffic: 8 bytes a
 * number and group. */
#include "core/group_sum.clh"
#include "core/record.clh"
#include "core/systems.clh"

/* Below this number of groups a work-item adds up a number alone. */
#define FEW 16u

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_sums(u32 groups, u32 slot, u32 format, u32 part, global const s64 *sums,
             global u32 *records)
{
    local s64 all[MEASURE_ITEMS];
    const u32 count = part == RECORD_FK_MODES ? FK_MODE_NUMBERS : record_length(format, part);
    const bool large = part == RECORD_FK_MODES || (format & RECORD_LARGE) != 0;
    sums += REPLICA((ulong)groups * count);
    records += record_words(format) * SLOT_GROUP(slot, 1, 0) + record_place(format, part);
    if (groups < FEW) {
        for (u32 k = get_global_id(0); k < count; k += get_global_size(0)) {
            s64 sum = 0;
            for (u32 g = 0; g < groups; g++)
                sum += sums[(ulong)g * count + k];
            number_put(records + (large ? 2 * k : k), large, sum);
        }
        return;
    }
    for (u32 k = get_group_id(0); k < count; k += get_num_groups(0)) {
        const s64 sum = sum_of_groups(sums, groups, count, k, all);
        if (get_local_id(0) == 0)
            number_put(records + (large ? 2 * k : k), large, sum);
    }
}
