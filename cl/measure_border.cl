/* Number of clusters and size of the largest on the border layout, from what counting sweeps left there.
 *
 * One work-item: every total-th node. Work-group: MEASURE_ITEMS. Local memory: two counters.
 * Global traffic, bytes a site: those of the nodes that are in use, 12 each. Each group writes {clusters, largest}. */
#include "border.clh"

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1)))
void measure_border(u32 tiles, global const border_edge *edges, global const border_node *nodes, global const u32 *node_sizes, global u32 *sums)
{
    local u32 clusters, largest;
    if (get_local_id(0) == 0)
        clusters = largest = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 roots = 0, most = 0;
    for (u32 tile = get_global_id(0) / 32; tile < tiles; tile += get_global_size(0) / 32) {
        u32 lane = get_global_id(0) % 32;
        if (lane == 0) {
            roots += edges[tile].inner;
            most = max(most, edges[tile].inner_largest);
        }
        for (u32 node = tile * BORDER_NODES + lane; node < tile * BORDER_NODES + edges[tile].clusters; node += 32)
            if (nodes[node].parent == node) {
                roots++;
                most = max(most, node_sizes[node]);
            }
    }
    atomic_add(&clusters, roots);
    atomic_max(&largest, most);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        sums[2 * get_group_id(0)] = clusters;
        sums[2 * get_group_id(0) + 1] = largest;
    }
}
