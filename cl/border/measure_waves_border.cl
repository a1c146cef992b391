/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up cosines and sines over each cluster at the smallest wave vectors, as measure_fk.cl does,
 * in the border layout in the plane, with names that tell complete clusters apart (INNER_ROOTS).
 *
 * 1. measure_waves_border() finds the sums of each cluster of a tile. Those of complete clusters
 *    are squared at once, those of the others are stored for their nodes.
 * 2. measure_waves_border_join() adds the sums of nodes to those of their roots.
 * 3. measure_waves_border_squares() squares the sums of roots. */
#include "border/nodes.clh"
#include "core/group_sum.clh"
#include "core/modes.clh"
#include "core/spins.clh"
#include "core/systems.clh"
#include "core/wide_sums.clh"
#include "model/laws.clh"

/* The sums of a cluster: cosines and sines along x, along y, and the sum at wave vector 0. */
#define SUMS 5u
/* Clusters whose sites are in local memory at a time. The words of a cluster are STRIDE apart from
 * those of the next one, for the banks of this memory. */
#define TOGETHER WAVE_CLUSTERS
#define STRIDE 33u
#define NO_CLUSTER 0xFFFFu
/* How many of a work-item's sites are unrolled. */
#if MEASURE_ITEMS < 64
#define EACH 1
#else
#define EACH 16
#endif
#define LANES (MEASURE_ITEMS < 32 ? MEASURE_ITEMS : 32u)

/* The squares, in parts, that a work-item has added up: along x, along y, at wave vector 0; and
 * there fourth powers. */
typedef struct powers {
    s64 squares[3][WAVE_PARTS], fourths[FK_FOURTH_PARTS];
} powers;

/* Adds count times the square of a sum. */
void add_square_of(s64 squares[WAVE_PARTS], s64 sum, u32 count)
{
#pragma unroll
    for (u32 k = 0; k < WAVE_PARTS; k++)
        squares[k] += count * wave_part(sum, k);
}

/* Adds count clusters with a sum at wave vector 0. */
void add_at_zero(powers *mine, s64 sum, u32 count)
{
    add_square_of(mine->squares[2], sum, count);
#pragma unroll
    for (u32 k = 0; k < FK_FOURTH_PARTS; k++)
        mine->fourths[k] += count * wave_fourth_part(sum, k);
}

/* Writes the powers that the work-items of the group have added up to its numbers in sums, or with
 * more adds them. */
void put_powers(const powers *mine, local s64 *all, global s64 *sums, bool more)
{
#pragma unroll
    for (u32 k = 0; k < FK_MODE_NUMBERS; k++) {
        const u32 axis = k / WAVE_PARTS;
        const s64 own = k >= FK_FOURTHS     ? mine->fourths[k - FK_FOURTHS]
                        : axis == WAVE_ZERO ? mine->squares[2][k % WAVE_PARTS]
                        : axis < AXES       ? mine->squares[axis][k % WAVE_PARTS]
                                            : 0;
        const s64 sum = group_sum(own, all);
        if (get_local_id(0) == 0)
            sums[k] = more ? sums[k] + sum : sum;
    }
}

/* The sums of a cluster along an axis, and the sum of the amplitudes of its sites. */
typedef struct cluster_sums {
    s64 cosines, sines;
    s32 amplitudes;
} cluster_sums;

/* Returns those of sites, of which there is a word for each of 32 places along the axis. Sites have
 * an amplitude of -1 where negative has them. */
cluster_sums sums_of_sites(const local u32 sites[32], const local u32 negative[32],
                           const local s32 cosines[32], const local s32 sines[32])
{
    cluster_sums sums = {0, 0, 0};
    for (u32 k = 0; k < 32; k++) {
        s32 amplitude = popcount(sites[k]);
#ifdef FLIPS
        amplitude -= 2 * (s32)popcount(sites[k] & negative[k]);
#endif
        sums.amplitudes += amplitude;
        sums.cosines += (s64)amplitude * cosines[k];
        sums.sines += (s64)amplitude * sines[k];
    }
    return sums;
}

/* One work-group: every total-th tile. Work-group: MEASURE_ITEMS. Local memory: 66 words for each
 * of TOGETHER clusters, 8 bytes a work-item and some words. Global traffic, bytes a site: names 2,
 * spins; and 40 for each node. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_waves_border(lattice_args lattice, u32 tiles, global const bond_law *laws,
                     global const u32 *disorder, global const spin_store *spins,
                     global const s32 *table, global const border_edge *edges,
                     global const border_name *names, global u32 *waves, global s64 *sums)
{
    /* of a cluster: a word for each row, and for each column */
    local u32 rows_of[STRIDE * TOGETHER], columns_of[STRIDE * TOGETHER];
    /* a bit for each site: roots of complete clusters with more than one site, and how many there
     * are in rows before; single sites; sites that are there; those with amplitude -1, by rows and
     * by columns */
    local u32 many[32], before[32], single[32], present[32], negative[2][32];
    local s32 cosines[2][32], sines[2][32]; /* along x and y */
    local s64 all[MEASURE_ITEMS];
    const system_laws own_laws = system_laws_of(lattice, laws, disorder);
    powers mine = {{{0}}, {0}};
    spins += REPLICA(spins_length(lattice));
    edges += REPLICA(tiles);
    names += REPLICA((ulong)tiles * BORDER_SITES);
    waves += REPLICA((ulong)tiles * BORDER_NODES * 2 * SUMS);
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * FK_MODE_NUMBERS;
    for (u32 tile = get_group_id(0); tile < tiles; tile += get_num_groups(0)) {
        const border_box box = border_box_of(lattice, tile);
        global const border_name *name = names + (ulong)tile * BORDER_SITES;
        global u32 *wave = waves + (ulong)tile * BORDER_NODES * 2 * SUMS;
        for (u32 k = get_local_id(0); k < 32; k += MEASURE_ITEMS) {
            many[k] = single[k] = present[k] = negative[0][k] = 0;
            for (u32 axis = 0; axis < 2; axis++) {
                const bool there = k < (axis == 0 ? box.nx : box.ny);
                const ulong at = mode_place(lattice, axis, axis == 0 ? 32 * box.w + k : box.y + k);
                cosines[axis][k] = there ? table[at] : 0;
                sines[axis][k] = there ? table[at + 1] : 0;
            }
            if (k < box.ny) {
                u32 planes[PLANES];
                spins_load(lattice, spins, box.w, box.y + k, planes);
                present[k] = sites_present(lattice, own_laws, box.w, box.y + k) &
                             word_mask(lattice, box.w);
#ifdef FLIPS
                negative[0][k] = planes[0];
#endif
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        /* the names of the work-item's sites, and then the numbers of their clusters */
        ushort own[BORDER_SITES / MEASURE_ITEMS];
#pragma unroll EACH
        for (u32 j = 0; j < BORDER_SITES / MEASURE_ITEMS; j++) {
            const u32 k = j * MEASURE_ITEMS + get_local_id(0), up = name[k];
            const bool there = present[k / 32] >> k % 32 & 1;
            own[j] = there ? up : NO_CLUSTER;
            if (there && !(up & NAMED) && up != k)
                atomic_or(&many[up / 32], 1u << up % 32);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = get_local_id(0); k < 32; k += MEASURE_ITEMS) {
            u32 count = 0, column = 0;
            for (u32 r = 0; r < 32; r++) {
                count += r < k ? popcount(many[r]) : 0;
                column |= (negative[0][r] >> k & 1) << r;
            }
            before[k] = count;
            negative[1][k] = column;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const u32 at_border = edges[tile].clusters,
                  clusters = at_border + before[31] + popcount(many[31]);
#pragma unroll EACH
        for (u32 j = 0; j < BORDER_SITES / MEASURE_ITEMS; j++) {
            const u32 k = j * MEASURE_ITEMS + get_local_id(0), up = own[j];
            if (up == NO_CLUSTER)
                continue;
            if (up & NAMED)
                own[j] = border_number(up);
            else if (many[up / 32] >> up % 32 & 1)
                own[j] = at_border + before[up / 32] +
                         popcount(many[up / 32] & ((1u << up % 32) - 1));
            else {
                atomic_or(&single[k / 32], 1u << k % 32);
                own[j] = NO_CLUSTER;
            }
        }
        for (u32 first = 0; first < clusters; first += TOGETHER) {
            const u32 some = min(TOGETHER, clusters - first);
            for (u32 k = get_local_id(0); k < STRIDE * some; k += MEASURE_ITEMS)
                rows_of[k] = columns_of[k] = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll EACH
            for (u32 j = 0; j < BORDER_SITES / MEASURE_ITEMS; j++) {
                const u32 k = j * MEASURE_ITEMS + get_local_id(0), place = own[j] - first;
                if (place < some) {
                    atomic_or(&rows_of[place * STRIDE + k / 32], 1u << k % 32);
                    atomic_or(&columns_of[place * STRIDE + k % 32], 1u << k / 32);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            /* a work-item for the sums of a cluster along x, and another one for all others */
            for (u32 k = get_local_id(0); k < 2 * some; k += MEASURE_ITEMS) {
                const u32 axis = k >= some, place = axis ? k - some : k, cluster = first + place;
                const cluster_sums found = sums_of_sites(
                    (axis ? rows_of : columns_of) + place * STRIDE, negative[1 - axis],
                    cosines[axis], sines[axis]);
                const s64 at_zero = (s64)found.amplitudes * (1 << MODE_BITS);
                if (cluster < at_border) {
                    global u32 *to = wave + (ulong)cluster * 2 * SUMS;
                    wide_sum_put(to + 4 * axis, found.cosines);
                    wide_sum_put(to + 4 * axis + 2, found.sines);
                    if (axis == 1)
                        wide_sum_put(to + 8, at_zero);
                } else if (axis == 0) {
                    add_square_of(mine.squares[0], found.cosines, 1);
                    add_square_of(mine.squares[0], found.sines, 1);
                } else {
                    add_square_of(mine.squares[1], found.cosines, 1);
                    add_square_of(mine.squares[1], found.sines, 1);
                    add_at_zero(&mine, at_zero, 1);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = get_local_id(0); k < 32; k += MEASURE_ITEMS) {
            u32 counts[2] = {0, popcount(single[k])};
            for (u32 r = 0; r < 32; r++)
                counts[0] += single[r] >> k & 1;
#pragma unroll
            for (u32 axis = 0; axis < 2; axis++) {
                add_square_of(mine.squares[axis], cosines[axis][k], counts[axis]);
                add_square_of(mine.squares[axis], sines[axis][k], counts[axis]);
            }
            add_at_zero(&mine, 1 << MODE_BITS, counts[1]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    put_powers(&mine, all, sums, false);
}

/* Adds the sums of a node to those of its root: in local memory if the root can get its place
 * there, else in global memory. */
void add_to_node(u32 root, global const u32 *own, volatile local u32 *roots,
                 volatile local u32 *sums, volatile global u32 *waves)
{
    const u32 place = root * 0x9E3779B9u / (0xFFFFFFFFu / FLIP_PLACES + 1),
              there = atomic_cmpxchg(&roots[place], NOWHERE, root);
    for (u32 n = 0; n < 2 * SUMS; n += 2)
        if (there == NOWHERE || there == root)
            add_to_local(sums + 2 * SUMS * place + n, wide_sum(own + n));
        else
            add_to_global(waves + 2 * SUMS * (ulong)root + n, wide_sum(own + n));
}

/* One work-group: some tiles at a time, which LANES work-items each read. Work-group:
 * MEASURE_ITEMS. Local memory: FLIP_PLACES places of 44 bytes. Global traffic: for each node the
 * walk to its root, 40 bytes, and ten atomics for some. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_waves_border_join(u32 tiles, global const border_edge *edges,
                          global const border_node *nodes, global u32 *waves)
{
    local u32 roots[FLIP_PLACES], sums[FLIP_PLACES * 2 * SUMS];
    edges += REPLICA(tiles);
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    waves += REPLICA((ulong)tiles * BORDER_NODES * 2 * SUMS);
    for (u32 k = get_local_id(0); k < FLIP_PLACES; k += MEASURE_ITEMS) {
        roots[k] = NOWHERE;
        for (u32 n = 0; n < 2 * SUMS; n++)
            sums[2 * SUMS * k + n] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 tile = get_global_id(0) / LANES; tile < tiles; tile += get_global_size(0) / LANES)
        for (u32 k = get_local_id(0) % LANES; k < edges[tile].clusters; k += LANES) {
            const u32 node = tile * BORDER_NODES + k,
                      root = node_top(nodes, node, tiles * BORDER_NODES);
            if (root != node)
                add_to_node(root, waves + 2 * SUMS * (ulong)node, roots, sums, waves);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); k < FLIP_PLACES; k += MEASURE_ITEMS)
        for (u32 n = 0; roots[k] != NOWHERE && n < 2 * SUMS; n += 2)
            add_to_global(waves + 2 * SUMS * (ulong)roots[k] + n,
                          (s64)((u64)sums[2 * SUMS * k + n + 1] << 32 | sums[2 * SUMS * k + n]));
}

/* Each group adds what its roots have to its numbers.
 *
 * One work-group: as above. Local memory: 8 bytes a work-item. Global traffic: 4 bytes a node, 40 a
 * root. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_waves_border_squares(u32 tiles, global const border_edge *edges,
                             global const border_node *nodes, global const u32 *waves,
                             global s64 *sums)
{
    local s64 all[MEASURE_ITEMS];
    powers mine = {{{0}}, {0}};
    edges += REPLICA(tiles);
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    waves += REPLICA((ulong)tiles * BORDER_NODES * 2 * SUMS);
    sums += (REPLICA(get_num_groups(0)) + get_group_id(0)) * FK_MODE_NUMBERS;
    for (u32 tile = get_global_id(0) / LANES; tile < tiles; tile += get_global_size(0) / LANES)
        for (u32 k = get_local_id(0) % LANES; k < edges[tile].clusters; k += LANES) {
            const u32 node = tile * BORDER_NODES + k;
            global const u32 *own = waves + 2 * SUMS * (ulong)node;
            if (nodes[node].parent != node)
                continue;
#pragma unroll
            for (u32 n = 0; n < 4; n++)
                add_square_of(mine.squares[n / 2], wide_sum(own + 2 * n), 1);
            add_at_zero(&mine, wide_sum(own + 8), 1);
        }
    put_powers(&mine, all, sums, true);
}
