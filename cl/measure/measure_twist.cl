/* SPDX-License-Identifier: BSD-3-Clause */
/* What the helicity modulus is made of (twist.clh). */
#include "core/share.clh"
#include "core/group_sum.clh"
#include "core/record.clh"
#include "core/systems.clh"
#include "measure/twist.clh"
#include "model/model.clh"

#ifdef VECTOR
#include "measure/twist_vectors.clh"
#else
#include "measure/twist_states.clh"
#endif

/* Each group writes its TWIST_SUMS numbers.
 *
 * One work-item: some words of 32 sites (share.clh). Work-group: MEASURE_ITEMS. Local memory: 8
 * bytes a work-item. Global traffic: spins read once, and once for each direction that leads to
 * another row. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_twist(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
              global const spin_store *spins, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    s64 mine[TWIST_SUMS] = {0};
    const system_laws own = system_laws_of(lattice, laws, disorder);
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * TWIST_SUMS;
    const item_share words = share_of_item(lattice_words(lattice));
    for (ulong word = words.first; word < words.end; word += words.step)
        add_bonds(lattice, spins, own, word % lattice.words, word / lattice.words, mine);
    group_sums_put(mine, TWIST_SUMS, all, sums);
}

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
    for (u32 k = 0; k < TWIST_SUMS; k++)
        total[k] = sum_of_groups(sums, groups, TWIST_SUMS, k, all);
    for (u32 axis = 0; axis < 3 && get_local_id(0) == 0; axis++)
        records = twist_put(records, total[2 * axis], total[2 * axis + 1]);
}
