/* SPDX-License-Identifier: BSD-3-Clause */
/* The clusters of a graph's active edges: the ends of each are united, and labels made flat. */
#include "core/lattice.clh"
#include "core/systems.clh"
#include "forest/splice.clh"
#include "graph/flatten.clh"

/* Unites the ends of the active edges, and sets open[FLATTEN_PASSES] to zero. The edges are kinds
 * parts of equal length, one after the other, such as those along each axis of a lattice: groups
 * take blocks of all parts in turn, so that those which run at the same time share labels. Any
 * number of parts is right. In percolation (SAMPLED), edges across periodic boundaries are left
 * for graph_wraps.cl: their bit of inner is 0.
 *
 * A group lists the active edges of its block first, so that all of its work-items unite: else most
 * would wait for the few of their SIMD lanes whose edge is active.
 *
 * One work-item: 32 edges. Work-group: SITE_ITEMS; as many groups as there are blocks, or more, a
 * multiple of kinds. Local memory: 2 bytes an edge. Global traffic: a bit an edge; of an active one
 * 8 bytes, the walks to the roots of both ends, and an atomic operation for each union. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
consolidate_graph(lattice_args lattice, lattice_args bonds, u32 kinds, global const u32 *active,
                  global const uint2 *ends, volatile global label *labels, global u32 *open
#ifdef SAMPLED
                  ,
                  global const u32 *inner
#endif
)
{
    local ushort listed[32 * SITE_ITEMS];
    local u32 count;
    const u32 group = get_group_id(0),
              block = group % kinds * (get_num_groups(0) / kinds) + group / kinds;
    const ulong w = (ulong)block * SITE_ITEMS + get_local_id(0);
    labels += REPLICA(lattice_sites(lattice));
    active += REPLICA(bonds.words);
    if (get_global_id(0) < FLATTEN_PASSES && get_group_id(1) == 0)
        open[get_global_id(0)] = 0;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 word = w < bonds.words ? active[w] & word_mask(bonds, w) : 0;
#ifdef SAMPLED
    word &= w < bonds.words ? inner[w] : 0;
#endif
    for (u32 at = atomic_add(&count, popcount(word)); word != 0; word &= word - 1)
        listed[at++] = 32 * get_local_id(0) + 31 - clz(word & -word);
    barrier(CLK_LOCAL_MEM_FENCE);
    ends += 32ul * block * SITE_ITEMS;
    for (u32 k = get_local_id(0); k < count; k += SITE_ITEMS) {
        const uint2 edge = ends[listed[k]];
        splice(labels, label_read(labels, edge.x), label_read(labels, edge.y));
    }
}

/* Makes labels flat, see flatten_labels(). One work-item: some vertices. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
consolidate_graph_flatten(lattice_args lattice, u32 pass, volatile global label *labels,
                          volatile global u32 *open)
{
    labels += REPLICA(lattice_sites(lattice));
    flatten_labels(lattice.nx, pass, labels, open);
}
