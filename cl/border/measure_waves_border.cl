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
/* Clusters whose sites are in local memory at a time, an odd number for the banks of this memory.
 */
#define TOGETHER WAVE_CLUSTERS
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

/* Returns the sum of an entry of the table for each of 32 places, times the sites there: bit j of
 * bits[k * TOGETHER] is a site at place k, with amplitude -1 where negative has it. */
s64 sum_of_bits(const local u32 *bits, const local u32 negative[32], const local s32 entries[32])
{
    s64 sum = 0;
    for (u32 k = 0; k < 32; k++) {
        const u32 sites = bits[k * TOGETHER];
        sum += (s64)((s32)popcount(sites) - 2 * (s32)popcount(sites & negative[k])) * entries[k];
    }
    return sum;
}

/* One work-group: every total-th tile. Work-group: MEASURE_ITEMS. Local memory: 64 words for each
 * of TOGETHER clusters, 8 bytes a work-item and some words. Global traffic, bytes a site: names 2,
 * read at least twice, spins; and 40 for each node. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_waves_border(lattice_args lattice, u32 tiles, global const bond_law *laws,
                     global const u32 *disorder, global const spin_store *spins,
                     global const s32 *table, global const border_edge *edges,
                     global const border_name *names, global u32 *waves, global s64 *sums)
{
    /* of a cluster: a word for each row, and for each column */
    local u32 rows_of[32 * TOGETHER], columns_of[32 * TOGETHER];
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
        for (u32 k = get_local_id(0); k < BORDER_SITES; k += MEASURE_ITEMS) {
            const u32 up = name[k];
            if ((present[k / 32] >> k % 32 & 1) && !(up & NAMED) && up != k)
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
        u32 first = 0;
        do {
            for (u32 k = get_local_id(0); k < 32 * TOGETHER; k += MEASURE_ITEMS)
                rows_of[k] = columns_of[k] = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (u32 k = get_local_id(0); k < BORDER_SITES; k += MEASURE_ITEMS) {
                const u32 up = name[k], r = k / 32, x = k % 32, below = (1u << up % 32) - 1;
                u32 cluster = border_number(up);
                if (!(present[r] >> x & 1))
                    continue;
                if (!(up & NAMED)) {
                    const u32 roots = many[up / 32];
                    if (!(roots >> up % 32 & 1)) {
                        if (first == 0)
                            atomic_or(&single[r], 1u << x);
                        continue;
                    }
                    cluster = at_border + before[up / 32] + popcount(roots & below);
                }
                if (cluster - first < TOGETHER) {
                    atomic_or(&rows_of[r * TOGETHER + cluster - first], 1u << x);
                    atomic_or(&columns_of[x * TOGETHER + cluster - first], 1u << r);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            /* a work-item for the sums of a cluster along x, and another one for all others */
            const u32 some = min(TOGETHER, clusters - first);
            for (u32 k = get_local_id(0); k < 2 * some; k += MEASURE_ITEMS) {
                const u32 axis = k >= some, place = axis ? k - some : k, cluster = first + place;
                const local u32 *bits = (axis ? rows_of : columns_of) + place;
                const s64 along[2] = {sum_of_bits(bits, negative[1 - axis], cosines[axis]),
                                      sum_of_bits(bits, negative[1 - axis], sines[axis])};
                s64 at_zero = 0;
                for (u32 r = 0; axis == 1 && r < 32; r++)
                    at_zero += (s32)popcount(bits[r * TOGETHER]) -
                               2 * (s32)popcount(bits[r * TOGETHER] & negative[0][r]);
                at_zero *= 1 << MODE_BITS;
                if (cluster < at_border) {
                    global u32 *own = wave + (ulong)cluster * 2 * SUMS;
                    wide_sum_put(own + 4 * axis, along[0]);
                    wide_sum_put(own + 4 * axis + 2, along[1]);
                    if (axis == 1)
                        wide_sum_put(own + 8, at_zero);
                    continue;
                }
                if (axis == 0) {
                    add_square_of(mine.squares[0], along[0], 1);
                    add_square_of(mine.squares[0], along[1], 1);
                } else {
                    add_square_of(mine.squares[1], along[0], 1);
                    add_square_of(mine.squares[1], along[1], 1);
                    add_at_zero(&mine, at_zero, 1);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            first += TOGETHER;
        } while (first < clusters);
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
