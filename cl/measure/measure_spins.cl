/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the counts of spins, and of the sites in each state, for a slot; of vectors those of
 * count_vectors.clh. In a subdomain it counts the subdomain's own rows.
 *
 * One work-item: some words of 32 sites (share.clh). Work-group: MEASURE_ITEMS. Local memory:
 * COLUMNS counters. Global traffic, bytes a site: spins read once and once for each direction that
 * leads to another row; each group writes its COLUMNS sums. */
#include "core/observables.clh"
#include "core/share.clh"
#include "core/spins.clh"
#include "core/systems.clh"
#include "model/laws.clh"
#ifdef VECTOR
#include "model/count_vectors.clh"
#else
#include "model/count_spins.clh"
#endif

#define COLUMNS (SPIN_SUMS + STATES)

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_spins(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
              global const spin_store *spins, u32 slot, global u32 *sums)
{
    local u32 counts[COLUMNS];
    const system_laws own = system_laws_of(lattice, laws, disorder);
    spins += REPLICA(spins_length(lattice));
    sums += COLUMNS * SLOT_GROUP(slot, get_num_groups(0), get_group_id(0));
    for (u32 k = get_local_id(0); k < COLUMNS; k += MEASURE_ITEMS)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 mine[SPIN_COLUMNS] = {0};
    /* a lattice has less than 2^32 words */
    const item_share words = share_of_item(own_words(lattice));
    for (u32 word = words.first; word < (u32)words.end; word += (u32)words.step)
        count_spins(lattice, spins, own, word % lattice.words, word / lattice.words, mine,
                    counts + SPIN_SUMS);
    for (u32 k = 0; k < SPIN_COLUMNS; k++)
        atomic_add(&counts[k], mine[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); k < COLUMNS; k += MEASURE_ITEMS)
        sums[k] = counts[k];
}
