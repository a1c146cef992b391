/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds of embedded clusters of vectors (vector.clh). */
#include "core/bonds.clh"
#include "core/systems.clh"
#include "model/draw_each.clh"
#include "vector/vector_spins.clh"

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
    for (u32 j = 0; j < 32; j++) {
        for (u32 k = 0; k < VECTOR; k++)
            spin[k] = spins[(32 * k + j) * plane];
        projections[j * plane] = vector_product(VECTOR, spin, axis);
    }
}

/* Returns the threshold of the bond along d from site x of a row to a site of row to. */
u32 threshold_of(lattice_args lattice, global const s32 *projections, bond_law law, u32 d, u32 x,
                 u32 row, u32 to, bool opposite)
{
    const ulong plane = lattice_words(lattice);
    const u32 ahead = column_at(lattice, offsets[d].x, x);
    return vector_threshold(
        law, projections[x % 32 * plane + (ulong)row * lattice.words + x / 32],
        projections[ahead % 32 * plane + (ulong)to * lattice.words + ahead / 32], opposite);
}

/* Draws the bonds from the projections. Each has a threshold of its own, of which the upper 8 bits
 * decide 255 of 256 bonds; the others are computed once more.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic,
 * bytes a site: with D directions 4 (D + 1) read, most of them from caches; D/8 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_vector(lattice_args lattice, random_key key, global const bond_law *laws,
              global const u32 *disorder, global const s32 *projections, global bond_store *bonds)
{
    const ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    const u32 row = word / lattice.words, w = word % lattice.words;
    const random_key own = system_key(key);
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    const ulong drawn = whole_word(lattice, w, row);
    projections += REPLICA(32 * lattice_words(lattice));
    bonds += REPLICA(bonds_length(lattice));
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const bond_law law = law_along(own_laws, d);
        const u32 opposite = bonds_unequal(lattice, own_laws, d, w, row);
        u32 upper[8], equal, to, there = vector_bonds(lattice, own_laws, d, w, row, &to), may = 0;
#pragma unroll
        for (u32 k = 0; k < 8; k++) {
            upper[k] = 0;
            for (u32 j = 4 * k; j < 4 * k + 4; j++)
                if (there >> j & 1) {
                    const u32 threshold = threshold_of(lattice, projections, law, d, 32 * w + j,
                                                       row, to, opposite >> j & 1);
                    upper[k] |= threshold >> 24 << 8 * (j - 4 * k);
                    may |= (u32)(threshold > 0) << j;
                }
        }
        u32 active = draw_upper(own, PURPOSE_BOND + d, drawn, upper, may, &equal);
        for (; equal; equal &= equal - 1) {
            const u32 j = popcount((equal & -equal) - 1);
            active |= draw_lower(
                own, PURPOSE_BOND + d, drawn, j,
                threshold_of(lattice, projections, law, d, 32 * w + j, row, to, opposite >> j & 1));
        }
        bonds_store(lattice, bonds, d, w, row, active);
    }
}
