/* SPDX-License-Identifier: BSD-3-Clause */
/* Number of clusters and size of the largest in the border layout, from what a counted sweep leaves
 * there. */
#include "border/border.clh"
#include "core/gather.clh"
#include "core/systems.clh"

#define LANES (MEASURE_ITEMS < 32 ? MEASURE_ITEMS : 32u) /* work-items that read a tile's nodes */
#define AT_ONCE 2u                                       /* nodes that a work-item loads at once */

/* The size of a node's cluster if the node is a root; 0 for other nodes, whose sizes were added to
 * their roots. In subdomains the sizes of clusters at interfaces are counted elsewhere. */
#ifdef SUBDOMAIN
#define SIZE_THERE(node) (nodes[node].parent == (node) ? node_size(node_sizes, node) : 0)
#else
#define SIZE_THERE(node) node_size(node_sizes, node)
#endif

/* Counts the clusters: each group writes its CLUSTER_SUMS sums.
 *
 * One work-group: some tiles at a time. For the complete clusters each work-item reads the sums of
 * one tile; for the nodes LANES work-items read each tile. Work-group: MEASURE_ITEMS. Local memory:
 * 40 bytes a work-item. Global traffic, bytes a site: 4 for each node in use. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_border(u32 tiles, global const border_edge *edges, global const border_node *nodes,
               global const u32 *node_sizes, u32 slot, global u64 *sums)
{
    local u64 all[GATHER_ROOM], gathered[CLUSTER_SUMS];
    local u32 clusters[MEASURE_ITEMS];
    cluster_counts mine = {0};
    edges += REPLICA(tiles);
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    const u32 item = get_local_id(0), lane = item % LANES,
              some = clamp((tiles - 1) / (u32)get_num_groups(0) + 1, MEASURE_ITEMS / LANES,
                           (u32)MEASURE_ITEMS);
    for (u32 first = get_group_id(0) * some; first < tiles; first += get_num_groups(0) * some) {
        const u32 count = min(some, tiles - first);
        if (item < count) {
            global const border_edge *edge = &edges[first + item];
            clusters[item] = edge->clusters;
#define ROW(NAME, OP, VALUE) \
    mine.NAME = counted_##OP(mine.NAME, (u64)edge->inner[CLUSTER_SUM_##NAME]);
            BORDER_COUNTS(ROW)
#undef ROW
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = item / LANES; k < count; k += MEASURE_ITEMS / LANES)
            for (u32 n = lane; n < clusters[k]; n += AT_ONCE * LANES) {
                const u32 node = (first + k) * BORDER_NODES + n;
                u64 size[AT_ONCE];
#pragma unroll
                for (u32 j = 0; j < AT_ONCE; j++)
                    size[j] = n + j * LANES < clusters[k] ? SIZE_THERE(node + j * LANES) : 0;
#pragma unroll
                for (u32 j = 0; j < AT_ONCE; j++)
                    if (size[j] > 0)
                        add_cluster(&mine, size[j]);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    gather_counts(mine, all, gathered);
    write_sums(gathered, slot, sums);
}
