/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences between the vectors of sublattices (sublattices.clh): the staggered magnetisation. */
#include "core/group_sum.clh"
#include "core/record.clh"
#include "core/share.clh"
#include "core/systems.clh"
#include "measure/sublattices.clh"
#include "model/vector_spins.clh"

#define SUBLATTICES (DIRECTIONS == AXES ? 2u : 3u)
#define COMPONENTS (VECTOR > 1 ? 3u : 2u)
#define COLUMNS (COMPONENTS * SUBLATTICE_SUMS)

/* Each group writes a and b of each component, in units of 2^-26.
 *
 * One work-item: some words of 32 sites (share.clh). Work-group: MEASURE_ITEMS. Local memory: 8
 * bytes a work-item. Global traffic, bytes a site: spins 4 VECTOR. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_vector_staggered(lattice_args lattice, global const bond_law *laws,
                         global const u32 *disorder, global const spin_store *spins,
                         global s64 *sums)
{
    const system_laws own = system_laws_of(lattice, laws, disorder);
    local s64 all[MEASURE_ITEMS];
    s64 mine[COLUMNS] = {0};
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
            const u32 on = sublattice_of(SUBLATTICES, 32 * w + j, y, z);
            vector_load(lattice, spins, 32 * w + j, row, spin);
            for (u32 axis = 0; axis < COMPONENTS; axis++) {
                const s64 component = (s64)vector_counted(VECTOR, spin, axis) - VECTOR_RAISED;
                mine[2 * axis] += on == 0 ? component : on == 1 ? -component : 0;
                mine[2 * axis + 1] += SUBLATTICES < 3 ? 0
                                      : on == 0       ? component
                                      : on == 2       ? -component
                                                      : 0;
            }
        }
    }
    group_sums_put(mine, COLUMNS, all, sums);
}

/* Adds up the sums of the groups, and writes one number of 128 bits into the record that
 * measure_record has written: four times the squares that belong to a and b, summed over the
 * components.
 *
 * One work-group of MEASURE_ITEMS; a work-item: a share of the groups. Local memory: 8 bytes a
 * work-item. Global traffic: 8 COLUMNS bytes a group. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_vector_staggered_record(u32 groups, u32 slot, u32 format, u32 part, global const s64 *sums,
                                global u32 *records)
{
    local s64 all[MEASURE_ITEMS];
    u64 squares[2] = {0, 0};
    s64 total[COLUMNS];
    sums += REPLICA((ulong)groups * COLUMNS);
    records += record_words(format) * SLOT_GROUP(slot, 1, 0) + record_place(format, part);
    for (u32 k = 0; k < COLUMNS; k++)
        total[k] = sum_of_groups(sums, groups, COLUMNS, k, all);
    for (u32 axis = 0; axis < COMPONENTS; axis++)
        add_staggered(squares, total[2 * axis], total[2 * axis + 1]);
    for (u32 k = 0; k < 2; k++)
        if (get_local_id(0) == 0)
            number_put(records + 2 * k, true, squares[k]);
}
