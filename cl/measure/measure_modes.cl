/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier sums of the spins at the smallest wave vector of each axis (modes.clh). */
#include "core/group_sum.clh"
#include "core/modes.clh"
#include "core/record.clh"
#include "core/systems.clh"
#include "model/model.clh"

/* The sites in a state; or, as one state more, the vacant sites. */
typedef struct counted_sites {
    global const spin_store *spins;
    system_laws laws;
    u32 state;
} counted_sites;
#define STATES_COUNTED (STATES + ANY_VACANT)

u32 counted_of_word(lattice_args lattice, counted_sites of, u32 w, u32 row)
{
    u32 planes[PLANES];
    const u32 present = sites_present(lattice, of.laws, w, row);
    if (of.state == STATES)
        return word_mask(lattice, w) & ~present;
    spins_load(lattice, of.spins, w, row, planes);
    return spins_match(lattice, w, planes, of.state) & present;
}

#include "measure/waves.clh"

/* Each group writes its sums for every state but the first, and for vacant sites, MODE_SUMS numbers
 * each.
 *
 * One work-item: words one below the other, up to BAND_ROWS, and every total-th such band.
 * Work-group: MEASURE_ITEMS. Local memory: 8 bytes a work-item. Global traffic: spins read once for
 * each state but the first, and the table once for a band. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_modes(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
              global const spin_store *spins, global const s32 *table, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    const system_laws own = system_laws_of(lattice, laws, disorder);
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * STATES_COUNTED * MODE_SUMS;
    for (u32 state = 1; state < STATES_COUNTED; state++) {
        s64 mine[MODE_SUMS] = {0};
        add_waves(lattice, (counted_sites){spins, own, state}, table, mine);
#pragma unroll
        for (u32 k = 0; k < MODE_SUMS; k++) {
            const s64 sum = k < 2 * AXES ? group_sum(mine[k], all) : 0;
            if (get_local_id(0) == 0)
                sums[state * MODE_SUMS + k] = sum;
        }
    }
}

#ifdef DIRECTED
/* Returns the cosine of a state's angle, or for axis 1 the sine. */
s32 direction_of(system_laws laws, u32 axis, u32 state)
{
    return laws.matrix[(axis == 0 ? matrix_cosines(PLANES, BOND_CLASSES)
                                  : matrix_sines(PLANES, BOND_CLASSES)) +
                       state];
}
#endif

/* Adds up the sums of the groups, squares them, and writes the numbers of modes into the record
 * that measure_record has written. The first state gets the sums of all sites minus those of the
 * other states and of vacant sites. Where states are angles, the sums of each component are squared
 * in place of those of each state.
 *
 * One work-group of MEASURE_ITEMS; a work-item: a share of the groups. Local memory: 8 bytes a
 * work-item. Global traffic: 8 MODE_SUMS bytes a state and group. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_modes_record(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                     global const s32 *table, u32 groups, u32 slot, u32 format, u32 part,
                     global const s64 *sums, global u32 *records)
{
    local s64 all[MEASURE_ITEMS];
    u64 squares[MODE_SUMS / 2][2] = {{0}};
    s64 rest[MODE_SUMS];
#ifdef DIRECTED
    s64 along[2][MODE_SUMS] = {{0}};
    const system_laws own = system_laws_of(lattice, laws, disorder);
#endif
    sums += REPLICA((ulong)groups * STATES_COUNTED * MODE_SUMS);
    records += record_words(format) * SLOT_GROUP(slot, 1, 0) + record_place(format, part);
#pragma unroll
    for (u32 k = 0; k < MODE_SUMS; k++)
        rest[k] = mode_total(lattice, table, k);
    for (u32 state = 1; state < STATES_COUNTED; state++) {
        s64 mine[MODE_SUMS] = {0};
        for (u32 g = get_local_id(0); g < groups; g += MEASURE_ITEMS)
#pragma unroll
            for (u32 k = 0; k < MODE_SUMS; k++)
                mine[k] += sums[((ulong)g * STATES_COUNTED + state) * MODE_SUMS + k];
#pragma unroll
        for (u32 k = 0; k < 2 * AXES; k++) {
            const s64 sum = group_sum(mine[k], all);
            rest[k] -= sum;
            if (state == STATES)
                continue;
#ifdef DIRECTED
            for (u32 axis = 0; axis < 2; axis++)
                along[axis][k] += mode_product(sum, direction_of(own, axis, state));
#else
            add_square(squares[k / 2], sum);
#endif
        }
    }
#pragma unroll
    for (u32 k = 0; k < MODE_SUMS; k++) {
#ifdef DIRECTED
        for (u32 axis = 0; axis < 2; axis++)
            add_square(squares[k / 2],
                       along[axis][k] + mode_product(rest[k], direction_of(own, axis, 0)));
#else
        add_square(squares[k / 2], rest[k]);
#endif
    }
#pragma unroll
    for (u32 k = 0; k < MODE_SUMS; k++)
        if (get_local_id(0) == 0)
            number_put(records + 2 * k, true, squares[k / 2][k % 2]);
}
