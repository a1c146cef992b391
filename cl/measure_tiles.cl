/* Clusters counted from what local labelling has counted of tiles (tile_clusters.clh): a work-item
 * looks at some of a tile's clusters that have bonds to other tiles, LANES of them at each tile.
 * Work-group: MEASURE_ITEMS. */
#include "gather.clh"
#include "labels.clh"
#include "lattice.clh"
#include "sum_table.clh"
#include "systems.clh"
#include "tile.clh"
#include "tile_clusters.clh"

#define LANES (MEASURE_ITEMS < 32 ? MEASURE_ITEMS : 32u) /* work-items that look at a tile */
#define AT_ONCE 4u                                       /* clusters that a work-item waits for */

#define TOGETHER (MEASURE_ITEMS / LANES) /* tiles that a group looks at */

/* For the clusters of a tile that are the work-item's: of count the k-th, k + LANES, ..,
 * AT_ONCE at a time. */
#define FOR_CLUSTERS(k, count) \
    for (u32 k = get_local_id(0) % LANES; k < (count); k += AT_ONCE * LANES)

/* Adds sizes to the roots of clusters number k, k + LANES, .. of a tile's count. */
void add_clusters(lattice_args lattice, tile_box box, global const u32 *listed, u32 k, u32 count,
                  volatile global label *labels, local u32 *keys, local u32 *sums)
{
    label own[AT_ONCE], root[AT_ONCE];
    u32 size[AT_ONCE], open;
#pragma unroll
    for (u32 j = 0; j < AT_ONCE; j++) {
        const bool there = k + j * LANES < count;
        const u32 cluster = there ? listed[k + j * LANES] : 0;
        own[j] = root[j] = tile_site(lattice, box, tile_cluster_root(cluster));
        size[j] = there ? tile_cluster_size(cluster) : 0;
    }
    do {
        open = 0;
#pragma unroll
        for (u32 j = 0; j < AT_ONCE; j++) {
            const label up = label_read(labels, root[j]);
            open |= up < root[j];
            root[j] = min(up, root[j]);
        }
    } while (open);
#pragma unroll
    for (u32 j = 0; j < AT_ONCE; j++) {
        /* a root counts itself */
        const u32 besides = size[j] - (size[j] > 0 && root[j] == own[j]);
        if (besides > 0 && !sum_table_add(keys, sums, root[j], besides))
            atomic_add(&labels[root[j]], besides);
    }
}

/* Adds the sizes to the labels of the forest's roots (labels.clh). Sums are added to these after
 * every TOGETHER tiles, since nearly all tiles have a part of the largest clusters.
 *
 * Local memory: SUM_PLACES places of 8 bytes. Global traffic: for each such cluster 4 bytes, a walk
 * to the root, and an atomic for some. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_tiles_add(lattice_args lattice, u32 tiles, global const u32 *clusters,
                  volatile global label *labels)
{
    local u32 keys[SUM_PLACES], sums[SUM_PLACES];
    clusters += REPLICA(tiles * TILE_CLUSTER_WORDS);
    labels += REPLICA(lattice_sites(lattice));
    for (u32 first = get_group_id(0) * TOGETHER; first < tiles;
         first += get_num_groups(0) * TOGETHER) {
        const u32 number = min(first + (u32)get_local_id(0) / LANES, tiles - 1);
        global const u32 *mine = clusters + number * TILE_CLUSTER_WORDS;
        const tile_box box = tile_at(lattice, number);
        const u32 count = first + get_local_id(0) / LANES < tiles ? mine[0] : 0;
        sum_table_clear(keys, sums, get_local_id(0), MEASURE_ITEMS);
        barrier(CLK_LOCAL_MEM_FENCE);
        FOR_CLUSTERS(k, count)
        add_clusters(lattice, box, mine + TILE_HEAD, k, count, labels, keys, sums);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = get_local_id(0); k < SUM_PLACES; k += MEASURE_ITEMS)
            if (sums[k] > 0)
                atomic_add(&labels[keys[k]], sums[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Counts the clusters, after that: each group writes its CLUSTER_SUMS sums.
 *
 * Local memory: 8 bytes a work-item. Global traffic: for each tile TILE_HEAD words, and for each
 * cluster with bonds to other tiles 8 bytes. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_tiles(lattice_args lattice, u32 tiles, global const u32 *clusters,
              global const label *labels, u32 slot, global u64 *sums)
{
    local u64 all[MEASURE_ITEMS], gathered[CLUSTER_SUMS];
    cluster_counts seen = {0};
    clusters += REPLICA(tiles * TILE_CLUSTER_WORDS);
    labels += REPLICA(lattice_sites(lattice));
    for (u32 number = get_global_id(0) / LANES; number < tiles;
         number += get_global_size(0) / LANES) {
        global const u32 *mine = clusters + number * TILE_CLUSTER_WORDS;
        const tile_box box = tile_at(lattice, number);
        const u32 count = mine[0];
        if (get_local_id(0) % LANES == 0) {
#define ROW(NAME, OP, VALUE) seen.NAME = counted_##OP(seen.NAME, (u64)mine[1 + CLUSTER_SUM_##NAME]);
            SMALL_COUNTS(ROW)
#undef ROW
        }
        FOR_CLUSTERS(k, count)
        {
            u64 size[AT_ONCE];
#pragma unroll
            for (u32 j = 0; j < AT_ONCE; j++) {
                const bool there = k + j * LANES < count;
                const u32 cluster = there ? mine[TILE_HEAD + k + j * LANES] : 0;
                const label site = tile_site(lattice, box, tile_cluster_root(cluster)),
                            up = labels[site];
                size[j] = there && up >= site ? (u64)(up - site) + 1 : 0;
            }
#pragma unroll
            for (u32 j = 0; j < AT_ONCE; j++)
                if (size[j] > 0)
                    seen = with_cluster(seen, size[j]);
        }
    }
    gather_counts(seen, all, gathered);
    write_sums(gathered, slot, sums);
}
