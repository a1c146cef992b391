/* SPDX-License-Identifier: BSD-3-Clause */
/* Works on edges that cross a periodic boundary, once the clusters of the other edges are known, as
 * consolidate_wraps.cl does on a lattice. crossed has the numbers of these edges, and then those of
 * the vertices at the ends of open axes (src/core/boundary.h).
 *
 * Local memory: none. Work-group: SITE_ITEMS. */
#include "core/spins.clh"
#include "core/systems.clh"
#include "forest/splice.clh"
#include "graph/flatten.clh"

/* Lists the labels of both ends of each edge that crosses, NOWHERE twice where it is not active.
 * Sets open[FLATTEN_PASSES] to zero.
 *
 * One work-item: one edge. Global traffic: 20 bytes an edge, and for an active one two labels. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_wraps(lattice_args lattice, lattice_args bonds, global const u32 *crossed,
            global const u32 *active, global const uint2 *ends, volatile global label *labels,
            global label *pairs, global u32 *open, u32 count)
{
    const u32 k = get_global_id(0);
    if (k < FLATTEN_PASSES && get_group_id(1) == 0)
        open[k] = 0;
    if (k >= count)
        return;
    const u32 e = crossed[k];
    labels += REPLICA(lattice_sites(lattice));
    active += REPLICA(bonds.words);
    pairs += 2 * (REPLICA(count) + k);
    const bool is_active = active[e / 32] >> e % 32 & 1;
    pairs[0] = is_active ? label_read(labels, ends[e].x) : NOWHERE;
    pairs[1] = is_active ? label_read(labels, ends[e].y) : NOWHERE;
}

/* Lists the labels of vertices at the ends of open axes, NOWHERE for an empty one. from is the
 * first of them in crossed.
 *
 * One work-item: one vertex. Global traffic: 12 bytes, and a word of spins. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_wraps_ends(lattice_args lattice, global const u32 *crossed, u32 from,
                 global const spin_store *empty, volatile global label *labels,
                 global label *at_ends, u32 count)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    const u32 v = crossed[from + k];
    empty += REPLICA(spins_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    at_ends[REPLICA(count) + k] = spin_at(lattice, empty, v, 0) == 0 ? label_read(labels, v)
                                                                     : NOWHERE;
}

/* Unites the pairs that graph_wraps() listed.
 *
 * One work-item: one pair. Global traffic: 8 bytes, the walks to both roots, and an atomic
 * operation for each union. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_wraps_unite(lattice_args lattice, volatile global label *labels, global const label *pairs,
                  u32 count)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    labels += REPLICA(lattice_sites(lattice));
    pairs += 2 * (REPLICA(count) + k);
    if (pairs[0] != pairs[1])
        splice(labels, pairs[0], pairs[1]);
}
