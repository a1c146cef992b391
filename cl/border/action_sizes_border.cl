/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the clusters of samples in the border layout by their sizes. Empty sites of SAMPLED_SITES
 * were counted as clusters of one site, and are taken out.
 *
 * One work-group: some tiles at a time, which LANES work-items each read. Work-group:
 * MEASURE_ITEMS.
 */
#include "border/nodes.clh"
#include "border/root_sizes.clh"
#include "core/size_counts.clh"
#include "core/spins.clh"
#include "core/systems.clh"

#define LANES (MEASURE_ITEMS < 32 ? MEASURE_ITEMS : 32u)

/* Nodes that are no roots add their sizes to those of their roots. Local memory: FLIP_PLACES places
 * of 8 bytes. Global traffic: for each node the walk to its root, and an atomic for some. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
action_sizes_border_join(u32 tiles, global const border_edge *edges,
                         global const border_node *nodes, global u32 *node_sizes)
{
    local u32 roots[FLIP_PLACES], sums[FLIP_PLACES];
    edges += REPLICA(tiles);
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    begin_sizes(roots, sums, MEASURE_ITEMS);
    for (u32 tile = get_global_id(0) / LANES; tile < tiles; tile += get_global_size(0) / LANES)
        for (u32 k = get_local_id(0) % LANES; k < edges[tile].clusters; k += LANES) {
            /* benign race "size of a root": another work-item may be adding to the size of a root,
             * but only sizes of nodes that are no roots are used */
            const u32 node = tile * BORDER_NODES + k, size = node_size_own(node_sizes, node),
                      root = node_top(nodes, node, tiles * BORDER_NODES);
            if (root != node) {
                add_size(node_sizes, root, size, roots, sums);
                node_size_set(node_sizes, node, 0);
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    end_sizes(node_sizes, roots, sums, MEASURE_ITEMS);
}

/* Returns how many sites of a row of a tile are empty. */
u32 empty_sites(lattice_args lattice, global const spin_store *empty, u32 w, u32 row)
{
#ifdef SAMPLED_SITES
    u32 planes[PLANES];
    spins_load(lattice, empty, w, row, planes);
    return popcount(planes[0] & word_mask(lattice, w));
#else
    return 0;
#endif
}

/* Each group writes its record. Local memory: 16 bytes a work-item and SIZE_CLASSES counters.
 * Global traffic: 4 bytes a node, the sums of each tile, and of sites a bit each. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
action_sizes_border(lattice_args lattice, u32 tiles, global const spin_store *empty,
                    global const border_edge *edges, global const u32 *node_sizes,
                    global size_record *records)
{
    local u64 all[GATHER_ROOM], sums[SIZE_SUMS];
    local u32 classes[SIZE_CLASSES];
    const u32 lane = get_local_id(0) % LANES;
    cluster_counts mine = {0};
    u64 sites = 0;
    empty += REPLICA(spins_length(lattice));
    edges += REPLICA(tiles);
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    records += REPLICA(get_num_groups(0)) + get_group_id(0);
    begin_classes(classes);
    for (u32 tile = get_global_id(0) / LANES; tile < tiles; tile += get_global_size(0) / LANES) {
        global const border_edge *edge = &edges[tile];
        const border_box box = border_box_of(lattice, tile);
        u32 absent = 0;
        for (u32 r = lane; r < BORDER_ROWS; r += LANES)
            if (border_has_row(box, r)) {
                const u32 row = border_row(lattice, box, r),
                          none = empty_sites(lattice, empty, box.w, row);
                sites += box.nx - none;
                absent += none;
            }
        if (absent > 0) {
            mine.clusters -= absent;
            mine.squares -= absent;
            atomic_add(&classes[0], 0 - absent);
        }
        if (lane == 0) {
            mine.clusters += edge->inner[CLUSTER_SUM_clusters];
            mine.squares += edge->inner[CLUSTER_SUM_squares_0];
            mine.largest = max(mine.largest, (u64)edge->inner[CLUSTER_SUM_largest]);
        }
        for (u32 k = lane; k < BORDER_CLASSES; k += LANES)
            if (edge->classes[k] > 0)
                atomic_add(&classes[k], edge->classes[k]);
        for (u32 k = lane; k < edge->clusters; k += LANES) {
            const u64 size = node_size(node_sizes, tile * BORDER_NODES + k);
            if (size > 0)
                count_size(&mine, classes, size);
        }
    }
    mine.sites = sites;
    write_record(mine, classes, all, sums, records);
    /* in tiles without occupied sites all clusters were empty sites */
    if (get_local_id(0) == 0 && sums[CLUSTER_SUM_sites] == 0)
        records->largest = 0;
}

/* Each group writes the number of its clusters in each of count classes of sizes, of lattices
 * whose sites 32 bits can count; empty sites are not taken out.
 *
 * Local memory: SIZE_CLASSES counters. Global traffic: 4 bytes a node, and the classes of each
 * tile. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
action_sizes_border_classes(u32 tiles, u32 count, global const border_edge *edges,
                            global const u32 *node_sizes, global s64 *sums)
{
    local u32 classes[SIZE_CLASSES];
    const u32 lane = get_local_id(0) % LANES;
    edges += REPLICA(tiles);
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * count;
    begin_classes(classes);
    for (u32 tile = get_global_id(0) / LANES; tile < tiles; tile += get_global_size(0) / LANES) {
        for (u32 k = lane; k < BORDER_CLASSES; k += LANES)
            if (edges[tile].classes[k] > 0)
                atomic_add(&classes[k], edges[tile].classes[k]);
        for (u32 k = lane; k < edges[tile].clusters; k += LANES) {
            const u32 size = node_size(node_sizes, tile * BORDER_NODES + k);
            if (size > 0)
                atomic_inc(&classes[31 - clz(size)]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); k < count; k += MEASURE_ITEMS)
        sums[k] = classes[k];
}
