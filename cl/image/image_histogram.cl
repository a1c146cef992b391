/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the values of an image. PIXEL is the type of a value, PIXEL_FLOAT or PIXEL_DOUBLE says
 * that it is a float; a double is its bits. Values are compared by keys, integers that have the
 * order of the values. Kernels have as many work-groups as the host likes, of SITE_ITEMS. */
#include "core/types.clh"

#if defined PIXEL_DOUBLE
#define BITS_OF(value) (value)
#define SIGN 0x8000000000000000ul
#define INFINITE 0x7FF0000000000000ul
#elif defined PIXEL_FLOAT
#define BITS_OF(value) ((ulong)as_uint(value))
#define SIGN 0x80000000ul
#define INFINITE 0x7F800000ul
#endif

/* Returns the key of a value. 0 and -0 have one key. Keys of integers are as far apart as the
 * integers, modulo 2^64. */
long key_of_value(PIXEL value)
{
#ifdef SIGN
    const ulong bits = BITS_OF(value);
    return bits & SIGN ? (long)(SIGN - bits) : (long)bits;
#else
    return (PIXEL)-1 > 0 ? (long)((ulong)value ^ 0x8000000000000000ul) : (long)value;
#endif
}

bool is_finite_value(PIXEL value)
{
#ifdef SIGN
    return (BITS_OF(value) & ~SIGN) < INFINITE;
#else
    return true;
#endif
}

/* Writes three numbers for each work-group: the least and the largest key of its finite values, and
 * how many values are not finite. Without a finite value least is above most.
 *
 * Local memory: 20 bytes a work-item. Global traffic: values. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
image_range(ulong count, global const PIXEL *values, global long *ranges)
{
    local long least[SITE_ITEMS], most[SITE_ITEMS];
    local u32 odd[SITE_ITEMS];
    const u32 item = get_local_id(0);
    long low = LONG_MAX, high = LONG_MIN;
    u32 others = 0;
    for (ulong k = get_global_id(0); k < count; k += get_global_size(0)) {
        const PIXEL value = values[k];
        const long key = key_of_value(value);
        const bool finite = is_finite_value(value);
        low = finite ? min(low, key) : low;
        high = finite ? max(high, key) : high;
        others += !finite;
    }
    least[item] = low;
    most[item] = high;
    odd[item] = others;
    for (u32 apart = SITE_ITEMS / 2; apart > 0; apart /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < apart) {
            least[item] = min(least[item], least[item + apart]);
            most[item] = max(most[item], most[item + apart]);
            odd[item] += odd[item + apart];
        }
    }
    if (item == 0) {
        ranges[3 * get_group_id(0)] = least[0];
        ranges[3 * get_group_id(0) + 1] = most[0];
        ranges[3 * get_group_id(0) + 2] = odd[0];
    }
}

#define LOCAL_BINS 2048u /* that a work-group counts by itself */

/* Returns the bin of a value: of integers its distance from the least; of floats the last bin whose
 * edge is not above it. */
u32 bin_of(PIXEL value, long least, u32 bins, global const long *edges)
{
    const long key = key_of_value(value);
#ifdef SIGN
    u32 low = 0, high = bins;
    while (high - low > 1) {
        const u32 middle = (low + high) / 2;
        if (edges[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
#else
    return (u32)(key - least);
#endif
}

/* Adds the finite values to the counts of bins. edges has the key of the lower edge of each bin of
 * floats; integers have a bin each.
 *
 * Local memory: 8 KiB. Global traffic: values; an atomic for each bin of each group, or for each
 * value where there are more than LOCAL_BINS. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
image_histogram(ulong count, global const PIXEL *values, long least, u32 bins,
                global const long *edges, volatile global u32 *counts)
{
    local u32 own[LOCAL_BINS];
    const bool few = bins <= LOCAL_BINS;
    for (u32 k = get_local_id(0); k < LOCAL_BINS; k += SITE_ITEMS)
        own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong k = get_global_id(0); k < count; k += get_global_size(0)) {
        const PIXEL value = values[k];
        if (!is_finite_value(value))
            continue;
        const u32 bin = bin_of(value, least, bins, edges);
        if (few)
            atomic_inc(&own[bin]);
        else
            atomic_inc(&counts[bin]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); few && k < bins; k += SITE_ITEMS)
        if (own[k] > 0)
            atomic_add(&counts[k], own[k]);
}
