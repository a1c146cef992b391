/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts pairs of sites at the distances of pairs.clh along each axis that have equal spins, or are
 * in one cluster. Each group writes its sum for every distance. */
#include "core/group_sum.clh"
#include "core/labels.clh"
#include "measure/pairs.clh"
#include "core/spins.clh"
#include "core/systems.clh"

/* Returns the coordinate at distance from at on an axis; NOWHERE past an open end. */
u32 apart_along(lattice_args lattice, u32 axis, u32 distance, u32 at)
{
    const u32 size = lattice_size(lattice, axis);
    return at < size - distance                  ? at + distance
           : (lattice.periodic >> axis & 1) != 0 ? at - (size - distance)
                                                 : NOWHERE;
}

/* Returns the row at distance from row along y or z; NOWHERE past an open end. */
u32 row_apart(lattice_args lattice, u32 axis, u32 distance, u32 row)
{
    const u32 y = row % lattice.ny, z = row / lattice.ny,
              to = apart_along(lattice, axis, distance, axis == 1 ? y : z);
    return to == NOWHERE ? NOWHERE : axis == 1 ? z * lattice.ny + to : to * lattice.ny + y;
}

/* Returns the sites of word w, as bits, for which there is a site at distance along x. */
u32 apart_mask(lattice_args lattice, u32 distance, u32 w)
{
    const u32 last = lattice.nx - distance; /* open axis: sites below it have one */
    return (lattice.periodic & 1) || last >= 32 * w + 32 ? word_mask(lattice, w)
           : last > 32 * w                               ? (1u << (last - 32 * w)) - 1
                                                         : 0;
}

/* The number of distances that are counted in one pass over the lattice. */
#define TOGETHER 8u

/* Sets distances[TOGETHER] to those from number first on of count; past the last to the last. */
void distances_from(u32 first, u32 count, u32 distances[TOGETHER])
{
    for (u32 k = 0; k < TOGETHER; k++)
        distances[k] = pair_distance(min(first + k, count - 1));
}

/* Adds up what the work-items of the group counted for the distances from number first on of count,
 * and writes it to sums. */
void put_pairs(const s64 mine[TOGETHER], u32 first, u32 count, local s64 *all, global s64 *sums)
{
    group_sums_put(mine, min(TOGETHER, count - first), all, sums + first);
}

/* A work-item's way through the lattice: it takes every total-th place of rows that have columns
 * places. */
typedef struct walk {
    u32 column, columns, columns_on;
    ulong row, rows_on;
} walk;

walk walk_from_item(u32 columns)
{
    const ulong item = get_global_id(0), total = get_global_size(0);
    return (walk){item % columns, columns, total % columns, item / columns, total / columns};
}

walk walk_on(walk at)
{
    at.column += at.columns_on;
    at.row += at.rows_on;
    if (at.column >= at.columns) {
        at.column -= at.columns;
        at.row++;
    }
    return at;
}

/* Loads the sites at distance along x from those of word w of a row. */
void load_apart(lattice_args lattice, global const spin_store *spins, u32 distance, u32 w, u32 row,
                u32 planes[PLANES])
{
    const u32 last = lattice.words, bit = distance % 32, to = w + distance / 32;
    if (lattice.nx % 32 != 0) {
        spins_load_from(lattice, spins, (32 * w + distance) % lattice.nx, row, planes);
        return;
    }
    spins_load(lattice, spins, to < last ? to : to - last, row, planes);
    if (bit > 0) {
        u32 next[PLANES];
        spins_load(lattice, spins, to + 1 < last ? to + 1 : to + 1 - last, row, next);
        for (u32 p = 0; p < PLANES; p++)
            planes[p] = planes[p] >> bit | next[p] << (32 - bit);
    }
}

/* Returns how many sites of word w of a row, with planes, have the spin of the site at distance
 * along an axis. */
u32 equal_apart(lattice_args lattice, global const spin_store *spins, u32 axis, u32 distance, u32 w,
                u32 row, const u32 planes[PLANES])
{
    u32 others[PLANES],
        equal = axis == 0 ? apart_mask(lattice, distance, w) : word_mask(lattice, w);
    const u32 to = axis == 0 ? row : row_apart(lattice, axis, distance, row);
    if (to == NOWHERE)
        return 0;
    if (axis == 0)
        load_apart(lattice, spins, distance, w, row, others);
    else
        spins_load(lattice, spins, w, to, others);
    for (u32 p = 0; p < PLANES; p++)
        equal &= ~(planes[p] ^ others[p]);
    return popcount(equal);
}

/* Counts pairs with equal spins.
 *
 * One work-item: every total-th word of 32 sites, for TOGETHER distances at a time. Work-group:
 * MEASURE_ITEMS. Local memory: 8 bytes a work-item. Global traffic, bytes a site: spins read for
 * each distance of each axis, twice along x. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_pairs_spins(lattice_args lattice, global const spin_store *spins, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * pair_place(lattice, 3);
    for (u32 axis = 0; axis < AXES; axis++) {
        const u32 count = pair_distances(lattice, axis);
        for (u32 first = 0; first < count; first += TOGETHER) {
            s64 mine[TOGETHER] = {0};
            u32 distances[TOGETHER];
            distances_from(first, count, distances);
            for (walk at = walk_from_item(lattice.words); at.row < lattice_rows(lattice);
                 at = walk_on(at)) {
                u32 planes[PLANES];
                spins_load(lattice, spins, at.column, at.row, planes);
#pragma unroll
                for (u32 k = 0; k < TOGETHER; k++)
                    mine[k] += equal_apart(lattice, spins, axis, distances[k], at.column, at.row,
                                           planes);
            }
            put_pairs(mine, first, count, all, sums);
        }
        sums += count;
    }
}

/* Counts pairs in one cluster. Labels must be flat (measure_fk.cl).
 *
 * One work-item: every total-th site, for TOGETHER distances at a time. Work-group: MEASURE_ITEMS.
 * Local memory: 8 bytes a work-item. Global traffic, bytes a site: 4 for each distance of each
 * axis, and 4 for TOGETHER of them. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_pairs_labels(lattice_args lattice, global const label *labels, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    labels += REPLICA(lattice_sites(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * pair_place(lattice, 3);
    for (u32 axis = 0; axis < AXES; axis++) {
        const u32 count = pair_distances(lattice, axis);
        for (u32 first = 0; first < count; first += TOGETHER) {
            s64 mine[TOGETHER] = {0};
            u32 distances[TOGETHER];
            distances_from(first, count, distances);
            for (walk at = walk_from_item(lattice.nx); at.row < lattice_rows(lattice);
                 at = walk_on(at)) {
                const u32 x = at.column, row = at.row;
                const label root = flat_root(labels, row * lattice.nx + x);
#pragma unroll
                for (u32 k = 0; k < TOGETHER; k++) {
                    const u32 to_x = axis > 0 ? x : apart_along(lattice, 0, distances[k], x),
                              to = axis > 0 ? row_apart(lattice, axis, distances[k], row) : row;
                    if (to_x != NOWHERE && to != NOWHERE)
                        mine[k] += root == flat_root(labels, to * lattice.nx + to_x);
                }
            }
            put_pairs(mine, first, count, all, sums);
        }
        sums += count;
    }
}
