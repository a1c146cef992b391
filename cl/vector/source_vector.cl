/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds of embedded clusters of vectors (vector.clh). */
#include "core/bonds.clh"
#include "core/systems.clh"
#include "model/draw_each.clh"
#include "model/vector_spins.clh"
/* what both need is above: a header is put in where it is first named, whatever #ifdef says */
#ifdef THREADS
#include "vector/draw_vectors8.clh"
#else
#include "vector/draw_vectors.clh"
#endif

/* Computes the projections of all spins on the axis of the sweep, in the places of the first
 * numbers of spins.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic,
 * bytes a site: 4 VECTOR read, 4 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_vector_project(lattice_args lattice, random_key key, global const spin_store *spins,
                      global s32 *projections)
{
    const ulong word = get_global_id(0);
    u32 axis[VECTOR_NUMBERS_MOST];
    if (word >= lattice_words(lattice))
        return;
    vector_axis(VECTOR, system_key(key), axis);
    project(lattice, spins + REPLICA(spins_length(lattice)), word, axis,
            projections + REPLICA(32 * lattice_words(lattice)));
}

/* Draws the bonds from the projections. Each has a threshold of its own.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic,
 * bytes a site: with D directions 4 D read, most of them from caches; D/8 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_vector(lattice_args lattice, random_key key, global const bond_law *laws,
              global const u32 *disorder, global const s32 *projections, global bond_store *bonds)
{
    const ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    const u32 row = word / lattice.words, w = word % lattice.words;
    const random_key own_key = system_key(key);
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    s32 own[32];
    projections += REPLICA(32 * lattice_words(lattice));
    bonds += REPLICA(bonds_length(lattice));
#pragma unroll
    for (u32 j = 0; j < 32; j++)
        own[j] = projections[vector_place(lattice, word, j, 0)];
    for (u32 d = 0; d < DIRECTIONS; d++)
        bonds_store(lattice, bonds, d, w, row,
                    draw_along(lattice, projections, own_laws, own_key, d, w, row, own));
}
