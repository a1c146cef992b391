/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes ranks of clusters in the raster order of their first pixels, by a scan. roots has a bit
 * for each key (blocks.clh), which is set if the key is that of a cluster. For each word of roots
 * ranks gets two words: the number of bits set in the words before it, and the word itself. There
 * are three kernels: action_number_count() counts the bits of each group's words,
 * action_number_sum() adds up groups, action_number_before() writes ranks. */
#include "core/scan.clh"

/* Returns the number of bits set in eight words. */
u32 count_roots(uint8 words)
{
    const uint8 counts = popcount(words);
    const uint4 four = counts.lo + counts.hi;
    return four.s0 + four.s1 + four.s2 + four.s3;
}

/* Writes the number of bits in the words of each group to sums. One work-group: 8*SITE_ITEMS words;
 * after the last word there are zeros. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_count(global const u32 *roots, global u32 *sums)
{
    local u32 counts[SITE_ITEMS];
    u32 before, all = scan_group(
                    counts, count_roots(((global const uint8 *)roots)[get_global_id(0)]), &before);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

/* Replaces each of count sums by the sum of the sums before it; sums[count] becomes the sum of all.
 * There is one work-group; a work-item: a share of the sums. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_sum(u32 count, global u32 *sums)
{
    local u32 counts[SITE_ITEMS];
    const u32 share = (count - 1) / SITE_ITEMS + 1,
              first = min(share * (u32)get_local_id(0), count), last = min(first + share, count);
    u32 mine = 0, done;
    for (u32 k = first; k < last; k++)
        mine += sums[k];
    const u32 all = scan_group(counts, mine, &done);
    for (u32 k = first; k < last; k++) {
        const u32 sum = sums[k];
        sums[k] = done;
        done += sum;
    }
    if (get_local_id(0) == 0)
        sums[count] = all;
}

/* Writes the ranks of the words of each group. sums has for each group the sum before it. Groups
 * have the words that they have in action_number_count(). */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_before(global const u32 *roots, global const u32 *sums, global u32 *ranks)
{
    local u32 counts[SITE_ITEMS];
    const uint8 words = ((global const uint8 *)roots)[get_global_id(0)], each = popcount(words);
    u32 count;
    scan_group(counts, count_roots(words), &count);
    count += sums[get_group_id(0)];
    const u32 in[8] = {words.s0, words.s1, words.s2, words.s3,
                       words.s4, words.s5, words.s6, words.s7};
    const u32 of[8] = {each.s0, each.s1, each.s2, each.s3, each.s4, each.s5, each.s6, each.s7};
    u32 at[8];
#pragma unroll
    for (u32 k = 0; k < 8; k++) {
        at[k] = count;
        count += of[k];
    }
#pragma unroll
    for (u32 k = 0; k < 8; k += 2)
        ((global uint4 *)ranks)[4 * get_global_id(0) + k / 2] = (uint4)(at[k], in[k], at[k + 1],
                                                                        in[k + 1]);
}
