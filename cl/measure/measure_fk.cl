/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures Fortuin-Kasteleyn clusters by their labels: sizes, and Fourier sums at the smallest wave
 * vector of each axis (modes.clh).
 *
 * In Fourier sums a site counts with its amplitude: 1 of the Potts model; 1 or -1, its spin, of the
 * Ising model where the spins of a cluster may be unequal; the projection on the axis of the sweep
 * of vectors; 0 of a vacant site. When clusters then get the other sign with probability 1/2 each,
 * the mean square of the magnetisation along the axis is the sum of the squares of these sums.
 * Clusters that a field ties keep their sign, and count as one. Source: U. Wolff, Phys. Rev. Lett.
 * 62, 361 (1989). */
#include "core/group_sum.clh"
#include "core/labels.clh"
#include "core/modes.clh"
#include "core/spins.clh"
#include "core/systems.clh"
#include "core/wide_sums.clh"
#include "model/laws.clh"
#include "sites/decisions.clh"
#ifdef VECTOR
#include "model/vector_spins.clh"
#endif

/* The number of words of sites for which sums are added up in local memory first. Without that all
 * work-items would add to the sums of a large cluster at the same time. */
#define CHUNK_WORDS 1024u
#define SUM_WORDS (FK_ROOT_BYTES / 4) /* of a root: two sums of 64 bits, the lower word first */

/* Makes the labels flat: the label of each site becomes its root (flat_root()), and the label of a
 * root stays as it is.
 *
 * One work-item: one site. Local memory: none. Global traffic, bytes a site: 4 and a walk, 4
 * written. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
measure_fk_flatten(lattice_args lattice, volatile global label *labels)
{
    const ulong i = get_global_id(0);
    if (i >= lattice_sites(lattice))
        return;
    labels += REPLICA(lattice_sites(lattice));
    const label root = counted_root(labels, i);
    if (root != i)
        atomic_min(&labels[i], root); /* other work-items may be walking through the site */
}

/* Adds to the sums of a root: in local memory if the root can get its place there, else in global
 * memory. */
void add_to_root(label root, s64 cosines, s64 sines, volatile local u32 *roots,
                 volatile local u32 *sums, volatile global u32 *waves)
{
    const u32 place = root * 0x9E3779B9u / (0xFFFFFFFFu / FK_PLACES + 1),
              there = atomic_cmpxchg(&roots[place], NOWHERE, root);
    if (there == NOWHERE || there == root) {
        add_to_local(sums + SUM_WORDS * place, cosines);
        add_to_local(sums + SUM_WORDS * place + 2, sines);
    } else {
        add_to_global(waves + SUM_WORDS * (ulong)root, cosines);
        add_to_global(waves + SUM_WORDS * (ulong)root + 2, sines);
    }
}

/* The amplitudes of the sites of a word. */
typedef struct word_amplitudes {
    global const spin_store *spins;
    ulong word;            /* of vectors: where its spins are */
    u32 axis[4];           /* of vectors, likewise */
    u32 present, negative; /* bits of the sites */
} word_amplitudes;

/* Returns those of word w of a row, in the sweep of key. */
word_amplitudes amplitudes_of(lattice_args lattice, global const spin_store *spins,
                              system_laws laws, random_key key, u32 w, u32 row)
{
    word_amplitudes of = {spins, 0, {0}, sites_present(lattice, laws, w, row), 0};
#ifdef VECTOR
    of.word = (ulong)row * lattice.words + w;
    vector_axis(VECTOR, key, of.axis);
#elif defined(FLIPS)
    u32 planes[PLANES];
    spins_load(lattice, spins, w, row, planes);
    of.negative = planes[0];
#endif
    return of;
}

/* Returns an entry of the table times the amplitude of site j of the word. */
s64 amplified(lattice_args lattice, const word_amplitudes *of, u32 j, s32 entry)
{
    if (!(of->present >> j & 1))
        return 0;
#ifdef VECTOR
    u32 spin[VECTOR];
    vector_of_word(lattice, of->spins, of->word, j, spin);
    return ((s64)entry * vector_product(VECTOR, spin, of->axis) + VECTOR_ONE / 2) >> 30;
#else
    return of->negative >> j & 1 ? -entry : entry;
#endif
}

/* Adds the cosines and sines along an axis, or of wave vector 0, times the amplitudes of the sites
 * to the sums of the roots. waves has SUM_WORDS words for each site, which are 0 at first. Labels
 * must be flat.
 *
 * One work-item: every total-th word of 32 sites, whose runs of sites with one root are added
 * together. Work-group: MEASURE_ITEMS. Local memory: FK_PLACES (4 + 4 SUM_WORDS) bytes. Global
 * traffic, bytes a site: labels 4; spins, where amplitudes come from them; four atomics for each
 * root and chunk, or some more. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_fk_waves(lattice_args lattice, random_key key, global const bond_law *laws,
                 global const u32 *disorder, global const spin_store *spins, u32 axis,
                 global const s32 *table, global const label *labels, volatile global u32 *waves)
{
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    const random_key own_key = system_key(key);
    spins += REPLICA(spins_length(lattice));
    local u32 roots[FK_PLACES], sums[FK_PLACES * SUM_WORDS];
    const ulong words = lattice_words(lattice), chunks = (words - 1) / CHUNK_WORDS + 1;
    labels += REPLICA(lattice_sites(lattice));
    waves += REPLICA(SUM_WORDS * lattice_sites(lattice));
    for (ulong chunk = get_group_id(0); chunk < chunks; chunk += get_num_groups(0)) {
        for (u32 k = get_local_id(0); k < FK_PLACES; k += MEASURE_ITEMS) {
            roots[k] = NOWHERE;
            for (u32 n = 0; n < SUM_WORDS; n++)
                sums[SUM_WORDS * k + n] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = get_local_id(0); k < CHUNK_WORDS; k += MEASURE_ITEMS) {
            const ulong word = chunk * CHUNK_WORDS + k;
            if (word >= words)
                break;
            const u32 w = word % lattice.words, row = word / lattice.words;
            const u32 first = row * lattice.nx + 32 * w, count = last_bit(lattice, w) + 1;
            const word_amplitudes of = amplitudes_of(lattice, spins, own_laws, own_key, w, row);
            label root = flat_root(labels, first);
            s64 cosines = 0, sines = 0;
            for (u32 j = 0; j < count; j++) {
                const label own = flat_root(labels, first + j);
                if (own != root) {
                    add_to_root(root, cosines, sines, roots, sums, waves);
                    root = own;
                    cosines = sines = 0;
                }
                const u64 at = mode_place(lattice, axis,
                                          axis == 0   ? 32 * w + j
                                          : axis == 1 ? row % lattice.ny
                                                      : row / lattice.ny);
                cosines += amplified(lattice, &of, j,
                                     axis == WAVE_ZERO ? 1 << MODE_BITS : table[at]);
                sines += axis == WAVE_ZERO ? 0 : amplified(lattice, &of, j, table[at + 1]);
            }
            add_to_root(root, cosines, sines, roots, sums, waves);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = get_local_id(0); k < FK_PLACES; k += MEASURE_ITEMS)
            if (roots[k] != NOWHERE)
                for (u32 n = 0; n < SUM_WORDS; n += 2)
                    add_to_global(
                        waves + SUM_WORDS * (ulong)roots[k] + n,
                        (s64)((u64)sums[SUM_WORDS * k + n + 1] << 32 | sums[SUM_WORDS * k + n]));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Squares the sums of each cluster along an axis, and splits the squares into parts; of wave vector
 * 0 fourth powers too. Each group writes the sums of these parts over its clusters: WAVE_PARTS of
 * FK_MODE_NUMBERS numbers, and FK_FOURTH_PARTS more.
 *
 * One work-item: every total-th site. Work-group: MEASURE_ITEMS. Local memory: 8 bytes a work-item.
 * Global traffic, bytes a site: labels 4; and 16 for each cluster. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_fk_squares(lattice_args lattice, u32 axis, global const label *labels,
                   global const u32 *waves, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    s64 mine[WAVE_PARTS] = {0}, fourths[FK_FOURTH_PARTS] = {0};
    labels += REPLICA(lattice_sites(lattice));
    waves += REPLICA(SUM_WORDS * lattice_sites(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * FK_MODE_NUMBERS;
    for (ulong i = get_global_id(0); i < lattice_sites(lattice); i += get_global_size(0)) {
        if (labels[i] < i)
            continue;
        global const u32 *own = waves + SUM_WORDS * i;
        for (u32 n = 0; n < SUM_WORDS; n += 2) {
            const s64 sum = wide_sum(own + n);
#pragma unroll
            for (u32 k = 0; k < WAVE_PARTS; k++)
                mine[k] += wave_part(sum, k);
#pragma unroll
            for (u32 k = 0; k < FK_FOURTH_PARTS && axis == WAVE_ZERO && n == 0; k++)
                fourths[k] += wave_fourth_part(sum, k);
        }
    }
#pragma unroll
    for (u32 k = 0; k < WAVE_PARTS; k++) {
        const s64 sum = group_sum(mine[k], all);
        if (get_local_id(0) == 0)
            sums[axis * WAVE_PARTS + k] = sum;
    }
    if (axis != WAVE_ZERO)
        return;
#pragma unroll
    for (u32 k = 0; k < FK_FOURTH_PARTS; k++) {
        const s64 sum = group_sum(fourths[k], all);
        if (get_local_id(0) == 0)
            sums[FK_FOURTHS + k] = sum;
    }
}

/* Whether the decision of a root was cleared, as a site of its cluster is tied. */
bool is_tied(lattice_args lattice, global const u32 *fields, label root)
{
    return !(fields[REPLICA(4 * DECISION_BLOCKS(lattice)) + root / 32] >> root % 32 & 1);
}

/* Finds the smallest root of a tied cluster, for each system: NOWHERE - root is the largest number,
 * 0 where there is none.
 *
 * One work-item: one site. Local memory: none. Global traffic, bytes a site: labels 4; an atomic
 * for each tied cluster. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
measure_fk_tied(lattice_args lattice, global const label *labels, global const u32 *fields,
                volatile global u32 *first)
{
    const ulong i = get_global_id(0);
    if (i >= lattice_sites(lattice) || labels[REPLICA(lattice_sites(lattice)) + i] < i)
        return;
    if (is_tied(lattice, fields, i))
        atomic_max(&first[REPLICA(1)], NOWHERE - (u32)i);
}

/* Makes all tied clusters one, whose root is the smallest of theirs.
 *
 * One work-item: one site. Local memory: none. Global traffic, bytes a site: labels 4. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
measure_fk_join(lattice_args lattice, global const u32 *fields, global const u32 *first,
                global label *labels)
{
    const ulong i = get_global_id(0);
    labels += REPLICA(lattice_sites(lattice));
    if (i >= lattice_sites(lattice) || labels[i] < i || !is_tied(lattice, fields, i))
        return;
    const label root = NOWHERE - first[REPLICA(1)];
    if (root != i)
        labels[i] = root;
}

/* Each group writes the number of its clusters in each of count size classes. Sizes must be counted
 * in the labels of roots.
 *
 * One work-item: every total-th site. Work-group: MEASURE_ITEMS. Local memory: 32 counters. Global
 * traffic, bytes a site: labels 4. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_fk_sizes(lattice_args lattice, u32 count, global const label *labels, global s64 *sums)
{
    local u32 classes[32];
    labels += REPLICA(lattice_sites(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * count;
    for (u32 k = get_local_id(0); k < 32; k += MEASURE_ITEMS)
        classes[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong i = get_global_id(0); i < lattice_sites(lattice); i += get_global_size(0)) {
        const u32 up = labels[i], site = i;
        if (up >= site)
            atomic_inc(&classes[31 - clz(up - site + 1)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); k < count; k += MEASURE_ITEMS)
        sums[k] = classes[k];
}
