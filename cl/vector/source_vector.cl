/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds of embedded clusters of vectors (vector.clh). */
#include "core/bonds.clh"
#include "core/systems.clh"
#include "model/draw_each.clh"
#include "model/vector_spins.clh"

/* Computes the projections of all spins on the axis of the sweep, in the places of the first
 * numbers of spins.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic,
 * bytes a site: 4 VECTOR read, 4 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_vector_project(lattice_args lattice, random_key key, global const spin_store *spins,
                      global s32 *projections)
{
    const ulong word = get_global_id(0), plane = lattice_words(lattice);
    u32 axis[VECTOR_NUMBERS_MOST], spin[VECTOR];
    if (word >= plane)
        return;
    spins += REPLICA(spins_length(lattice)) + word;
    projections += REPLICA(32 * plane) + word;
    vector_axis(VECTOR, system_key(key), axis);
#pragma unroll 8
    for (u32 j = 0; j < 32; j++, spins += plane, projections += plane) {
        for (u32 k = 0; k < VECTOR; k++)
            spin[k] = spins[32 * k * plane];
        *projections = vector_product(VECTOR, spin, axis);
    }
}

/* Loads the projections of the neighbours along d of the sites of word w of a row, which are in row
 * to, but for that of the neighbour in another word, of site end. own are those of the word. */
void load_ahead(lattice_args lattice, global const s32 *projections, u32 d, u32 w, u32 to, u32 end,
                const s32 own[32], s32 ahead[32])
{
    const ulong plane = lattice_words(lattice);
    const s32 step = offsets[d].x;
    global const s32 *at = projections + (ulong)to * lattice.words + w;
    const u32 x = column_at(lattice, step, 32 * w + end);
    const s32 beyond = step == 0 || to == NOWHERE
                           ? 0
                           : projections[x % 32 * plane + (ulong)to * lattice.words + x / 32];
    if (d == 0) {
#pragma unroll
        for (u32 j = 0; j < 32; j++)
            ahead[j] = j == end ? beyond : own[(j + 1) % 32];
        return;
    }
    if (to == NOWHERE)
        return;
#pragma unroll
    for (u32 j = 0; j < 32; j++)
        ahead[j] = step != 0 && j == end ? beyond : at[(j + step) % 32 * plane];
}

/* Draws the bonds from the projections. Each has a threshold of its own. Single precision finds its
 * upper 8 bits, which decide 255 of 256 bonds, or finds that it is in doubt, for one of some 2000;
 * the others, and those in doubt, have their thresholds computed by whole numbers.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic,
 * bytes a site: with D directions 4 D read, most of them from caches; D/8 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_vector(lattice_args lattice, random_key key, global const bond_law *laws,
              global const u32 *disorder, global const s32 *projections, global bond_store *bonds)
{
    const ulong word = get_global_id(0), plane = lattice_words(lattice);
    if (word >= plane)
        return;
    const u32 row = word / lattice.words, w = word % lattice.words;
    const random_key own_key = system_key(key);
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    const ulong drawn = whole_word(lattice, w, row);
    s32 own[32], ahead[32];
    projections += REPLICA(32 * plane);
    bonds += REPLICA(bonds_length(lattice));
#pragma unroll
    for (u32 j = 0; j < 32; j++)
        own[j] = projections[j * plane + word];
    for (u32 d = 0; d < DIRECTIONS; d++) {
        float scale = vector_scale(law_along(own_laws, d));
        const u32 opposite = bonds_unequal(lattice, own_laws, d, w, row),
                  end = offsets[d].x < 0 ? 0 : last_bit(lattice, w);
        u32 upper[8], equal, to, may = 0, doubt = 0;
        const u32 there = vector_bonds(lattice, own_laws, d, w, row, &to);
        load_ahead(lattice, projections, d, w, to, end, own, ahead);
#pragma unroll
        for (u32 k = 0; k < 8; k++) {
            upper[k] = 0;
#pragma unroll
            for (u32 j = 4 * k; j < 4 * k + 4; j++) {
                const u32 sizes = vector_sizes(own[j], ahead[j]);
                const bool unlike = (own[j] ^ ahead[j]) < 0;
                bool unsure;
#if SIZED
                scale = vector_scale(law_of_bond(lattice, own_laws, d, w, row, j));
#endif
                upper[k] |= upper_threshold(scale, sizes, &unsure) << 8 * (j - 4 * k);
                may |= (u32)(sizes > 0 && unlike == (bool)(opposite >> j & 1)) << j;
                doubt |= (u32)unsure << j;
            }
        }
        may &= there;
        doubt &= may;
        u32 active = draw_upper(own_key, PURPOSE_BOND + d, drawn, upper, may & ~doubt, &equal);
        for (u32 left = equal | doubt; left; left &= left - 1) {
            const u32 j = popcount((left & -left) - 1),
                      x = column_at(lattice, offsets[d].x, 32 * w + j);
            const s32 a = projections[j * plane + word],
                      b = projections[x % 32 * plane + (ulong)to * lattice.words + x / 32];
            active |= draw_exactly(own_key, PURPOSE_BOND + d, drawn, j,
                                   vector_threshold(law_of_bond(lattice, own_laws, d, w, row, j), a,
                                                    b, opposite >> j & 1),
                                   equal >> j & 1);
        }
        bonds_store(lattice, bonds, d, w, row, active);
    }
}
