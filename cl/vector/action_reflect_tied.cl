/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters of vectors that a field holds (vector.clh): they stay. */
#include "core/labels.clh"
#include "core/systems.clh"
#include "model/draw_each.clh"
#include "model/vector_spins.clh"
#include "sites/decisions.clh"

/* Clears the decisions of the roots of tied sites in fields, before action_reflect. A site is tied
 * as if it had a bond with a spin along the field.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic,
 * bytes a site: spins 4 VECTOR; for tied sites labels 4 and the walk to the root, and an atomic for
 * each cluster, or some more. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_reflect_tied(lattice_args lattice, random_key key, global const bond_law *laws,
                    global const u32 *disorder, global const label *labels,
                    global const spin_store *spins, volatile global u32 *fields)
{
    const ulong word = get_global_id(0);
    u32 axis[VECTOR_NUMBERS_MOST], spin[VECTOR], thresholds[32], upper[8], equal;
    if (word >= lattice_words(lattice))
        return;
    const random_key own = system_key(key);
    const u32 row = word / lattice.words, w = word % lattice.words,
              sites = last_bit(lattice, w) + 1;
    const bond_law law = system_laws_of(lattice, laws, disorder).of[BOND_CLASSES];
    const ulong drawn = whole_word(lattice, w, row);
    fields += REPLICA(4 * DECISION_BLOCKS(lattice));
    labels += REPLICA(lattice_sites(lattice));
    spins += REPLICA(spins_length(lattice));
    vector_axis(VECTOR, own, axis);
    for (u32 j = 0; j < 32; j++)
        thresholds[j] = 0;
    for (u32 j = 0; j < sites; j++) {
        vector_load(lattice, spins, 32 * w + j, row, spin);
        thresholds[j] = vector_threshold(law, vector_product(VECTOR, spin, axis),
                                         vector_component(VECTOR, axis, vector_along(VECTOR)),
                                         law.unequal != 0);
    }
    for (u32 k = 0; k < 8; k++) {
        upper[k] = 0;
        for (u32 j = 0; j < 4; j++)
            upper[k] |= thresholds[4 * k + j] >> 24 << 8 * j;
    }
    u32 tied = draw_upper(own, PURPOSE_TIE, drawn, upper, word_mask(lattice, w), &equal);
    for (; equal; equal &= equal - 1) {
        const u32 j = popcount((equal & -equal) - 1);
        tied |= draw_lower(own, PURPOSE_TIE, drawn, j, thresholds[j]);
    }
    stay(labels, fields, tied, row * lattice.nx + 32 * w);
}
