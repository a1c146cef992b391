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

/* A work-item's way through rows that have columns places: it takes every total-th place. */
typedef struct walk {
    u32 column, columns, columns_on, row, rows_on;
} walk;

walk walk_of(u32 columns, u32 item, u32 total)
{
    return (walk){item % columns, columns, total % columns, item / columns, total / columns};
}

walk walk_from_item(u32 columns)
{
    return walk_of(columns, get_global_id(0), get_global_size(0));
}

/* The next place; row NOWHERE is past all rows. */
walk walk_on(walk at)
{
    u32 rows = at.rows_on;
    at.column += at.columns_on;
    if (at.column >= at.columns) {
        at.column -= at.columns;
        rows++;
    }
    at.row += min(rows, NOWHERE - at.row);
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

/* Labels in local memory. */
#define LINE_LABELS (LINE_BYTES / 4u)

/* Distances that fit: TOGETHER have the largest one 8, twice as many 32, and so on four times as
 * far, up to half of the labels. */
#if LINE_BYTES >= 16384
#define NEAR_MOST (5 * TOGETHER)
#elif LINE_BYTES >= 4096
#define NEAR_MOST (4 * TOGETHER)
#else
#define NEAR_MOST PAIRS_NEAR
#endif

/* Unrolled loops keep a work-item's counters in registers. Processors need no registers for them,
 * and PoCL would compile these loops for minutes (seen, 3.1). */
#ifdef THREADS
#define UNROLL_COUNTERS
#else
#define UNROLL_COUNTERS _Pragma("unroll")
#endif

/* How lines of sites along an axis are cut into pieces that fit into local memory: a piece has the
 * sites of which pairs are counted, and after them those that are up to reach away. A group takes a
 * bundle of lines at a time, several if they are short, else one piece of one line. */
typedef struct pieces {
    u32 size, stride; /* sites of a line, and places from one to the next */
    u32 near, reach;  /* distances that fit, and the largest of those counted together with them */
    u32 length, span; /* sites of a piece, without and with those after it */
    u32 cuts;         /* pieces of a line */
    u32 lines, bundle, bundles; /* lines, those of a bundle at most, and bundles */
    bool around;
} pieces;

pieces pieces_along(lattice_args lattice, u32 axis, u32 count, u32 stride)
{
    pieces of = {.size = lattice_size(lattice, axis),
                 .stride = stride,
                 .near = min(count, NEAR_MOST),
                 .around = (lattice.periodic >> axis & 1) != 0};
    of.reach = of.near > 0 ? pair_distance((of.near - 1) / TOGETHER * TOGETHER + TOGETHER - 1) : 0;
    of.length = min(of.size, LINE_LABELS - of.reach);
    of.span = of.length + of.reach;
    of.cuts = (of.size - 1) / of.length + 1;
    of.lines = lattice_sites(lattice) / of.size;
    of.bundle = min(LINE_LABELS / of.span, (of.lines - 1) / (u32)get_num_groups(0) + 1);
    of.bundles = of.near > 0 ? ((of.lines - 1) / of.bundle + 1) * of.cuts : 0;
    return of;
}

/* The number of lines of a bundle. */
u32 lines_of(pieces of, u32 bundle)
{
    return min(of.bundle, of.lines - bundle / of.cuts * of.bundle);
}

/* Copies the roots of a bundle to line, span for each of its lines, NOWHERE where there is no site:
 * past an open end, and once around. Neighbouring work-items take neighbouring sites of the
 * lattice. */
void load_lines(global const label *labels, pieces of, u32 bundle, local label *line)
{
    const u32 lines = lines_of(of, bundle), first = bundle / of.cuts * of.bundle,
              start = bundle % of.cuts * of.length, layer = first / of.stride,
              column = first % of.stride;
    const bool along = of.stride == 1;
    for (walk at = walk_of(along ? of.span : lines, get_local_id(0), MEASURE_ITEMS);
         at.row < (along ? lines : of.span); at = walk_on(at)) {
        const u32 which = along ? at.row : at.column, place = along ? at.column : at.row;
        u32 coordinate = start + place, to = along ? 0 : column + which,
            above = along ? layer + which : layer;
        if (to >= of.stride) {
            above += to / of.stride;
            to %= of.stride;
        }
        if (of.around && coordinate >= of.size)
            coordinate -= of.size; /* once: sites further on are not asked for */
        line[which * of.span + place] = coordinate < of.size
                                            ? flat_root(labels,
                                                        (above * of.size + coordinate) * of.stride +
                                                            to)
                                            : NOWHERE;
    }
}

/* Adds to mine the pairs of a bundle. */
void count_lines(pieces of, u32 bundle, local const label *line, u32 mine[NEAR_MOST])
{
    const u32 length = min(of.length, of.size - bundle % of.cuts * of.length);
    for (walk at = walk_of(length, get_local_id(0), MEASURE_ITEMS); at.row < lines_of(of, bundle);
         at = walk_on(at)) {
        local const label *from = line + at.row * of.span + at.column;
        const label root = from[0];
        UNROLL_COUNTERS
        for (u32 first = 0; first < NEAR_MOST; first += TOGETHER)
            if (first < of.near) {
#pragma unroll
                for (u32 k = 0; k < TOGETHER; k++)
                    mine[first + k] += root == from[pair_distance(first + k)];
            }
    }
}

/* The number of counters of all work-items that fit into local memory, and how many times that is
 * all of them. */
#define LINE_COUNTERS (LINE_LABELS / MEASURE_ITEMS)
#define LINE_ROUNDS ((NEAR_MOST - 1) / LINE_COUNTERS + 1)

/* Work-items that add up the counters for one distance. */
#define ADDERS (MEASURE_ITEMS > 32 ? MEASURE_ITEMS / 32 : 1)

/* Writes what the work-items of the group counted, mine, to sums, for all distances of pieces: in
 * local memory, where line[item] of a distance is what an item counted, then what an adder found.
 * No sum is larger than the number of sites. */
void put_near(pieces of, u32 mine[NEAR_MOST], local u32 *line, global s64 *sums)
{
    const u32 item = get_local_id(0), adder = item % ADDERS;
#pragma unroll
    for (u32 round = 0; round < LINE_ROUNDS; round++) {
        const u32 first = round * LINE_COUNTERS, end = min(of.near, first + LINE_COUNTERS);
        UNROLL_COUNTERS
        for (u32 k = 0; k < NEAR_MOST; k++)
            if (k >= first && k < end)
                line[(k - first) * MEASURE_ITEMS + item] = mine[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = item / ADDERS; first + k < end; k += MEASURE_ITEMS / ADDERS) {
            u32 sum = 0;
            for (u32 j = adder; j < MEASURE_ITEMS; j += ADDERS)
                sum += line[k * MEASURE_ITEMS + j];
            line[k * MEASURE_ITEMS + adder] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = item; first + k < end; k += MEASURE_ITEMS) {
            s64 sum = 0;
            for (u32 j = 0; j < ADDERS; j++)
                sum += line[k * MEASURE_ITEMS + j];
            sums[first + k] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Counts pairs in one cluster at the distances that fit into local memory. Labels must be flat
 * (measure_fk.cl).
 *
 * One group: every total-th bundle of lines, for all of these distances. Work-group: MEASURE_ITEMS.
 * Local memory: LINE_BYTES. Global traffic, bytes a site: 4 to 8 for each axis, which are read in
 * sectors if the lines are not along x. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_pairs_near(lattice_args lattice, global const label *labels, global s64 *sums)
{
    local label line[LINE_LABELS];
    labels += REPLICA(lattice_sites(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * pair_place(lattice, 3);
    u32 stride = 1;
    for (u32 axis = 0; axis < AXES; axis++) {
        const u32 count = pair_distances(lattice, axis);
        const pieces of = pieces_along(lattice, axis, count, stride);
        u32 mine[NEAR_MOST] = {0};
        for (u32 bundle = get_group_id(0); bundle < of.bundles; bundle += get_num_groups(0)) {
            load_lines(labels, of, bundle, line);
            barrier(CLK_LOCAL_MEM_FENCE);
            count_lines(of, bundle, line, mine);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        put_near(of, mine, line, sums);
        sums += count;
        stride *= of.size;
    }
}

/* Counts pairs in one cluster at all other distances. Labels must be flat.
 *
 * One work-item: every total-th site, for TOGETHER distances at a time. Work-group: MEASURE_ITEMS.
 * Local memory: 8 bytes a work-item. Global traffic, bytes a site: 4 for each distance of each
 * axis, and 4 for TOGETHER of them. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_pairs_far(lattice_args lattice, global const label *labels, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    labels += REPLICA(lattice_sites(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * pair_place(lattice, 3);
    u32 stride = 1;
    for (u32 axis = 0; axis < AXES; axis++) {
        const u32 count = pair_distances(lattice, axis);
        for (u32 first = min(count, NEAR_MOST); first < count; first += TOGETHER) {
            const distances of = distances_from(lattice, axis, first, count, stride);
            u32 mine[TOGETHER] = {0};
            for (walk at = walk_from_item(lattice.nx); at.row < lattice_rows(lattice);
                 at = walk_on(at)) {
                const u32 i = at.row * lattice.nx + at.column,
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
        stride *= lattice_size(lattice, axis);
    }
}
