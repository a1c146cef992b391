/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of a sweep of vectors (vector.clh): clusters are reflected in the mirror of the
 * sweep, or stay. action_flip_fields (action_flip_fields.cl) has drawn the decision of each root, a
 * bit of fields. */
#include "core/interface_entries.clh"
#include "core/labels.clh"
#include "core/systems.clh"
#include "model/vector_spins.clh"
#include "sites/decisions.clh"
#ifdef THREADS
#include "model/vector8.clh"
#endif

#ifdef THREADS
/* Reflects the sites of a word that are decided to be. All work-items of the group call it. */
void reflect_word(lattice_args lattice, const u32 *axis, global const u32 *fields,
                  global const label *labels, ulong word, global spin_store *spins)
{
    if (word >= lattice_words(lattice))
        return;
    const u32 row = word / lattice.words, w = word % lattice.words,
              sites = last_bit(lattice, w) + 1;
    const label first = row * lattice.nx + 32 * w;
    label roots[32];
    u32 decided = 0;
    found_roots(lattice, labels, first, sites, roots);
    for (u32 j = 0; j < sites; j++)
        decided |= INTERFACE_DECISION(labels[roots[j]], (label)lattice_sites(lattice),
                                      fields[roots[j] / 32] >> roots[j] % 32 & 1)
                   << j;
    for (u32 eight = 0; eight < 32; eight += 8)
        if (decided >> eight & 0xFF)
            reflect_eight(lattice, axis, word, eight, masks_of(decided, eight), spins);
}
#else
/* Sites that a work-item looks up at once. */
#define LOOKUPS 4u

/* Finds which sites of the words of the group are to be reflected, by labels that the group reads
 * in the order of sites. decided, in local memory, has a byte for each site of the group, in the
 * order of words. All work-items of the group call it. */
void find_decided(lattice_args lattice, global const u32 *fields, global const label *labels,
                  local u8 *decided)
{
    const ulong words = lattice_words(lattice), before = (ulong)get_group_id(0) * WORD_ITEMS;
    for (u32 k = get_local_id(0); k < 32 * WORD_ITEMS; k += LOOKUPS * WORD_ITEMS) {
        label up[LOOKUPS];
        u32 open;
#pragma unroll
        for (u32 i = 0; i < LOOKUPS; i++) {
            const u32 place = k + i * WORD_ITEMS;
            const ulong word = before + place / 32;
            const u32 row = word / lattice.words, x = 32 * (word % lattice.words) + place % 32;
            up[i] = word < words && x < lattice.nx ? label_above(labels, row * lattice.nx + x) : 0;
        }
        do {
            open = 0;
#pragma unroll
            for (u32 i = 0; i < LOOKUPS; i++) {
                const label over = label_above(labels, up[i]);
                open |= over ^ up[i];
                up[i] = over;
            }
        } while (open);
#pragma unroll
        for (u32 i = 0; i < LOOKUPS; i++)
            decided[k + i * WORD_ITEMS] = INTERFACE_DECISION(
                labels[up[i]], (label)lattice_sites(lattice), fields[up[i] / 32] >> up[i] % 32 & 1);
    }
}

/* Does so, with labels that the group reads in the order of sites. */
void reflect_word(lattice_args lattice, const u32 *axis, global const u32 *fields,
                  global const label *labels, ulong word, global spin_store *spins,
                  local u32 *decided)
{
    u32 spin[VECTOR];
    find_decided(lattice, fields, labels, (local u8 *)decided);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (word >= lattice_words(lattice))
        return;
    const u32 sites = last_bit(lattice, word % lattice.words) + 1;
    for (u32 j = 0; j < sites; j++) {
        if (!((local u8 *)decided)[32 * get_local_id(0) + j])
            continue;
        vector_of_word(lattice, spins, word, j, spin);
        vector_reflect(VECTOR, axis, spin);
        vector_store(lattice, spins, word, j, spin);
    }
}
#endif

/* Reflects the sites of the clusters that are decided to be.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: 32 bytes a work-item,
 * none of threads. Global traffic, bytes a site: labels 4, the walk to the root and its field;
 * spins of half the clusters 8 VECTOR. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_reflect(lattice_args lattice, random_key key, global const u32 *fields,
               global const label *labels, global spin_store *spins)
{
    u32 axis[VECTOR_NUMBERS_MOST];
    fields += REPLICA(4 * DECISION_BLOCKS(lattice));
    labels += REPLICA(lattice_sites(lattice));
    spins += REPLICA(spins_length(lattice));
    vector_axis(VECTOR, system_key(key), axis);
#ifdef THREADS
    reflect_word(lattice, axis, fields, labels, get_global_id(0), spins);
#else
    local u32 decided[8 * WORD_ITEMS];
    reflect_word(lattice, axis, fields, labels, get_global_id(0), spins, decided);
#endif
}
