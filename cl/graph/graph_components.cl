/* SPDX-License-Identifier: BSD-3-Clause */
/* Connected components of a graph. The vertices are a forest of labels (labels.clh): when all edges
 * are united, the root of a component is its smallest vertex.
 *
 * Edges are united in rounds, each a part of all edges. A graph with many edges a vertex soon has
 * one component with most of its vertices, the large one. Between two rounds a bit for each vertex
 * says whether it is known to be in there. An edge with both its ends there needs nothing else, and
 * the bits fit into caches where the labels do not. Source of the idea: M. Sutton, T. Ben-Nun, A.
 * Barak, IPDPS 2018, p. 544 (Afforest), which samples the edges of each vertex. */
#include "forest/splice.clh"
#include "graph/flatten.clh"
#include "graph/graph_sizes.clh"

#define EDGES_GROUP (EDGES_EACH * SITE_ITEMS)
/* Vertices whose roots are compared to find the large component, and how many of them have to be in
 * there. */
#define SAMPLES SITE_ITEMS
#define SAMPLES_LEAST (SAMPLES / 4 + 1)

/* Makes each vertex a component. Work-item: a vertex. Writes 4 bytes a vertex. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_begin(u32 vertices, global label *labels)
{
    const ulong v = get_global_id(0);
    if (v < vertices)
        labels[v] = v;
}

/* Whether a vertex is known to be in the large component. */
bool is_inside(global const u32 *inside, u32 vertex)
{
    return inside[vertex / 32] >> vertex % 32 & 1;
}

/* Unites the ends of one round of edges: of each turn blocks of EDGES_GROUP edges that follow each
 * other, taken blocks from block first on. large[1] is the number of samples in the large
 * component, and inside has a bit for each vertex where these are enough. wrong[0] becomes 1 where
 * an end is no vertex.
 *
 * Work-group: a block. Local memory: none. Global traffic: 8 bytes an edge; two bits, or the walks
 * to the roots of both ends, and an atomic operation for each union. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_unite(u32 vertices, ulong edges, u32 first, u32 taken, u32 turn, global const uint2 *ends,
            global const u32 *large, global const u32 *inside, volatile global label *labels,
            volatile global u32 *wrong)
{
    const ulong group = get_group_id(0), block = group / taken * turn + first + group % taken,
                from = block * EDGES_GROUP + get_local_id(0);
    const bool known = large[1] >= SAMPLES_LEAST;
    uint2 edge[EDGES_EACH];
    bool open[EDGES_EACH];
    label a[EDGES_EACH], b[EDGES_EACH];
#pragma unroll
    for (u32 k = 0; k < EDGES_EACH; k++) {
        const ulong e = from + k * SITE_ITEMS;
        open[k] = e < edges;
        edge[k] = open[k] ? ends[e] : (uint2)(0, 0);
        if (max(edge[k].x, edge[k].y) >= vertices) {
            atomic_or(wrong, 1);
            open[k] = false;
        }
    }
    if (known) {
#pragma unroll
        for (u32 k = 0; k < EDGES_EACH; k++)
            open[k] = open[k] && !(is_inside(inside, edge[k].x) && is_inside(inside, edge[k].y));
    }
#pragma unroll
    for (u32 k = 0; k < EDGES_EACH; k++) {
        a[k] = open[k] ? label_read(labels, edge[k].x) : 0;
        b[k] = open[k] ? label_read(labels, edge[k].y) : 0;
    }
#pragma unroll
    for (u32 k = 0; k < EDGES_EACH; k++)
        if (a[k] != b[k])
            splice(labels, a[k], b[k]);
}

/* Makes labels flat, see flatten_labels(). Work-item: some vertices, the number of work-items
 * apart. Global traffic: 8 bytes a vertex, and the walk to the root. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_flatten(u32 vertices, u32 pass, volatile global label *labels, volatile global u32 *open)
{
    flatten_labels(vertices, pass, labels, open);
}

/* Finds the large component, of flat labels: large[0] becomes its root, large[1] the number of
 * samples in there. There is one work-group; work-item: a sample. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_find_large(u32 vertices, global const label *labels, global u32 *large)
{
    local u32 roots[SAMPLES], counts[SAMPLES];
    const u32 item = get_local_id(0);
    const u32 root = labels[(ulong)vertices * item / SAMPLES];
    u32 equal = 0;
    roots[item] = root;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = 0; k < SAMPLES; k++)
        equal += roots[k] == root;
    counts[item] = equal;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item != 0)
        return;
    u32 best = 0;
    for (u32 k = 1; k < SAMPLES; k++)
        if (counts[k] > counts[best])
            best = k;
    large[0] = roots[best];
    large[1] = counts[best];
}

/* Writes a bit for each vertex: with roots whether it is a root, else whether it is in the large
 * component. labels are flat. Work-item: a word of 32 vertices. Global traffic: 4 bytes a vertex.
 */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_mark(u32 vertices, u32 roots, global const label *labels, global const u32 *large,
           global u32 *bits)
{
    const ulong first = 32 * get_global_id(0);
    const u32 root = large[0];
    u32 word = 0;
    if (first >= vertices)
        return;
    for (u32 k = 0; k < 32 && first + k < vertices; k++)
        word |= (u32)(labels[first + k] == (roots ? (u32)first + k : root)) << k;
    bits[first / 32] = word;
}

/* Writes the number of each vertex's component: 0, 1, .. in the order of their first vertices.
 * ranks are those of action_number_count.cl for the bits of roots. Work-item: a vertex. Global
 * traffic: 8 bytes a vertex, and the rank of its root. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_number(u32 vertices, global const label *labels, global const uint2 *ranks,
             global u32 *numbers)
{
    const ulong v = get_global_id(0);
    if (v >= vertices)
        return;
    const u32 root = labels[v];
    const uint2 rank = ranks[root / 32];
    numbers[v] = rank.x + popcount(rank.y & ((1u << root % 32) - 1));
}
