/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds of Houdayer's moves: those that connect two sites with unlike spins (mates.clh). A system
 * that has nothing to do has no bonds.
 *
 * One work-item: the forward bonds of 32 sites of a row. Work-group: WORD_ITEMS. Local memory:
 * none. Global traffic, bytes a site, with D directions: reads 2 PLANES D/8, writes D/8. */
#include "core/bonds.clh"
#include "houdayer/mates.clh"
#include "model/model.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_houdayer(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                global const u32 *mates, global const spin_store *spins, global bond_store *bonds)
{
    const ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    const system_pair pair = pair_of(lattice, mates, spins);
    const system_laws own = system_laws_of(lattice, laws, disorder);
    const u32 row = word / lattice.words, w = word % lattice.words,
              unlike = pair.first != pair.second ? unlike_sites(lattice, pair, w, row) : 0;
    bonds += REPLICA(bonds_length(lattice));
    for (u32 d = 0; d < DIRECTIONS; d++) {
        u32 active = unlike;
        if (unlike)
            active &= unlike_ahead(lattice, pair, d, w, row) &
                      bonds_present(lattice, own, d, w, row);
        bonds_store(lattice, bonds, d, w, row, active);
    }
}
