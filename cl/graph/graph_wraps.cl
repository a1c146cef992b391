/* SPDX-License-Identifier: BSD-3-Clause */
/* Works on edges that cross a periodic boundary, once the clusters of the other edges are known, as
 * consolidate_wraps.cl does on a lattice. crossed has the numbers of these edges and how each winds
 * around each axis, and then those of the vertices at the ends of open axes with the ends
 * (src/core/boundary.h). open has FLATTEN_PASSES words, and a word for each replica, which becomes
 * what windings.clh finds.
 *
 * Local memory: none. Work-group: SITE_ITEMS. */
#include "core/spins.clh"
#include "core/systems.clh"
#include "forest/splice.clh"
#if defined LONG_ATOMICS && defined WINDS
#include "forest/windings.clh"
#define FINDS_WINDINGS
#endif
#include "graph/crossing.clh"
#include "graph/flatten.clh"

/* Lists the labels of both ends of each edge that crosses, NOWHERE twice where it is not active.
 * Sets open to zero.
 *
 * One work-item: one edge. Global traffic: 24 bytes an edge, and for an active one two labels. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_wraps(lattice_args lattice, lattice_args bonds, global const uint2 *crossed,
            global const u32 *active, global const uint2 *ends, global const label *labels,
            global label *pairs, global u32 *open, global u64 *links, u32 count)
{
    const u32 k = get_global_id(0);
    if (k < FLATTEN_PASSES && get_group_id(1) == 0)
        open[k] = 0;
    if (k == 0)
        open[FLATTEN_PASSES + REPLICA(1)] = 0;
    if (k >= count)
        return;
    const u32 e = crossed[k].x;
    labels += REPLICA(lattice_sites(lattice));
    active += REPLICA(bonds.words);
    pairs += 2 * (REPLICA(count) + k);
    const bool is_active = active[e / 32] >> e % 32 & 1;
    pairs[0] = is_active ? flat_root(labels, ends[e].x) : NOWHERE;
    pairs[1] = is_active ? flat_root(labels, ends[e].y) : NOWHERE;
#ifdef FINDS_WINDINGS
    links += REPLICA(lattice_sites(lattice));
    if (is_active) {
        winding_begin(links, pairs[0]);
        winding_begin(links, pairs[1]);
    }
#endif
}

/* Lists the labels of vertices at the ends of open axes, NOWHERE for an empty one. from is the
 * first of them in crossed.
 *
 * One work-item: one vertex. Global traffic: 16 bytes, and a word of spins. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_wraps_ends(lattice_args lattice, global const uint2 *crossed, u32 from,
                 global const spin_store *empty, global const label *labels, global label *at_ends,
                 global u64 *links, u32 count)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    const u32 v = crossed[(ulong)from + k].x;
    const bool occupied = spin_at(lattice, empty + REPLICA(spins_length(lattice)), v, 0) == 0;
    const label at = occupied ? flat_root(labels + REPLICA(lattice_sites(lattice)), v) : NOWHERE;
    at_ends[REPLICA(count) + k] = at;
#ifdef FINDS_WINDINGS
    if (occupied)
        winding_begin(links + REPLICA(lattice_sites(lattice)), at);
#endif
}

/* Unites the pairs that graph_wraps() listed, and finds the clusters that wrap.
 *
 * One work-item: one pair. Global traffic: 8 bytes, the walks to both roots, and an atomic
 * operation for each union; and as much to find clusters that wrap. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_wraps_unite(lattice_args lattice, global const uint2 *crossed, volatile global label *labels,
                  global const label *pairs, volatile global u64 *links, volatile global u32 *open,
                  u32 count)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    labels += REPLICA(lattice_sites(lattice));
    pairs += 2 * (REPLICA(count) + k);
    if (pairs[0] == NOWHERE)
        return;
    splice(labels, pairs[0], pairs[1]);
#ifdef FINDS_WINDINGS
    int steps[WINDS];
#pragma unroll
    for (u32 axis = 0; axis < WINDS; axis++)
        steps[axis] = crossing_along(crossed[k].y, axis);
    winding_bond(steps, links + REPLICA(lattice_sites(lattice)), pairs[0], pairs[1],
                 open + FLATTEN_PASSES + REPLICA(1));
#endif
}

/* Finds the clusters that span open axes, where the device finds those that wrap.
 *
 * One work-item: one vertex of graph_wraps_ends(). Global traffic: 12 bytes and a walk to a root.
 */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_wraps_spans(lattice_args lattice, global const uint2 *crossed, u32 from,
                  global const label *at_ends, volatile global u64 *links,
                  volatile global u32 *open, u32 count)
{
#ifdef FINDS_WINDINGS
    const u32 k = get_global_id(0);
    if (k >= count || at_ends[REPLICA(count) + k] == NOWHERE)
        return;
    for (u32 bit = 0; bit < 2 * WINDS; bit++)
        if (crossed[(ulong)from + k].y >> bit & 1)
            winding_end(links + REPLICA(lattice_sites(lattice)), at_ends[REPLICA(count) + k],
                        bit / 2, bit % 2, open + FLATTEN_PASSES + REPLICA(1));
#endif
}
