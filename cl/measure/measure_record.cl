/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the sums that the groups of measure_spins left in slots, and where the format has
 * clusters those of the kernel that counted them. Makes records of the series from them, one for
 * each slot from first on. The number of sites in state 0 is what is left of all sites. Other parts
 * of the format stay as they are. In a subdomain the kernel writes the sums themselves, COLUMNS of
 * 64 bits, from which the host makes records.
 *
 * One work-group: a slot of a replica, MEASURE_ITEMS; a work-item: a share of the groups for one of
 * the COLUMNS sums. updated is the sweep's counter, which the kernel clears. Local memory: 8
 * MEASURE_ITEMS bytes or 8 COLUMNS, the larger. Global traffic: 4 to 8 bytes a column and group. */
#include "core/lattice.clh"
#include "core/record.clh"
#include "core/systems.clh"
#include "model/model.clh"
#include "model/vector_sizes.clh"

#define SPIN_COLUMNS (SPIN_SUMS + STATES) /* counts of spins, and of sites in each state */
#define COLUMNS (SPIN_COLUMNS + CLUSTER_SUMS)
#define SHARES (MEASURE_ITEMS / COLUMNS > 0 ? MEASURE_ITEMS / COLUMNS : 1)

/* Returns sum with value added, or the larger of the two where column is a maximum. */
u64 gather(u32 column, u64 sum, u64 value)
{
#define ROW(NAME, OP, VALUE) \
    if (column == SPIN_COLUMNS + CLUSTER_SUM_##NAME) \
        return counted_##OP(sum, value);
    CLUSTER_COUNTS(ROW)
#undef ROW
    return sum + value;
}

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_record(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
               u32 groups, u32 first, u32 format, global const u32 *spin_sums,
               global const u64 *cluster_sums, global u32 *updated, global u32 *records)
{
    local u64 sums[COLUMNS * SHARES];
    const u32 slot = first + get_group_id(0);
    const u32 columns = format & RECORD_CLUSTERS ? COLUMNS : SPIN_COLUMNS;
    spin_sums += SPIN_COLUMNS * SLOT_GROUP(slot, groups, 0);
    cluster_sums += CLUSTER_SUMS * SLOT_GROUP(slot, groups, 0);
    updated += REPLICA(1);
#ifndef SUBDOMAIN
    records += record_words(format) * SLOT_GROUP(slot, 1, 0);
#endif
    for (u32 k = get_local_id(0); k < COLUMNS * SHARES; k += MEASURE_ITEMS) {
        u32 column = k % COLUMNS;
        sums[k] = 0;
        for (u32 g = k / COLUMNS; column < columns && g < groups; g += SHARES)
            sums[k] = gather(column, sums[k],
                             column < SPIN_COLUMNS
                                 ? spin_sums[(ulong)g * SPIN_COLUMNS + column]
                                 : cluster_sums[(ulong)g * CLUSTER_SUMS + column - SPIN_COLUMNS]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 column = get_local_id(0); column < COLUMNS; column += MEASURE_ITEMS)
        for (u32 share = 1; share < SHARES; share++)
            sums[column] = gather(column, sums[column], sums[share * COLUMNS + column]);
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef SUBDOMAIN
    for (u32 column = get_local_id(0); column < COLUMNS; column += MEASURE_ITEMS)
        ((global u64 *)records)[COLUMNS * SLOT_GROUP(slot, 1, 0) + column] = sums[column];
#else
    if (get_local_id(0) != 0)
        return;
    sweep_record record = {0};
    record.updated = *updated;
    const system_laws own = system_laws_of(lattice, laws, disorder);
    for (u32 k = 0; k < SPIN_SUMS; k++)
        record.satisfied += sum_weight(own, k) * sums[k];
#define ROW(NAME, OP, VALUE) record.NAME = sums[SPIN_COLUMNS + CLUSTER_SUM_##NAME];
    CLUSTER_COUNTS(ROW)
#undef ROW
    u64 rest = lattice_sites(lattice) - vacant_sites(lattice, own);
    for (u32 state = 1; state < STATES; state++)
        rest -= sums[SPIN_SUMS + state];
    sums[SPIN_SUMS] = record.zeros = rest;
    for (u32 state = 0; state < STATES; state++) {
        const u64 sites = sums[SPIN_SUMS + state];
        record_add_state(&record, sites);
        record.satisfied += site_weight(own, state) * sites;
#ifdef DIRECTED
        record_add_direction(&record, sites,
                             own.matrix[matrix_cosines(PLANES, BOND_CLASSES) + state],
                             own.matrix[matrix_sines(PLANES, BOND_CLASSES) + state]);
#endif
    }
#ifdef VECTOR
    s64 along[3];
    for (u32 axis = 0; axis < 3; axis++) {
        along[axis] = -(s64)(VECTOR_RAISED * lattice_sites(lattice));
        for (u32 part = 0; part < VECTOR_PARTS; part++)
            along[axis] += (s64)(sums[VECTOR_PARTS * (1 + axis) + part] << VECTOR_SUM_BITS * part);
    }
    record.along_x = (u64)along[0];
    record.along_y = (u64)along[1];
    record.along_z = (u64)along[2];
#endif
    record_put(records, format & ~RECORD_BESIDES, &record);
    *updated = 0;
#endif
}
