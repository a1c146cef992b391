/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier sums of the spins at the smallest wave vector of each axis (modes.clh). */
#include "core/group_sum.clh"
#include "core/modes.clh"
#include "core/record.clh"
#include "core/systems.clh"
#include "model/model.clh"

#define COUNTERS 6u                      /* bits of a count */
#define BAND_ROWS ((1u << COUNTERS) - 1) /* rows that a count has room for */
#define BAND_ROWS_LEAST 8u               /* fewer rows do not pay for the work per band */

/* Adds count times a cosine and a sine to sums. */
void add_wave(s64 sums[2], global const s32 *along, s32 count)
{
    sums[0] += (s64)along[0] * count;
    sums[1] += (s64)along[1] * count;
}

/* Adds the cosines and sines of the sites in a state to sums, for word w of some rows, up to
 * BAND_ROWS. Along x, the sites at each bit of the words are counted first: word k of the counters
 * has bit k of all 32 counts. */
void add_band(lattice_args lattice, global const spin_store *spins, global const s32 *table,
              u32 state, u32 w, u32 first, u32 rows, s64 sums[MODE_SUMS])
{
    u32 counters[COUNTERS] = {0}, y = AXES > 2 ? first % lattice.ny : first,
        z = AXES > 2 ? first / lattice.ny : 0;
    for (u32 row = first; row < first + rows; row++) {
        u32 planes[PLANES];
        spins_load(lattice, spins, w, row, planes);
        const u32 match = spins_match(lattice, w, planes, state);
        add_wave(sums + 2, table + mode_place(lattice, 1, y), popcount(match));
        if (AXES > 2)
            add_wave(sums + 4, table + mode_place(lattice, 2, z), popcount(match));
        u32 carry = match;
#pragma unroll
        for (u32 k = 0; k < COUNTERS; k++) {
            const u32 both = counters[k] & carry;
            counters[k] ^= carry;
            carry = both;
        }
        y++;
        if (AXES > 2 && y == lattice.ny) {
            y = 0;
            z++;
        }
    }
    global const s32 *along = table + mode_place(lattice, 0, 32 * w);
    for (u32 bit = 0; bit < 32; bit++, along += 2 * lattice.words) {
        s32 count = 0;
#pragma unroll
        for (u32 k = 0; k < COUNTERS; k++)
            count |= (counters[k] >> bit & 1) << k;
        add_wave(sums, along, count);
    }
}

/* Each group writes its sums for every state but the first, MODE_SUMS numbers each.
 *
 * One work-item: words one below the other, up to BAND_ROWS, and every total-th such band.
 * Work-group: MEASURE_ITEMS. Local memory: 8 bytes a work-item. Global traffic: spins read once for
 * each state but the first, and the table once for a band. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_modes(lattice_args lattice, global const spin_store *spins, global const s32 *table,
              global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    const u32 rows = lattice_rows(lattice),
              height = clamp(
                  (u32)min((ulong)BAND_ROWS, lattice_words(lattice) / get_global_size(0) + 1),
                  BAND_ROWS_LEAST, BAND_ROWS);
    const ulong bands = (ulong)((rows - 1) / height + 1) * lattice.words;
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * STATES * MODE_SUMS;
    for (u32 state = 1; state < STATES; state++) {
        s64 mine[MODE_SUMS] = {0};
        for (ulong band = get_global_id(0); band < bands; band += get_global_size(0)) {
            const u32 first = band / lattice.words * height;
            add_band(lattice, spins, table, state, band % lattice.words, first,
                     min(height, rows - first), mine);
        }
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
 * other states. Where states are angles, the sums of each component are squared in place of those
 * of each state.
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
    sums += REPLICA((ulong)groups * STATES * MODE_SUMS);
    records += record_words(format) * SLOT_GROUP(slot, 1, 0) + record_place(format, part);
#pragma unroll
    for (u32 k = 0; k < MODE_SUMS; k++)
        rest[k] = mode_total(lattice, table, k);
    for (u32 state = 1; state < STATES; state++) {
        s64 mine[MODE_SUMS] = {0};
        for (u32 g = get_local_id(0); g < groups; g += MEASURE_ITEMS)
#pragma unroll
            for (u32 k = 0; k < MODE_SUMS; k++)
                mine[k] += sums[((ulong)g * STATES + state) * MODE_SUMS + k];
#pragma unroll
        for (u32 k = 0; k < 2 * AXES; k++) {
            const s64 sum = group_sum(mine[k], all);
            rest[k] -= sum;
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
