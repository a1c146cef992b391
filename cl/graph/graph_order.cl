/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the bonds or sites of each sample in the order of their random numbers, and those with equal
 * numbers in the order of their indices. They are the numbers of percolation (random.clh): what
 * comes before the first number that is not below a threshold is what is active at that threshold.
 *
 * A bond or site is bit j of word k of direction d of the lattice's words, with the index 32 (k + d
 * words) + j. Sites have one direction. present has a bit for each that exists. An order is made in
 * parts, each with the numbers between two limits: its bonds or sites are counted in buckets,
 * placed there, and sorted there. An entry is a number, its upper half, and an index. Each sample
 * has buckets + 1 counters, the last of which is their sum. */
#include "core/systems.clh"
#include "core/scan.clh"
#include "graph/graph_sizes.clh"

/* Writes the numbers of a word: bit 31-k of numbers[31-j] is bit j of the k-th word of the stream.
 */
void word_numbers(random_key key, u32 purpose, ulong word, u32 numbers[32])
{
#pragma unroll
    for (u32 block = 0; block < 8; block++) {
        const philox_block drawn = random_block(key, purpose, word, block);
#pragma unroll
        for (u32 k = 0; k < 4; k++)
            numbers[4 * block + k] = drawn.v[k];
    }
    /* transposes squares of 16, 8, 4, 2 bits and 1 bit */
    u32 mask = 0x0000FFFF;
#pragma unroll
    for (u32 size = 16; size > 0; size /= 2) {
#pragma unroll
        for (u32 i = 0; i < 16; i++) {
            const u32 k = i / size * 2 * size + i % size;
            const u32 change = (numbers[k] ^ numbers[k + size] >> size) & mask;
            numbers[k] ^= change;
            numbers[k + size] ^= change << size;
        }
        mask ^= mask << size / 2;
    }
}

/* Whether a number is one of this part, and its bucket. */
bool in_part(growth_args args, u32 number)
{
    return (ulong)number >> (32 - args.part_bits) == args.part;
}

u32 bucket_of(growth_args args, u32 number)
{
    return (ulong)(number << args.part_bits) >> (32 - args.bucket_bits);
}

/* Counts the numbers in each bucket. Counters are 0 at first.
 *
 * Work-item: a word of a direction of a sample. Global traffic: an atomic operation for each number
 * of the part. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_order_count(growth_args args, ulong words, random_key key, global const u32 *present,
                  volatile global u32 *counters)
{
    const ulong k = get_global_id(0);
    if (k >= words || present[k] == 0)
        return;
    const u32 exist = present[k];
    u32 numbers[32];
    word_numbers(sample_key(key), args.purpose + (u32)(k / args.words), k % args.words, numbers);
    counters += REPLICA((1ul << args.bucket_bits) + 1);
    for (u32 j = 0; j < 32; j++)
        if ((exist >> j & 1) && in_part(args, numbers[31 - j]))
            atomic_inc(&counters[bucket_of(args, numbers[31 - j])]);
}

/* Replaces the counter of each bucket by the number of entries before the bucket, and the last
 * counter by their sum. Work-group: a sample. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_order_start(growth_args args, global u32 *counters)
{
    local u32 sums[SITE_ITEMS];
    const u32 buckets = 1u << args.bucket_bits, share = (buckets - 1) / SITE_ITEMS + 1,
              first = min(share * (u32)get_local_id(0), buckets),
              last = min(first + share, buckets);
    u32 mine = 0, before;
    counters += REPLICA(buckets + 1ul);
    for (u32 k = first; k < last; k++)
        mine += counters[k];
    const u32 all = scan_group(sums, mine, &before);
    for (u32 k = first; k < last; k++) {
        const u32 count = counters[k];
        counters[k] = before;
        before += count;
    }
    if (get_local_id(0) == 0)
        counters[buckets] = all;
}

/* Places the entries of each bucket, in any order. The counter of a bucket becomes the number of
 * entries up to its end. crowded becomes 1 where a sample has more entries than there is room for,
 * which are left out. Work-items as for graph_order_count. Global traffic: 8 bytes an entry, and an
 * atomic operation. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_order_place(growth_args args, ulong words, random_key key, global const u32 *present,
                  volatile global u32 *counters, global ulong *order, volatile global u32 *crowded)
{
    const ulong k = get_global_id(0);
    if (k >= words || present[k] == 0)
        return;
    const u32 exist = present[k];
    u32 numbers[32];
    word_numbers(sample_key(key), args.purpose + (u32)(k / args.words), k % args.words, numbers);
    counters += REPLICA((1ul << args.bucket_bits) + 1);
    order += REPLICA(args.entries);
    for (u32 j = 0; j < 32; j++) {
        const u32 number = numbers[31 - j];
        if (!(exist >> j & 1) || !in_part(args, number))
            continue;
        const u32 at = atomic_inc(&counters[bucket_of(args, number)]);
        if (at < args.entries)
            order[at] = (ulong)number << 32 | (u32)(32 * k + j);
        else
            atomic_or(crowded, 1);
    }
}

/* Sorts the entries of each bucket, of which there are few. Work-item: a bucket of a sample. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_order_sort(growth_args args, global const u32 *counters, global ulong *order)
{
    const ulong bucket = get_global_id(0);
    if (bucket >> args.bucket_bits != 0)
        return;
    counters += REPLICA((1ul << args.bucket_bits) + 1);
    order += REPLICA(args.entries);
    const u32 first = bucket > 0 ? counters[bucket - 1] : 0,
              last = (u32)min((ulong)counters[bucket], args.entries);
    for (u32 k = first + 1; k < last; k++) {
        const ulong entry = order[k];
        u32 to = k;
        for (; to > first && order[to - 1] > entry; to--)
            order[to] = order[to - 1];
        order[to] = entry;
    }
}
