/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts pairs of sites at the distances of pairs.clh along each axis that have equal spins, or are
 * in one cluster. Each group writes its sum for every distance. */
#include "core/group_sum.clh"
#include "core/labels.clh"
#include "measure/pairs.clh"
#include "core/spins.clh"
#include "core/systems.clh"

/* The number of distances that are counted in one pass over the lattice. */
#define TOGETHER 8u

/* How to come from sites to those at some distances along an axis: a site with a coordinate below
 * limit has its partner ahead places further on, any other one behind places before, or none where
 * the axis is open. */
typedef struct distances {
    u32 limit[TOGETHER], ahead[TOGETHER], behind[TOGETHER];
    bool around;
} distances;

/* Returns the distances from number first on of count; past the last there is the last. Places
 * along the axis are stride apart. */
distances distances_from(lattice_args lattice, u32 axis, u32 first, u32 count, u32 stride)
{
    const u32 size = lattice_size(lattice, axis);
    distances of = {.around = (lattice.periodic >> axis & 1) != 0};
#pragma unroll
    for (u32 k = 0; k < TOGETHER; k++) {
        const u32 distance = pair_distance(min(first + k, count - 1));
        of.limit[k] = size - distance;
        of.ahead[k] = distance * stride;
        of.behind[k] = (size - distance) * stride;
    }
    return of;
}

/* Returns the place of the partner, for distance k, of the site at a place and coordinate; place
 * itself past an open end. */
u32 partner_of(distances of, u32 k, u32 place, u32 coordinate)
{
    return coordinate < of.limit[k] ? place + of.ahead[k]
           : of.around              ? place - of.behind[k]
                                    : place;
}

/* Whether there is a partner. */
bool has_partner(distances of, u32 k, u32 coordinate)
{
    return of.around || coordinate < of.limit[k];
}

/* Returns the sites of word w, as bits, for which there is a site at distance along x. */
u32 apart_mask(lattice_args lattice, u32 distance, u32 w)
{
    const u32 last = lattice.nx - distance; /* open axis: sites below it have one */
    return (lattice.periodic & 1) || last >= 32 * w + 32 ? word_mask(lattice, w)
           : last > 32 * w                               ? (1u << (last - 32 * w)) - 1
                                                         : 0;
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

/* Returns the coordinate of a row on axis y or z. */
u32 row_coordinate(lattice_args lattice, u32 axis, u32 row)
{
    return axis == 1 ? row % lattice.ny : row / lattice.ny;
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

/* Returns how many sites of a word, those of mask, have the spin of their partner. */
u32 equal_sites(const u32 planes[PLANES], const u32 others[PLANES], u32 mask)
{
    for (u32 p = 0; p < PLANES; p++)
        mask &= ~(planes[p] ^ others[p]);
    return popcount(mask);
}

/* Adds to mine the pairs of word w of a row, with planes, along an axis. */
void count_word(lattice_args lattice, global const spin_store *spins, u32 axis, distances of, u32 w,
                u32 row, const u32 planes[PLANES], u32 mine[TOGETHER])
{
    u32 others[PLANES];
    if (axis == 0) {
#pragma unroll
        for (u32 k = 0; k < TOGETHER; k++) {
            load_apart(lattice, spins, of.ahead[k], w, row, others);
            mine[k] += equal_sites(planes, others, apart_mask(lattice, of.ahead[k], w));
        }
        return;
    }
    const u32 coordinate = row_coordinate(lattice, axis, row), mask = word_mask(lattice, w);
#pragma unroll
    for (u32 k = 0; k < TOGETHER; k++) {
        spins_load(lattice, spins, w, partner_of(of, k, row, coordinate), others);
        mine[k] += equal_sites(planes, others, has_partner(of, k, coordinate) ? mask : 0);
    }
}

/* Adds up what the work-items of the group counted for count distances, and writes it to sums. */
void put_pairs(const u32 mine[TOGETHER], u32 count, local s64 *all, global s64 *sums)
{
#pragma unroll
    for (u32 k = 0; k < TOGETHER; k++) {
        const s64 sum = group_sum(mine[k], all);
        if (get_local_id(0) == 0 && k < count)
            sums[k] = sum;
    }
}

/* Counts pairs with equal spins.
 *
 * One work-item: every total-th word of 32 sites, for TOGETHER distances at a time. It counts
 * in 32 bits, as it has less than 2^32 sites. Work-group: MEASURE_ITEMS. Local memory: 8 bytes a
 * work-item. Global traffic, bytes a site: spins read for each distance of each axis, twice along
 * x. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_pairs_spins(lattice_args lattice, global const spin_store *spins, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * pair_place(lattice, 3);
    for (u32 axis = 0; axis < AXES; axis++) {
        const u32 count = pair_distances(lattice, axis);
        for (u32 first = 0; first < count; first += TOGETHER) {
            const distances of = distances_from(lattice, axis, first, count,
                                                axis == 2 ? lattice.ny : 1);
            u32 mine[TOGETHER] = {0};
            for (walk at = walk_from_item(lattice.words); at.row < lattice_rows(lattice);
                 at = walk_on(at)) {
                u32 planes[PLANES];
                spins_load(lattice, spins, at.column, at.row, planes);
                count_word(lattice, spins, axis, of, at.column, at.row, planes, mine);
            }
            put_pairs(mine, count - first, all, sums + first);
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
        const u32 count = pair_distances(lattice, axis), stride = axis == 0 ? 1
                                                                  : axis == 1
                                                                      ? lattice.nx
                                                                      : lattice.nx * lattice.ny;
        for (u32 first = 0; first < count; first += TOGETHER) {
            const distances of = distances_from(lattice, axis, first, count, stride);
            u32 mine[TOGETHER] = {0};
            for (walk at = walk_from_item(lattice.nx); at.row < lattice_rows(lattice);
                 at = walk_on(at)) {
                const u32 i = (u32)at.row * lattice.nx + at.column,
                          coordinate = axis == 0 ? at.column
                                                 : row_coordinate(lattice, axis, at.row);
                const label root = flat_root(labels, i);
#pragma unroll
                for (u32 k = 0; k < TOGETHER; k++)
                    mine[k] += has_partner(of, k, coordinate) &
                               (root == flat_root(labels, partner_of(of, k, i, coordinate)));
            }
            put_pairs(mine, count - first, all, sums + first);
        }
        sums += count;
    }
}
