/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat bath for any number of states and any couplings, site by site, in rows first to end - 1.
 * Gives all sites of a colour a new state, and copies the spins of all other sites; a colour that
 * no site has copies all.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic,
 * bytes a site and colour: spins of the site and of its neighbours read, and written, PLANES/8
 * each. */
#include "core/systems.clh"
#include "core/spins.clh"
#include "heat/around.clh"
#include "heat/colours.clh"
#ifdef MATRIX
#include "heat/matrix_states.clh"
#else
#include "heat/equal_states.clh"
#endif

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_heat_bath(lattice_args lattice, random_key key, global const bond_law *laws,
                 global const u32 *disorder, global const heat_law *heat, u32 colour, u32 checkered,
                 u32 round, u32 first, u32 end, global const spin_store *from,
                 global spin_store *to)
{
    const u32 row = first + get_global_id(0) / lattice.words, w = get_global_id(0) % lattice.words;
    const ulong word = (ulong)row * lattice.words + w, plane = lattice_words(lattice);
    if (row >= end)
        return;
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    const random_key own = system_key(key);
    from += REPLICA(spins_length(lattice));
    to += REPLICA(spins_length(lattice));
    global const heat_law *law = &heat[get_group_id(1)];
    const u32 sites = colour_sites(lattice, checkered, colour, w, row);
    const ulong index = index_of_row(lattice, checkered, colour, w, row);
    u32 planes[PLANES], stream[4 * HEAT_BLOCKS];
    spins_load(lattice, from, w, row, planes);
    for (u32 block = 0; block < HEAT_BLOCKS && sites; block++) {
        const philox_block random = heat_block(own, index, round, block);
        for (u32 k = 0; k < 4; k++)
            stream[4 * block + k] = random.v[k];
    }
    for (u32 j = 0; j < 32; j++) {
        if (!(sites >> j & 1))
            continue;
        u32 number = 0;
        for (u32 k = 0; k < 32; k++)
            number = number << 1 | (stream[k] >> j & 1);
        const lattice_site here = {32 * w + j, row};
        const u32 state = heat_state(lattice, from, own_laws, law, here, number);
        for (u32 p = 0; p < PLANES; p++)
            planes[p] = (planes[p] & ~(1u << j)) | (state >> p & 1) << j;
    }
    for (u32 p = 0; p < PLANES; p++)
        to[p * plane + word] = planes[p];
}
