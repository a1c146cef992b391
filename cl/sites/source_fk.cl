/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn bonds: a satisfied bond is active with probability p = 1 - exp(-beta times the
 * energy that it loses by being satisfied). With a matrix of energies, bonds of embedded clusters
 * (matrix.clh).
 *
 * One work-item: the forward bonds of 32 sites of a row, decided bit by bit for all 32 at once,
 * most significant bit first, until each is above or below the threshold: about 7 random words
 * instead of 32. Work-group: WORD_ITEMS. Local memory: none. Global traffic, bytes a site: with D
 * directions: word layout reads PLANES D/8, writes D/8; char layout reads D, writes D. */
#include "model/model.clh"
#include "core/systems.clh"
#include "core/spins.clh"
#include "core/bonds.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_fk(lattice_args lattice, random_key key, global const bond_law *laws,
          global const u32 *disorder, global const spin_store *spins, global bond_store *bonds)
{
    ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    const random_key own = system_key(key);
    const system_laws own_laws = laws_in_sweep(system_laws_of(lattice, laws, disorder), own);
    spins += REPLICA(spins_length(lattice));
    bonds += REPLICA(bonds_length(lattice));
    u32 row = word / lattice.words, w = word % lattice.words;
    const ulong drawn = whole_word(lattice, w, row);
    u32 planes[PLANES];
    spins_load(lattice, spins, w, row, planes);
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds_store(lattice, bonds, d, w, row,
                    drawn_bonds(lattice, spins, own_laws, own, d, w, row, planes, drawn));
}
