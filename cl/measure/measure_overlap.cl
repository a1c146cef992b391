/* SPDX-License-Identifier: BSD-3-Clause */
/* The overlap of each system with its partner (overlap.clh). */
#include "core/share.clh"
#include "core/group_sum.clh"
#include "core/record.clh"
#include "core/systems.clh"
#include "measure/overlap.clh"
#include "model/model.clh"

/* Links are those of Ising spins. */
#if STATES == 2 && !defined(MATRIX)
#define LINKS
#endif

/* The sites at which two systems have equal spins; or the vacant sites. */
typedef struct counted_sites {
    global const spin_store *spins, *partner;
    system_laws laws;
    bool vacant;
} counted_sites;

u32 counted_of_word(lattice_args lattice, counted_sites of, u32 w, u32 row)
{
    u32 planes[PLANES], others[PLANES],
        equal = word_mask(lattice, w) &
                (sites_present(lattice, of.laws, w, row) ^ (of.vacant ? 0xFFFFFFFFu : 0));
    if (of.vacant)
        return equal;
    spins_load(lattice, of.spins, w, row, planes);
    spins_load(lattice, of.partner, w, row, others);
    for (u32 p = 0; p < PLANES; p++)
        equal &= ~(planes[p] ^ others[p]);
    return equal;
}

#include "measure/waves.clh"

#ifdef LINKS
/* Returns the number of unlike links from word w of a row. */
u32 unlike_links(lattice_args lattice, counted_sites of, u32 w, u32 row)
{
    u32 planes[PLANES], others[PLANES], count = 0;
    spins_load(lattice, of.spins, w, row, planes);
    spins_load(lattice, of.partner, w, row, others);
    for (u32 d = 0; d < DIRECTIONS; d++)
        count += popcount(bond_candidates(lattice, of.spins, of.laws, d, w, row, planes) ^
                          bond_candidates(lattice, of.partner, of.laws, d, w, row, others));
    return count;
}
#endif

/* Each group writes its OVERLAP_SUMS numbers. partners[r] is the number of the system with which
 * system r is compared.
 *
 * One work-item: every total-th word of 32 sites, and the bands of waves.clh. Work-group:
 * MEASURE_ITEMS. Local memory: 8 bytes a work-item. Global traffic: the spins of both systems read
 * twice, and of Ising spins once more for each direction that leads to another row; the table of
 * waves once for a band. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_overlap(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                global const s32 *table, global const u32 *partners, global const spin_store *spins,
                global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    s64 mine[OVERLAP_SUMS] = {0};
    const system_laws own = system_laws_of(lattice, laws, disorder);
    const ulong length = spins_length(lattice);
    counted_sites of = {spins + REPLICA(length), spins + partners[get_group_id(1)] * length, own,
                        false};
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * OVERLAP_SUMS;
    const item_share words = share_of_item(lattice_words(lattice));
    for (ulong word = words.first; word < words.end; word += words.step) {
        const u32 row = word / lattice.words, w = word % lattice.words;
        mine[0] += popcount(counted_of_word(lattice, of, w, row));
#ifdef LINKS
        mine[1] += unlike_links(lattice, of, w, row);
#endif
    }
    add_waves(lattice, of, table, mine + OVERLAP_WAVES);
#if ANY_VACANT
    of.vacant = true;
    add_waves(lattice, of, table, mine + OVERLAP_VACANT);
#endif
    group_sums_put(mine, OVERLAP_SUMS, all, sums);
}

/* Adds up the sums of the groups, and writes the numbers of the overlap into the record that
 * measure_record has written.
 *
 * One work-group of MEASURE_ITEMS; a work-item: a share of the groups. Local memory: 8 bytes a
 * work-item. Global traffic: 8 OVERLAP_SUMS bytes a group. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_overlap_record(u32 groups, u32 slot, u32 format, u32 part, global const s64 *sums,
                       global u32 *records)
{
    local s64 all[MEASURE_ITEMS];
    s64 total[OVERLAP_SUMS];
    sums += REPLICA((ulong)groups * OVERLAP_SUMS);
    records += record_words(format) * SLOT_GROUP(slot, 1, 0) + record_place(format, part);
    for (u32 k = 0; k < OVERLAP_SUMS; k++)
        total[k] = sum_of_groups(sums, groups, OVERLAP_SUMS, k, all);
    if (get_local_id(0) == 0)
        overlap_put(records, STATES, total);
}
