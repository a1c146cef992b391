/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences between sublattices (sublattices.clh): the staggered magnetisation. */
#include "core/group_sum.clh"
#include "core/record.clh"
#include "core/systems.clh"
#include "measure/sublattices.clh"
#include "model/model.clh"

#define SUBLATTICES (DIRECTIONS == AXES ? 2u : 3u)

/* Returns the sites of word w of a row, as bits, that are on a sublattice. */
u32 on_sublattice(u32 sublattice, u32 w, u32 y, u32 z)
{
    /* bits 0, 2, 4, .. or 0, 3, 6, .., from the first bit that is on the sublattice */
    u32 first = 0;
    while (sublattice_of(SUBLATTICES, 32 * w + first, y, z) != sublattice)
        first++;
    return (SUBLATTICES == 2 ? 0x55555555u : 0x49249249u) << first;
}

/* Each group writes the sums of every state, SUBLATTICE_SUMS numbers each.
 *
 * One work-item: every total-th word of 32 sites. Work-group: MEASURE_ITEMS. Local memory: 8 bytes
 * a work-item. Global traffic: spins read once for each state. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_staggered(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                  global const spin_store *spins, global s64 *sums)
{
    const system_laws own = system_laws_of(lattice, laws, disorder);
    local s64 all[MEASURE_ITEMS];
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * STATES * SUBLATTICE_SUMS;
    for (u32 state = 0; state < STATES; state++) {
        s64 a = 0, b = 0;
        for (ulong word = get_global_id(0); word < lattice_words(lattice);
             word += get_global_size(0)) {
            const u32 row = word / lattice.words, w = word % lattice.words,
                      y = AXES > 2 ? row % lattice.ny : row, z = AXES > 2 ? row / lattice.ny : 0;
            u32 planes[PLANES];
            spins_load(lattice, spins, w, row, planes);
            const u32 match = spins_match(lattice, w, planes, state) &
                              sites_present(lattice, own, w, row);
            const s32 first = popcount(match & on_sublattice(0, w, y, z));
            a += first - (s32)popcount(match & on_sublattice(1, w, y, z));
            b += SUBLATTICES > 2 ? first - (s32)popcount(match & on_sublattice(2, w, y, z)) : 0;
        }
        a = group_sum(a, all);
        b = group_sum(b, all);
        if (get_local_id(0) == 0) {
            sums[state * SUBLATTICE_SUMS] = a;
            sums[state * SUBLATTICE_SUMS + 1] = b;
        }
    }
}

/* Adds up a and b of each state (sublattices.clh) over the groups, and writes one number of 128
 * bits into the record that measure_record has written: four times the square that belongs to a
 * and b, summed over all states. Where states are angles, there are two squares in place of one for
 * each state: a and b are multiplied by the cosine of the state and added up over all states, and
 * likewise by its sine.
 *
 * One work-group of MEASURE_ITEMS; a work-item: a share of the groups. Local memory: 8 bytes a
 * work-item. Global traffic: 16 bytes a state and group. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_staggered_record(lattice_args lattice, global const bond_law *laws,
                         global const u32 *disorder, u32 groups, u32 slot, u32 format, u32 part,
                         global const s64 *sums, global u32 *records)
{
    local s64 all[MEASURE_ITEMS];
    u64 squares[2] = {0, 0};
    s64 along[2][2] = {{0, 0}, {0, 0}};
    const system_laws own = system_laws_of(lattice, laws, disorder);
    sums += REPLICA((ulong)groups * STATES * SUBLATTICE_SUMS);
    records += record_words(format) * SLOT_GROUP(slot, 1, 0) + record_place(format, part);
    for (u32 state = 0; state < STATES; state++) {
        const u32 columns = STATES * SUBLATTICE_SUMS, k = state * SUBLATTICE_SUMS;
        const s64 a = sum_of_groups(sums, groups, columns, k, all),
                  b = sum_of_groups(sums, groups, columns, k + 1, all);
#ifdef DIRECTED
        const s32 cosine = own.matrix[matrix_cosines(PLANES, BOND_CLASSES) + state],
                  sine = own.matrix[matrix_sines(PLANES, BOND_CLASSES) + state];
        along[0][0] += a * cosine;
        along[0][1] += b * cosine;
        along[1][0] += a * sine;
        along[1][1] += b * sine;
#else
        add_staggered(squares, a, b);
#endif
    }
#ifdef DIRECTED
    for (u32 axis = 0; axis < 2; axis++)
        add_staggered(squares, along[axis][0], along[axis][1]);
#endif
    for (u32 k = 0; k < 2; k++)
        if (get_local_id(0) == 0)
            number_put(records + 2 * k, true, squares[k]);
}
