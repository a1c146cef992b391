/* Number of clusters and size of the largest on the border layout, from what sweeps that are
 * counted leave there. The forest is flat. */
#include "border.clh"
#include "gather.clh"
#include "systems.clh"

#define PLACES (TABLE_BYTES / 8)
#define LANES (MEASURE_ITEMS < 32 ? MEASURE_ITEMS : 32u) /* work-items that look at a tile */

/* The tiles of a work-group are squares of so many along each edge, so that there is about one for
 * each group. */
u32 square_edge(u32 tiles)
{
    u32 edge = 1;
    while (edge * edge < (tiles - 1) / get_num_groups(0) + 1)
        edge++;
    return edge;
}

/* Adds the sizes of nodes that are no roots to those of their roots. They are added in local memory
 * first, in a table where each root has one place that it can have: else all would add to the
 * largest cluster at once, which has nodes in nearly all tiles.
 *
 * One work-group: squares of tiles, in which most of the smaller clusters are whole. Work-group:
 * MEASURE_ITEMS. Local memory: TABLE_BYTES. Global traffic, bytes a site: those of the nodes that
 * are in use, 12 each, and an atomic for each root and square, or some more. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_border_sizes(lattice_args lattice, u32 tiles, global const border_edge *edges,
                     global const border_node *nodes, volatile global u32 *node_sizes)
{
    local u32 roots[PLACES], sums[PLACES];
    edges += REPLICA(tiles);
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    const u32 lane = get_local_id(0) % LANES, edge = square_edge(tiles);
    const u32 across = (lattice.words - 1) / edge + 1,
              squares = across * ((border_down(lattice) - 1) / edge + 1);
    for (u32 square = get_group_id(0); square < squares; square += get_num_groups(0)) {
        for (u32 k = get_local_id(0); k < PLACES; k += MEASURE_ITEMS) {
            roots[k] = NOWHERE;
            sums[k] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = get_local_id(0) / LANES; k < edge * edge; k += MEASURE_ITEMS / LANES) {
            const u32 column = square % across * edge + k % edge,
                      line = square / across * edge + k / edge,
                      tile = line * lattice.words + column;
            if (column >= lattice.words || line >= border_down(lattice))
                continue;
            for (u32 node = tile * BORDER_NODES + lane;
                 node < tile * BORDER_NODES + edges[tile].clusters; node += LANES) {
                u32 root = nodes[node].parent;
                u32 place = root * 0x9E3779B9u / (0xFFFFFFFFu / PLACES + 1);
                if (root == node)
                    continue;
                u32 there = atomic_cmpxchg(&roots[place], NOWHERE, root);
                if (there == NOWHERE || there == root)
                    atomic_add(&sums[place], (u32)node_size((global const u32 *)node_sizes, node));
                else
                    node_size_add(node_sizes, root,
                                  (u32)node_size((global const u32 *)node_sizes, node));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = get_local_id(0); k < PLACES; k += MEASURE_ITEMS)
            if (sums[k] > 0)
                node_size_add(node_sizes, roots[k], sums[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Counts the clusters: each group writes its CLUSTER_SUMS sums.
 *
 * One work-item: every total-th node. Work-group: MEASURE_ITEMS. Local memory: 8 bytes
 * a work-item. Global traffic, bytes a site: those of the nodes that are in use, 12 each. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_border(u32 tiles, global const border_edge *edges, global const border_node *nodes,
               global const u32 *node_sizes, u32 slot, global u64 *sums)
{
    local u64 all[MEASURE_ITEMS], gathered[CLUSTER_SUMS];
    cluster_counts mine = {0};
    edges += REPLICA(tiles);
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    const u32 lane = get_global_id(0) % LANES;
    for (u32 tile = get_global_id(0) / LANES; tile < tiles; tile += get_global_size(0) / LANES) {
        if (lane == 0) {
#define ROW(NAME, OP, VALUE) \
    mine.NAME = counted_##OP(mine.NAME, (u64)edges[tile].inner[CLUSTER_SUM_##NAME]);
            TILE_COUNTS(ROW)
#undef ROW
        }
        for (u32 node = tile * BORDER_NODES + lane;
             node < tile * BORDER_NODES + edges[tile].clusters; node += LANES)
            if (nodes[node].parent == node)
                mine = with_cluster(mine, node_size(node_sizes, node));
    }
    gather_counts(mine, all, gathered);
    write_sums(gathered, slot, sums);
}
