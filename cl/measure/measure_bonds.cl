/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the Fortuin-Kasteleyn bonds that a sweep draws, without storing them.
 *
 * One work-item: some words of 32 sites (share.clh), whose forward bonds it draws. Work-group:
 * MEASURE_ITEMS. Local memory: 8 bytes a work-item. Global traffic: spins read once, and once for
 * each direction that leads to another row; 8 bytes a group written. */
#include "core/group_sum.clh"
#include "core/share.clh"
#include "core/systems.clh"
#include "model/model.clh"

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_bonds(lattice_args lattice, random_key key, global const bond_law *laws,
              global const u32 *disorder, global const spin_store *spins, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    s64 mine[1] = {0};
    const random_key own = system_key(key);
    const system_laws own_laws = laws_in_sweep(system_laws_of(lattice, laws, disorder), own);
    spins += REPLICA(spins_length(lattice));
    sums += REPLICA(get_num_groups(0)) + get_group_id(0);
    const item_share words = share_of_item(lattice_words(lattice));
    for (ulong word = words.first; word < words.end; word += words.step) {
        const u32 w = word % lattice.words, row = word / lattice.words;
        u32 planes[PLANES];
        spins_load(lattice, spins, w, row, planes);
        for (u32 d = 0; d < DIRECTIONS; d++)
            mine[0] += popcount(drawn_bonds(lattice, spins, own_laws, own, d, w, row, planes,
                                            whole_word(lattice, w, row)));
    }
    group_sums_put(mine, 1, all, sums);
}
