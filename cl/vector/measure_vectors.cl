/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts vectors (vector.clh) for a slot: the weights of bonds and, in a field, of sites; and the
 * components of spins. What measure_spins does of other spins.
 *
 * One work-item: every total-th word of 32 sites. Work-group: MEASURE_ITEMS. Local memory: COLUMNS
 * counters. Global traffic, bytes a site: spins 4 VECTOR, and as much for each direction, most of
 * that from caches; each group writes its COLUMNS sums. */
#include "core/observables.clh"
#include "core/systems.clh"
#include "vector/vector_spins.clh"

#define COLUMNS (SPIN_SUMS + STATES)

/* Adds a sum of 32 sites, below 2^33, to its parts. */
void add_parts(u32 *parts, u64 sum)
{
    const u32 low = (1u << VECTOR_SUM_BITS) - 1;
    parts[0] += (u32)sum & low;
    parts[1] += (u32)(sum >> VECTOR_SUM_BITS) & low;
    parts[2] += (u32)(sum >> 2 * VECTOR_SUM_BITS);
}

/* Adds the sites of a word, and the bonds from them, to counts. */
void count_vectors(lattice_args lattice, global const spin_store *spins, system_laws laws, u32 w,
                   u32 row, u32 counts[VECTOR_SUMS])
{
    const u32 sites = last_bit(lattice, w) + 1;
    global const spin_store *here = spins + (ulong)row * lattice.words + w;
    u32 spin[VECTOR], ahead[VECTOR], to;
    u64 components[3] = {0, 0, 0};
    u32 weights = 0;
#pragma unroll 4
    for (u32 j = 0; j < sites; j++) {
        vector_of_word(lattice, here, j, spin);
        for (u32 axis = 0; axis < (VECTOR > 1 ? 3 : 2); axis++)
            components[axis] += vector_counted(VECTOR, spin, axis);
#if SITE_FIELD
        weights += vector_weight(laws.of[BOND_CLASSES].weight,
                                 vector_component(VECTOR, spin, vector_along(VECTOR)),
                                 laws.of[BOND_CLASSES].unequal != 0);
#endif
    }
#if VECTOR == 1
    components[2] = (u64)VECTOR_RAISED * sites;
#endif
    add_parts(counts, weights);
    for (u32 axis = 0; axis < 3; axis++)
        add_parts(counts + VECTOR_PARTS * (1 + axis), components[axis]);
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const bond_law law = law_along(laws, d);
        const u32 opposite = bonds_unequal(lattice, laws, d, w, row),
                  there = vector_bonds(lattice, laws, d, w, row, &to);
        weights = 0;
        if (!there)
            continue;
        const vector_neighbours next = neighbours_of(lattice, spins, d, w, to);
#pragma unroll 4
        for (u32 j = 0; j < sites; j++) {
            vector_of_word(lattice, here, j, spin);
            vector_ahead(lattice, &next, j, ahead);
            weights += there >> j & 1
                           ? vector_weight(law.weight, vector_product(VECTOR, spin, ahead),
                                           opposite >> j & 1)
                           : 0;
        }
        add_parts(counts, weights);
    }
}

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_vectors(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                global const spin_store *spins, u32 slot, global u32 *sums)
{
    local u32 counts[COLUMNS];
    const system_laws own = system_laws_of(lattice, laws, disorder);
    spins += REPLICA(spins_length(lattice));
    sums += COLUMNS * SLOT_GROUP(slot, get_num_groups(0), get_group_id(0));
    for (u32 k = get_local_id(0); k < COLUMNS; k += MEASURE_ITEMS)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 mine[VECTOR_SUMS] = {0};
    for (u32 word = get_global_id(0); word < (u32)lattice_words(lattice);
         word += (u32)get_global_size(0))
        count_vectors(lattice, spins, own, word % lattice.words, word / lattice.words, mine);
    for (u32 k = 0; k < VECTOR_SUMS; k++)
        atomic_add(&counts[k], mine[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); k < COLUMNS; k += MEASURE_ITEMS)
        sums[k] = counts[k];
}
