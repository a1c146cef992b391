/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the values of each region (region.clh): of values times powers of coordinates, and of
 * squares of values. All sums are of integers, so that the order of additions does not matter.
 * NARROW is defined where values have at most 16 bits. */
#define WIDE_WORDS 6u /* VALUE_SUM_WORDS */
#include "image/region_add.clh"
#include "image/region_values.clh"

#define PART_SUMS (POWERS * POWERS + 1) /* in the order of add_moved(), and the squares */

/* Sums of a work-item. In local memory a sum has LOCAL_WORDS words. */
#ifdef NARROW
#define LOCAL_WORDS 2u
typedef s64 own_sum;
own_sum own_scaled(own_sum a, s32 by, own_sum more)
{
    return a * by + more;
}

own_sum own_of(s64 value)
{
    return value;
}

own_sum square_of(own_sum a)
{
    return a * a;
}

wide whole_of(own_sum a)
{
    return wide_of(a);
}

void add_own(volatile local u32 *sum, own_sum value)
{
    const u32 low = (u32)value, before = low ? atomic_add(&sum[0], low) : 0;
    const u32 high = (u32)((u64)value >> 32) + (before + low < before);
    if (high)
        atomic_add(&sum[1], high);
}
#else
#define LOCAL_WORDS WIDE_WORDS
typedef wide own_sum;
#define own_scaled wide_scaled_signed
#define whole_of(a) (a)
#define add_own add_local_wide

own_sum own_of(s64 value)
{
    return wide_of(value);
}

/* Returns the square of a number whose absolute value has at most 64 bits. */
own_sum square_of(own_sum a)
{
    const own_sum size = a.word[WIDE_WORDS - 1] >> 31 ? wide_negative(a) : a;
    own_sum high = wide_scaled(size, size.word[1], wide_of(0));
    for (u32 k = WIDE_WORDS - 1; k > 0; k--)
        high.word[k] = high.word[k - 1];
    high.word[0] = 0;
    return wide_scaled(size, size.word[0], high);
}
#endif

#define PART_WORDS (PART_SUMS * LOCAL_WORDS)

#ifdef FLOATS
/* Returns the unit of a region's floats. */
s32 unit_of(volatile global const u32 *extremes)
{
#ifdef PIXEL_DOUBLE
    const bool is_double = true;
#else
    const bool is_double = false;
#endif
    return value_unit(is_double, ~extremes[EXTREME_LEAST], extremes[EXTREME_MOST]);
}

/* Returns a finite float as a multiple of 2^unit, rounded to the nearest. */
own_sum integer_of(PIXEL pixel, s32 unit)
{
    const number number = number_of(pixel);
    const s32 up = number.power - unit;
    const u64 size = !number.finite || up < -64 ? 0
                     : up < 0                   ? ((number.digits >> (-up - 1)) + 1) >> 1
                                                : number.digits << up;
    return own_of(number.negative ? -(s64)size : (s64)size);
}
#else
own_sum integer_of(PIXEL pixel, s32 unit)
{
#ifdef PIXEL_LONG
    return (PIXEL)-1 > 0 ? wide_of_unsigned((u64)pixel) : own_of((s64)pixel);
#else
    return own_of((s64)pixel);
#endif
}
#endif

void add_part(volatile global u32 *record, tile tile, const wide *sums)
{
    add_moved(record, tile, sums);
    add_global_wide(record + WIDE_WORDS * REGION_MOMENTS(POWERS, AXES), sums[PART_SUMS - 1]);
}

/* Adds the values of a column x of a tile, of which sums[q] are those of values times y^q and
 * sums[POWERS] that of squares. */
void count_part(region_args image, tile tile, u32 label, u32 x, const own_sum *sums,
                local u32 *names, local u32 *table, volatile global u32 *records)
{
    volatile local u32 *place = place_in(names, table, PART_WORDS, label);
    wide part[PART_SUMS];
    for (u32 k = 0; k < PART_SUMS; k++) {
        own_sum sum = sums[k / POWERS];
        for (u32 p = 0; p < k % POWERS; p++)
            sum = own_scaled(sum, (s32)x - (s32)REGION_CENTRE, own_of(0));
        if (place)
            add_own(&place[LOCAL_WORDS * k], sum);
        else
            part[k] = whole_of(sum);
    }
    if (!place)
        add_part(record_of(image, records, VALUE_RECORD_WORDS(POWERS, AXES), label), tile, part);
}

/* Returns sum k of a place. */
wide sum_in(const local u32 *place, u32 k)
{
    wide sum;
    const bool negative = place[LOCAL_WORDS * (k + 1) - 1] >> 31;
    for (u32 word = 0; word < WIDE_WORDS; word++)
        sum.word[word] = word < LOCAL_WORDS ? place[LOCAL_WORDS * k + word] : negative ? ~0u : 0;
    return sum;
}

/* Adds the values of one channel to the sums of their regions. extremes are records of
 * region_extremes, which floats need.
 *
 * One work-item: a column of a tile. One work-group: GROUP_ROWS tiles. Global traffic, bytes a
 * pixel: labels 4, pixels; for each region of a tile an atomic for each word of its sums. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
region_value_sums(region_args image, u32 channel, global const u32 *labels,
                  global const PIXEL *pixels, volatile global u32 *extremes,
                  volatile global u32 *records)
{
    local u32 names[GROUP_ROWS * PLACES], tables[GROUP_ROWS * PLACES * PART_WORDS];
    clear_tables(names, tables, PART_WORDS);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_COLUMNS(x) {
        const tile tile = tile_at(image, OWN_TILE);
        u32 label = 0;
        s32 unit = 0;
        own_sum sums[POWERS + 1];
        for (u32 row = 0; row <= tile.rows && tile.x + x < image.nx; row++) {
            const ulong i = pixel_at(image, tile.x + x, tile.y + row, tile.z);
            const u32 here = row < tile.rows ? wanted(image, labels[i]) : 0;
            if (here != label) {
                if (label)
                    count_part(image, tile, label, x, sums, names + PLACES * OWN_TILE,
                               tables + PLACES * PART_WORDS * OWN_TILE, records);
                label = here;
                for (u32 q = 0; q <= POWERS; q++)
                    sums[q] = own_of(0);
#ifdef FLOATS
                if (label)
                    unit = unit_of(record_of(image, extremes, EXTREME_WORDS, label));
#endif
            }
            if (label == 0)
                continue;
            const own_sum value = integer_of(pixels[CHANNELS * i + channel], unit);
            s32 power = 1;
            for (u32 q = 0; q < POWERS; q++) {
                sums[q] = own_scaled(value, power, sums[q]);
                power *= (s32)row - (s32)REGION_CENTRE;
            }
            sums[POWERS] = own_scaled(square_of(value), 1, sums[POWERS]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 place = get_local_id(0); place < GROUP_ROWS * PLACES; place += SITE_ITEMS)
        if (names[place]) {
            wide sums[PART_SUMS];
            for (u32 k = 0; k < PART_SUMS; k++)
                sums[k] = sum_in(tables + PART_WORDS * place, k);
            add_part(record_of(image, records, VALUE_RECORD_WORDS(POWERS, AXES), names[place]),
                     tile_at(image, place / PLACES), sums);
        }
}
