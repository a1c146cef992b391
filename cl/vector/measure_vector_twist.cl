/* SPDX-License-Identifier: BSD-3-Clause */
/* What the helicity modulus of vectors is made of (twist.clh). */
#include "core/group_sum.clh"
#include "core/systems.clh"
#include "measure/twist.clh"
#include "vector/vector_spins.clh"

/* Adds the bonds from a word of 32 sites to sums. */
void add_bonds(lattice_args lattice, global const spin_store *spins, system_laws laws, u32 w,
               u32 row, s64 sums[TWIST_SUMS])
{
    u32 spin[VECTOR], ahead[VECTOR], to;
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const u32 coupling = law_along(laws, d).weight,
                  opposite = bonds_unequal(lattice, laws, d, w, row);
        u32 there = vector_bonds(lattice, laws, d, w, row, &to);
        s64 along = 0, across = 0;
        if (!there)
            continue;
        const vector_neighbours next = neighbours_of(lattice, spins, d, w, to);
        for (; there; there &= there - 1) {
            const u32 j = popcount((there & -there) - 1);
            s64 cosine, sine;
            vector_load(lattice, spins, 32 * w + j, row, spin);
            vector_ahead(lattice, &next, j, ahead);
            vector_currents(VECTOR, coupling, opposite >> j & 1, spin, ahead, &cosine, &sine);
            along += cosine;
            across += sine;
        }
        for (u32 axis = 0; axis < AXES; axis++) {
            const s32 step = step_along(offsets[d], axis);
            sums[2 * axis] += step * step * along;
            sums[2 * axis + 1] += step * across;
        }
    }
}

/* Each group writes its TWIST_SUMS numbers.
 *
 * One work-item: every total-th word of 32 sites. Work-group: MEASURE_ITEMS. Local memory: 8 bytes
 * a work-item. Global traffic, bytes a site: spins 4 VECTOR, and as much for each direction, most
 * of that from caches. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_vector_twist(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                     global const spin_store *spins, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    s64 mine[TWIST_SUMS] = {0};
    const system_laws own = system_laws_of(lattice, laws, disorder);
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * TWIST_SUMS;
    for (ulong word = get_global_id(0); word < lattice_words(lattice); word += get_global_size(0))
        add_bonds(lattice, spins, own, word % lattice.words, word / lattice.words, mine);
    for (u32 k = 0; k < TWIST_SUMS; k++) {
        const s64 sum = group_sum(mine[k], all);
        if (get_local_id(0) == 0)
            sums[k] = sum;
    }
}
