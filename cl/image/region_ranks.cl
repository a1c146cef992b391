/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds for each region the value of a given rank, a digit of its integer (region_values.clh) after
 * the other, from the highest on: the digits of those values are counted whose higher digits are
 * known to be right. */
#include "image/region_values.clh"

/* Counts the digits at bit shift. counts has RANK_DIGITS words for each label, 0 at first.
 *
 * One work-item: a pixel. Work-group: SITE_ITEMS. Global traffic, bytes a pixel: labels 4, pixels,
 * and an atomic. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
region_digits(region_args image, u32 channel, u32 shift, global const u32 *labels,
              global const PIXEL *pixels, global const sought *sought, volatile global u32 *counts)
{
    const ulong layer = region_layer(image, AXES), i = get_global_id(0) + layer * image.first;
    if (i >= layer * image.end)
        return;
    const u32 k = labels[i] - 1 - image.from;
    if (k >= image.count)
        return;
    const u64 key = value_key(pixels[CHANNELS * i + channel]);
    if (shift + RANK_BITS < 64 && (key ^ sought[k].known) >> (shift + RANK_BITS))
        return;
    atomic_inc(&counts[(ulong)RANK_DIGITS * k + (u32)(key >> shift & (RANK_DIGITS - 1))]);
}

/* Finds the digit at bit shift of each region, and clears the counts.
 *
 * One work-item: a region. Work-group: SITE_ITEMS. Global traffic: 2 KiB a region. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
region_select(region_args image, u32 shift, global sought *sought, global u32 *counts)
{
    const u32 k = get_global_id(0);
    if (k >= image.count)
        return;
    ulong rank = sought[k].rank, digit = 0;
    bool found = false;
    for (u32 d = 0; d < RANK_DIGITS; d++) {
        const u32 count = counts[(ulong)RANK_DIGITS * k + d];
        counts[(ulong)RANK_DIGITS * k + d] = 0;
        if (found)
            continue;
        found = rank < count;
        if (found)
            digit = d;
        else
            rank -= count;
    }
    sought[k].known |= digit << shift;
    sought[k].rank = rank;
}
