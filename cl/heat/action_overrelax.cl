/* SPDX-License-Identifier: BSD-3-Clause */
/* Overrelaxation of vectors (heat_vectors.clh), in place, as the heat bath of vectors.
 *
 * One work-item: a word of 32 sites, those of a colour. Work-group: WORD_ITEMS. Local memory: none.
 * Global traffic, bytes a site and sweep: spins of the site read and written and of its neighbours
 * read, 4 VECTOR each. */
#include "core/systems.clh"
#include "heat/colours.clh"
#include "heat/local_field.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_overrelax(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                 u32 colour, u32 checkered, global spin_store *spins)
{
    const ulong word = get_global_id(0), plane = lattice_words(lattice);
    if (word >= plane)
        return;
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    const u32 row = word / lattice.words, w = word % lattice.words;
    spins += REPLICA(spins_length(lattice));
    for (u32 sites = colour_sites(lattice, checkered, colour, w, row); sites; sites &= sites - 1) {
        const u32 j = popcount((sites & -sites) - 1);
        const lattice_site here = {32 * w + j, row};
        s64 field[3];
        u32 spin[VECTOR];
        local_field(lattice, spins, own_laws, here, field);
        vector_of_word(lattice, spins + word, j, spin);
        vector_overrelax(VECTOR, field, spin);
        for (u32 k = 0; k < VECTOR; k++)
            spins[(ulong)(32 * k + j) * plane + word] = spin[k];
    }
}
