/* SPDX-License-Identifier: BSD-3-Clause */
/* What the helicity modulus is made of (twist.clh). */
#include "core/group_sum.clh"
#include "core/systems.clh"
#include "measure/twist.clh"
#include "model/model.clh"

/* Adds the bonds from a word of 32 sites to sums. */
void add_bonds(lattice_args lattice, global const spin_store *spins, system_laws laws, u32 w,
               u32 row, s64 sums[TWIST_SUMS])
{
    u32 planes[PLANES];
    spins_load(lattice, spins, w, row, planes);
    for (u32 d = 0; d < DIRECTIONS; d++) {
        global const s32 *cosines = (global const s32 *)laws.matrix +
                                    matrix_currents(PLANES, BOND_CLASSES,
                                                    class_of(d, BOND_CLASSES)),
                         *sines = cosines + (1u << PLANES);
        u32 ahead[PLANES], there = bonds_ahead(lattice, spins, laws, d, w, row, planes, ahead);
        s64 along = 0, across = 0;
        for (; there; there &= there - 1) {
            const u32 j = popcount((there & -there) - 1),
                      by = turned_by(STATES, one_spin(planes, j), one_spin(ahead, j));
            along += cosines[by];
            across += sines[by];
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
 * a work-item. Global traffic: spins read once, and once for each direction that leads to another
 * row. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_twist(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
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
