/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the pixels of each region (region.clh): sizes, boxes, and sums of powers of
 * coordinates. All sums are of integers, so that the order of additions does not matter. */
#define WIDE_WORDS 4u /* REGION_SUM_WORDS */
#include "image/region_add.clh"

/* A part of a region, in one tile, with coordinates relative to the tile's centre. */
enum {
    COLUMNS, /* bit x is set if there is a pixel in column x */
    ABOVE,   /* REGION_ROWS minus its first row */
    BELOW,   /* its last row */
    POWER_SUMS,
    PART_WORDS = POWER_SUMS + POWERS * POWERS
};
typedef struct part {
    u32 word[PART_WORDS];
} part;

/* Adds a part to its region, to which other work-items may add at the same time. */
void add_part(volatile global u32 *record, tile tile, const part *part)
{
    const u32 columns = part->word[COLUMNS];
    const u32 first[3] = {tile.x + 31 - clz(columns & (0 - columns)),
                          tile.whole_y + REGION_ROWS - part->word[ABOVE], tile.whole_z};
    const u32 last[3] = {tile.x + 31 - clz(columns), tile.whole_y + part->word[BELOW],
                         tile.whole_z};
    atomic_add(&record[REGION_SIZE], part->word[POWER_SUMS]);
    for (u32 axis = 0; axis < AXES; axis++) {
        atomic_max(&record[REGION_FIRST + axis], ~first[axis]);
        atomic_max(&record[REGION_LAST + axis], last[axis]);
    }
#if POWERS > 1
    wide sums[POWERS * POWERS];
    for (u32 k = 0; k < POWERS * POWERS; k++)
        sums[k] = wide_of((s32)part->word[POWER_SUMS + k]);
    add_moved(record + REGION_POWER_SUMS, tile, sums);
#endif
}

/* Returns the part that is pixels of one column, first to last, of which sums[q] are the sums of
 * y^q. */
part part_of_column(u32 x, u32 first, u32 last, const s32 sums[POWERS])
{
    part part;
    part.word[COLUMNS] = 1u << x;
    part.word[ABOVE] = REGION_ROWS - first;
    part.word[BELOW] = last;
    for (u32 q = 0; q < POWERS; q++) {
        s32 sum = sums[q];
        for (u32 p = 0; p < POWERS; p++) {
            part.word[POWER_SUMS + POWERS * q + p] = (u32)sum;
            sum *= (s32)x - (s32)REGION_CENTRE;
        }
    }
    return part;
}

/* Adds a part to its place in the tile's table, or to its region. */
void count_part(region_args image, tile tile, u32 label, const part *part, local u32 *names,
                local u32 *table, volatile global u32 *records)
{
    volatile local u32 *place = place_in(names, table, PART_WORDS, label);
    if (!place) {
        add_part(record_of(image, records, REGION_WORDS(POWERS, AXES), label), tile, part);
        return;
    }
    atomic_or(&place[COLUMNS], part->word[COLUMNS]);
    atomic_max(&place[ABOVE], part->word[ABOVE]);
    atomic_max(&place[BELOW], part->word[BELOW]);
    for (u32 k = POWER_SUMS; k < PART_WORDS; k++)
        atomic_add(&place[k], part->word[k]);
}

/* Adds all pixels to their regions.
 *
 * One work-item: a column of a tile. One work-group: GROUP_ROWS tiles. Global traffic: labels, 4
 * bytes a pixel; for each region of a tile an atomic for each word of its sums. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
region_sums(region_args image, global const u32 *labels, volatile global u32 *records)
{
    local u32 names[GROUP_ROWS * PLACES], tables[GROUP_ROWS * PLACES * PART_WORDS];
    clear_tables(names, tables, PART_WORDS);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_COLUMNS(x) {
        const tile tile = tile_at(image, OWN_TILE);
        local u32 *own_names = names + PLACES * OWN_TILE;
        local u32 *table = tables + PLACES * PART_WORDS * OWN_TILE;
        u32 label = 0, first = 0;
        s32 sums[POWERS] = {0};
        for (u32 row = 0; row <= tile.rows && tile.x + x < image.nx; row++) {
            const u32 here = row < tile.rows
                                 ? wanted(image,
                                          labels[pixel_at(image, tile.x + x, tile.y + row, tile.z)])
                                 : 0;
            if (here != label) {
                if (label) {
                    const part part = part_of_column(x, first, row - 1, sums);
                    count_part(image, tile, label, &part, own_names, table, records);
                }
                for (u32 q = 0; q < POWERS; q++)
                    sums[q] = 0;
                label = here;
                first = row;
            }
            s32 power = 1;
            for (u32 q = 0; q < POWERS; q++) {
                sums[q] += power;
                power *= (s32)row - (s32)REGION_CENTRE;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 place = get_local_id(0); place < GROUP_ROWS * PLACES; place += SITE_ITEMS)
        if (names[place]) {
            part part;
            for (u32 k = 0; k < PART_WORDS; k++)
                part.word[k] = tables[PART_WORDS * place + k];
            add_part(record_of(image, records, REGION_WORDS(POWERS, AXES), names[place]),
                     tile_at(image, place / PLACES), &part);
        }
}
