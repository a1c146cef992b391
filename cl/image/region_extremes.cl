/* SPDX-License-Identifier: BSD-3-Clause */
/* The least and the largest value of each region. Floats need them before their sums. */
#include "image/region_tiles.clh"
#include "image/region_values.clh"

/* A part of a region: as EXTREME_LEAST and so on, of upper or of lower halves of the integers that
 * stand for values. */
enum { LEAST, MOST, ODD, PART_WORDS };

void raise_part(volatile global u32 *record, u32 lower, u32 least, u32 most, u32 odd)
{
    volatile global u32 *to = record + (lower ? EXTREME_LOWER : EXTREME_LEAST);
    atomic_max(&to[LEAST], least);
    atomic_max(&to[MOST], most);
    if (odd)
        atomic_or(&record[EXTREME_ODD], odd);
}

/* Raises the extremes of all regions to those of their values in one channel: with lower 0 of upper
 * halves, and then, where values have 64 bits, with lower 1 of the lower halves of those values
 * whose upper halves are the extremes.
 *
 * One work-item: a column of a tile. One work-group: GROUP_ROWS tiles. Global traffic, bytes a
 * pixel: labels 4, pixels; for each region of a tile 3 atomics. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
region_extremes(region_args image, u32 channel, u32 lower, global const u32 *labels,
                global const PIXEL *pixels, volatile global u32 *records)
{
    local u32 names[GROUP_ROWS * PLACES], tables[GROUP_ROWS * PLACES * PART_WORDS];
    clear_tables(names, tables, PART_WORDS);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_COLUMNS(x) {
        const tile tile = tile_at(image, OWN_TILE);
        u32 label = 0, least = 0, most = 0, odd = 0, least_upper = 0, most_upper = 0;
        for (u32 row = 0; row <= tile.rows && tile.x + x < image.nx; row++) {
            const ulong i = pixel_at(image, tile.x + x, tile.y + row, tile.z);
            const u32 here = row < tile.rows ? wanted(image, labels[i]) : 0;
            if (here != label) {
                if (label) {
                    volatile local u32 *place = place_in(names + PLACES * OWN_TILE,
                                                         tables + PLACES * PART_WORDS * OWN_TILE,
                                                         PART_WORDS, label);
                    if (place) {
                        atomic_max(&place[LEAST], least);
                        atomic_max(&place[MOST], most);
                        atomic_or(&place[ODD], odd);
                    } else
                        raise_part(record_of(image, records, EXTREME_WORDS, label), lower, least,
                                   most, odd);
                }
                label = here;
                least = most = odd = 0;
                if (label && lower) {
                    volatile global u32 *record = record_of(image, records, EXTREME_WORDS, label);
                    least_upper = ~record[EXTREME_LEAST];
                    most_upper = record[EXTREME_MOST];
                }
            }
            if (label == 0)
                continue;
            const PIXEL pixel = pixels[CHANNELS * i + channel];
            const u64 key = value_key(pixel);
            const u32 kind = odd_kind(pixel), upper = (u32)(key >> 32),
                      part = lower ? (u32)key : upper;
            odd |= kind;
            if (!kind && (!lower || upper == least_upper))
                least = max(least, ~part);
            if (!kind && (!lower || upper == most_upper))
                most = max(most, part);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 place = get_local_id(0); place < GROUP_ROWS * PLACES; place += SITE_ITEMS)
        if (names[place]) {
            const local u32 *part = tables + PART_WORDS * place;
            raise_part(record_of(image, records, EXTREME_WORDS, names[place]), lower, part[LEAST],
                       part[MOST], part[ODD]);
        }
}
