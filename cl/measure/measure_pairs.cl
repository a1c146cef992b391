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

/* Returns the sites of word w of a row, as bits, whose spin equals that of the site at distance
 * along an axis. */
u32 equal_apart(lattice_args lattice, global const spin_store *spins, u32 axis, u32 distance, u32 w,
                u32 row)
{
    u32 planes[PLANES], others[PLANES],
        equal = axis == 0 ? apart_mask(lattice, distance, w) : word_mask(lattice, w);
    const u32 to = axis == 0 ? row : row_apart(lattice, axis, distance, row);
    if (to == NOWHERE)
        return 0;
    spins_load(lattice, spins, w, row, planes);
    if (axis == 0)
        spins_load_from(lattice, spins, (32 * w + distance) % lattice.nx, row, others);
    else
        spins_load(lattice, spins, w, to, others);
    for (u32 p = 0; p < PLANES; p++)
        equal &= ~(planes[p] ^ others[p]);
    return equal;
}

/* Counts pairs with equal spins.
 *
 * One work-item: every total-th word of 32 sites, for each distance. Work-group: MEASURE_ITEMS.
 * Local memory: 8 bytes a work-item. Global traffic, bytes a site: spins read twice for each
 * distance of each axis. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_pairs_spins(lattice_args lattice, global const spin_store *spins, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    spins += REPLICA(spins_length(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * pair_place(lattice, 3);
    for (u32 axis = 0; axis < AXES; axis++)
        for (u32 k = 0; k < pair_distances(lattice, axis); k++) {
            s64 mine = 0;
            for (ulong word = get_global_id(0); word < lattice_words(lattice);
                 word += get_global_size(0))
                mine += popcount(equal_apart(lattice, spins, axis, pair_distance(k),
                                             word % lattice.words, word / lattice.words));
            const s64 sum = group_sum(mine, all);
            if (get_local_id(0) == 0)
                *sums = sum;
            sums++;
        }
}

/* Counts pairs in one cluster. Labels must be flat (measure_fk.cl).
 *
 * One work-item: every total-th site, for each distance. Work-group: MEASURE_ITEMS. Local memory: 8
 * bytes a work-item. Global traffic, bytes a site: 8 for each distance of each axis. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_pairs_labels(lattice_args lattice, global const label *labels, global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    labels += REPLICA(lattice_sites(lattice));
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * pair_place(lattice, 3);
    for (u32 axis = 0; axis < AXES; axis++)
        for (u32 k = 0; k < pair_distances(lattice, axis); k++) {
            s64 mine = 0;
            for (ulong i = get_global_id(0); i < lattice_sites(lattice); i += get_global_size(0)) {
                const u32 x = i % lattice.nx, row = i / lattice.nx,
                          to_x = axis > 0 ? x : apart_along(lattice, 0, pair_distance(k), x),
                          to = axis > 0 ? row_apart(lattice, axis, pair_distance(k), row) : row;
                if (to_x != NOWHERE && to != NOWHERE)
                    mine += flat_root(labels, i) == flat_root(labels, to * lattice.nx + to_x);
            }
            const s64 sum = group_sum(mine, all);
            if (get_local_id(0) == 0)
                *sums = sum;
            sums++;
        }
}
