/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds of percolation: every bond is active with probability p, which law gives.
 *
 * One work-item: the forward bonds of 32 sites of a row. Work-group: WORD_ITEMS. Local memory:
 * none. Global traffic, bytes a site: with D directions writes D/8. */
#include "core/bonds.clh"
#include "model/draw_bonds.clh"
#include "core/systems.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_bond(lattice_args lattice, random_key key, bond_law law, global bond_store *bonds)
{
    ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    bonds += REPLICA(bonds_length(lattice));
    const random_key own = system_key(key);
    u32 row = word / lattice.words, w = word % lattice.words;
    const ulong drawn = whole_word(lattice, w, row);
    for (u32 d = 0; d < DIRECTIONS; d++) {
        u32 candidates = row_at(lattice, offsets[d], row) != NOWHERE
                             ? ahead_mask(lattice, d, w, row)
                             : 0;
        bonds_store(lattice, bonds, d, w, row,
                    draw_bonds(candidates, own, d, drawn, law.threshold, law.always));
    }
}
