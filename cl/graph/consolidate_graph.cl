/* SPDX-License-Identifier: BSD-3-Clause */
/* The clusters of a graph's active edges: the ends of each are united, and labels made flat. */
#include "core/lattice.clh"
#include "core/systems.clh"
#include "forest/splice.clh"
#include "graph/flatten.clh"

/* Unites the ends of the active edges, and sets open[FLATTEN_PASSES] to zero. The edges are kinds
 * parts of equal length, one after the other, such as those along each axis of a lattice: groups
 * take blocks of all parts in turn, so that those which run at the same time share labels. Any
 * number of parts is right. Of SAMPLED edges, those of percolation, the ones that inner has not are
 * left out.
 *
 * One work-item: EDGES_EACH edges, SITE_ITEMS apart. Work-group: SITE_ITEMS; as many groups as
 * there are blocks, or more, a multiple of kinds. Local memory: none.
 * Global traffic: a bit an edge; of an active one 8 bytes, the walks to the roots of both ends, and
 * an atomic operation for each union. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
consolidate_graph(lattice_args lattice, lattice_args bonds, u32 kinds, global const u32 *active,
                  global const uint2 *ends, volatile global label *labels, global u32 *open
#ifdef SAMPLED
                  ,
                  global const u32 *inner
#endif
)
{
    const u32 group = get_group_id(0),
              block = group % kinds * (get_num_groups(0) / kinds) + group / kinds;
    const ulong from = (ulong)block * EDGES_EACH * SITE_ITEMS + get_local_id(0);
    label a[EDGES_EACH], b[EDGES_EACH];
    labels += REPLICA(lattice_sites(lattice));
    active += REPLICA(bonds.words);
    if (get_global_id(0) < FLATTEN_PASSES && get_group_id(1) == 0)
        open[get_global_id(0)] = 0;
#pragma unroll
    for (u32 k = 0; k < EDGES_EACH; k++) {
        const ulong e = from + k * SITE_ITEMS;
        bool is_active = e < bonds.nx && (active[e / 32] >> e % 32 & 1);
#ifdef SAMPLED
        is_active = is_active && (inner[e / 32] >> e % 32 & 1);
#endif
        const uint2 edge = is_active ? ends[e] : (uint2)(0, 0);
        a[k] = is_active ? label_read(labels, edge.x) : 0;
        b[k] = is_active ? label_read(labels, edge.y) : 0;
    }
#pragma unroll
    for (u32 k = 0; k < EDGES_EACH; k++)
        if (a[k] != b[k])
            splice(labels, a[k], b[k]);
}

/* Makes labels flat, see flatten_labels(). One work-item: some vertices. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
consolidate_graph_flatten(lattice_args lattice, u32 pass, volatile global label *labels,
                          volatile global u32 *open)
{
    labels += REPLICA(lattice_sites(lattice));
    flatten_labels(lattice.nx, pass, labels, open);
}
