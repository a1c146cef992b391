/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat bath for any number of states and any couplings, site by site. Gives all sites of a
 * colour a new state, and copies the spins of all other sites; a colour that no site has copies
 * all.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic,
 * bytes a site and colour: spins of the site and of its neighbours read, and written, PLANES/8
 * each. */
#include "core/systems.clh"
#include "core/spins.clh"
#include "heat/colours.clh"
#include "model/laws.clh"

/* Whether the bond along d of site x of a row is satisfied by unequal spins, and whether it
 * exists. */
u32 bond_unequal(lattice_args lattice, system_laws laws, u32 d, u32 x, u32 row)
{
    return bonds_unequal(lattice, laws, d, x / 32, row) >> x % 32 & 1;
}

u32 bond_present(lattice_args lattice, system_laws laws, u32 d, u32 x, u32 row)
{
    return bonds_present(lattice, laws, d, x / 32, row) >> x % 32 & 1;
}

#define ENDS (2 * DIRECTIONS + SITE_FIELD)

/* The states that satisfy bonds of a site, in ascending order, and the weights of these bonds,
 * summed. The field counts as a bond that the state along it satisfies. */
typedef struct site_states {
    u32 count, states[ENDS], satisfied[ENDS];
} site_states;

/* Adds a bond of a weight that a state satisfies. */
void add_bond(site_states *site, u32 state, u32 weight)
{
    u32 k = site->count;
    for (u32 j = 0; j < site->count; j++)
        if (site->states[j] == state) {
            site->satisfied[j] += weight;
            return;
        }
    for (; k > 0 && site->states[k - 1] > state; k--) {
        site->states[k] = site->states[k - 1];
        site->satisfied[k] = site->satisfied[k - 1];
    }
    site->states[k] = state;
    site->satisfied[k] = weight;
    site->count++;
}

/* Returns the states that satisfy bonds of site x of a row. */
site_states states_around(lattice_args lattice, global const spin_store *spins, system_laws laws,
                          u32 x, u32 row)
{
    const lattice_site here = {x, row};
    site_states site;
    site.count = 0;
#if SITE_FIELD
    add_bond(&site, laws.of[BOND_CLASSES].unequal & 1, laws.of[BOND_CLASSES].weight);
#endif
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const lattice_offset ahead_of = offsets[d],
                             behind_of = {-offsets[d].x, -offsets[d].y, -offsets[d].z};
        const u32 weight = (u32)sum_weight(laws, class_of(d, BOND_CLASSES));
        if (leads_nowhere(lattice, ahead_of))
            continue;
        for (u32 back = 0; back < 2; back++) {
            const lattice_site to = forward_site(lattice, back ? behind_of : ahead_of, here),
                               owner = back ? to : here;
            if (to.row != NOWHERE && to.x != NOWHERE &&
                bond_present(lattice, laws, d, owner.x, owner.row))
                add_bond(&site,
                         spin_at(lattice, spins, to.x, to.row) ^
                             bond_unequal(lattice, laws, d, owner.x, owner.row),
                         weight);
        }
    }
    return site;
}

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_heat_bath(lattice_args lattice, random_key key, global const bond_law *laws,
                 global const u32 *disorder, global const heat_law *heat, u32 colour, u32 checkered,
                 u32 round, global const spin_store *from, global spin_store *to)
{
    const ulong word = get_global_id(0), plane = lattice_words(lattice);
    if (word >= plane)
        return;
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    const random_key own = system_key(key);
    from += REPLICA(spins_length(lattice));
    to += REPLICA(spins_length(lattice));
    global const heat_law *law = &heat[get_group_id(1)];
    const u32 row = word / lattice.words, w = word % lattice.words,
              z = AXES > 2 ? row / lattice.ny : 0,
              sites = colour_sites(lattice, checkered, colour, w, row);
    const ulong index = heat_index(lattice, checkered, colour, w, row - lattice.ny * z, z);
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
        const site_states site = states_around(lattice, from, own_laws, 32 * w + j, row);
        const u32 state = heat_choose(law, STATES, site.count, site.states, site.satisfied, number);
        for (u32 p = 0; p < PLANES; p++)
            planes[p] = (planes[p] & ~(1u << j)) | (state >> p & 1) << j;
    }
    for (u32 p = 0; p < PLANES; p++)
        to[p * plane + word] = planes[p];
}
