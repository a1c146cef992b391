/* SPDX-License-Identifier: BSD-3-Clause */
/* Overrelaxation of vectors (heat_vectors.clh), in place, as the heat bath of vectors, in rows
 * first to end - 1.
 *
 * One work-item: a word of 32 sites, those of a colour. Work-group: WORD_ITEMS. Local memory: none.
 * Global traffic, bytes a site and sweep: spins of the site read and written and of its neighbours
 * read, 4 VECTOR each. */
#include "core/systems.clh"
#include "heat/colours.clh"
#include "heat/local_field.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_overrelax(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                 u32 colour, u32 checkered, u32 first, u32 end, global spin_store *spins)
{
    const u32 row = first + get_global_id(0) / lattice.words, w = get_global_id(0) % lattice.words;
    const ulong word = (ulong)row * lattice.words + w;
    if (row >= end)
        return;
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    spins += REPLICA(spins_length(lattice));
    for (u32 sites = colour_sites(lattice, checkered, colour, w, row); sites; sites &= sites - 1) {
        const u32 j = popcount((sites & -sites) - 1);
        const lattice_site here = {32 * w + j, row};
        s64 field[3];
        u32 spin[VECTOR];
        local_field(lattice, spins, own_laws, here, field);
        vector_of_word(lattice, spins, word, j, spin);
        vector_overrelax(VECTOR, field, spin);
        vector_store(lattice, spins, word, j, spin);
    }
}
