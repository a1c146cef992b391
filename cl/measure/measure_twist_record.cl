/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of measuring what the helicity modulus is made of (twist.clh). */
#include "core/group_sum.clh"
#include "core/record.clh"
#include "core/systems.clh"
#include "measure/twist.clh"

/* Adds up the sums of the groups, and writes the numbers of all axes into the record that
 * measure_record has written.
 *
 * One work-group of MEASURE_ITEMS; a work-item: a share of the groups. Local memory: 8 bytes a
 * work-item. Global traffic: 8 TWIST_SUMS bytes a group. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_twist_record(u32 groups, u32 slot, u32 format, u32 part, global const s64 *sums,
                     global u32 *records)
{
    local s64 all[MEASURE_ITEMS];
    s64 total[TWIST_SUMS];
    sums += REPLICA((ulong)groups * TWIST_SUMS);
    records += record_words(format) * SLOT_GROUP(slot, 1, 0) + record_place(format, part);
    for (u32 k = 0; k < TWIST_SUMS; k++) {
        s64 mine = 0;
        for (u32 g = get_local_id(0); g < groups; g += MEASURE_ITEMS)
            mine += sums[(ulong)g * TWIST_SUMS + k];
        total[k] = group_sum(mine, all);
    }
    for (u32 axis = 0; axis < 3 && get_local_id(0) == 0; axis++)
        records = twist_put(records, total[2 * axis], total[2 * axis + 1]);
}
