/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of percolation: every site is occupied with probability p, which law gives, and a bond is
 * active when both of its sites are occupied. The plane of spins has a bit for each site, set if it
 * is empty.
 *
 * One work-item: 32 sites of a row. Work-group: WORD_ITEMS. Local memory: none. */
#include "core/bonds.clh"
#include "model/draw_bonds.clh"
#include "core/spins.clh"
#include "core/systems.clh"

/* Global traffic, bytes a site: writes 1/8. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_site(lattice_args lattice, random_key key, bond_law law, global u32 *empty)
{
    ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    u32 row = word / lattice.words, w = word % lattice.words, sites = word_mask(lattice, w);
    const u32 there = sites & ~row_holes(lattice, row);
    empty += REPLICA(lattice_words(lattice));
    empty[word] = sites & ~draw_bonds(there, system_key(key), PURPOSE_SITE - PURPOSE_BOND,
                                      whole_word(lattice, w, row), law.threshold, law.always);
}

/* Global traffic, bytes a site: with D directions reads D/8, writes D/8. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_site_bonds(lattice_args lattice, global const spin_store *empty, global bond_store *bonds)
{
    ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    empty += REPLICA(spins_length(lattice));
    bonds += REPLICA(bonds_length(lattice));
    u32 row = word / lattice.words, w = word % lattice.words, planes[PLANES];
    spins_load(lattice, empty, w, row, planes);
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds_store(lattice, bonds, d, w, row,
                    spins_compare(lattice, empty, d, w, row, planes, 0) & ~planes[0]);
}
