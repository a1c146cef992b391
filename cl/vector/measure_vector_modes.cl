/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier sums of vectors at the smallest wave vector of each axis (modes.clh). */
#include "core/group_sum.clh"
#include "core/modes.clh"
#include "core/record.clh"
#include "core/share.clh"
#include "core/systems.clh"
#include "model/vector_spins.clh"

#define COMPONENTS (VECTOR > 1 ? 3u : 2u)
#define COLUMNS (COMPONENTS * MODE_SUMS)

/* Each group writes MODE_SUMS numbers for each component.
 *
 * One work-item: some words of 32 sites (share.clh). Work-group: MEASURE_ITEMS. Local memory: 8
 * bytes a work-item. Global traffic, bytes a site: spins 4 VECTOR; the table from caches. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_vector_modes(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                     global const spin_store *spins, global const s32 *table, global s64 *sums)
{
    const system_laws own = system_laws_of(lattice, laws, disorder);
    local s64 all[MEASURE_ITEMS];
    s64 mine[COMPONENTS][MODE_SUMS] = {{0}};
    u32 spin[VECTOR];
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * COLUMNS;
    const item_share words = share_of_item(lattice_words(lattice));
    for (ulong word = words.first; word < words.end; word += words.step) {
        const u32 row = word / lattice.words, w = word % lattice.words,
                  y = AXES > 2 ? row % lattice.ny : row, z = AXES > 2 ? row / lattice.ny : 0;
        const u32 present = sites_present(lattice, own, w, row);
        for (u32 j = 0; j <= last_bit(lattice, w); j++) {
            if (!(present >> j & 1))
                continue;
            vector_of_word(lattice, spins, word, j, spin);
            for (u32 axis = 0; axis < COMPONENTS; axis++)
                mode_add(lattice, table, 32 * w + j, y, z,
                         (s32)(vector_counted(VECTOR, spin, axis) - VECTOR_RAISED), mine[axis]);
        }
    }
    for (u32 axis = 0; axis < COMPONENTS; axis++)
        group_sums_put(mine[axis], MODE_SUMS, all, sums + axis * MODE_SUMS);
}

/* Adds up the sums of the groups, squares them, and writes the numbers of modes into the record
 * that measure_record has written.
 *
 * One work-group of MEASURE_ITEMS; a work-item: a share of the groups. Local memory: 8 bytes a
 * work-item. Global traffic: 8 COLUMNS bytes a group. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_vector_modes_record(u32 groups, u32 slot, u32 format, u32 part, global const s64 *sums,
                            global u32 *records)
{
    local s64 all[MEASURE_ITEMS];
    u64 squares[MODE_SUMS / 2][2] = {{0}};
    sums += REPLICA((ulong)groups * COLUMNS);
    records += record_words(format) * SLOT_GROUP(slot, 1, 0) + record_place(format, part);
    for (u32 k = 0; k < COLUMNS; k++)
        add_square(squares[k % MODE_SUMS / 2], sum_of_groups(sums, groups, COLUMNS, k, all));
    for (u32 k = 0; k < MODE_SUMS; k++)
        if (get_local_id(0) == 0)
            number_put(records + 2 * k, true, squares[k / 2][k % 2]);
}
