/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of the clusters of an image (clusters.clh) from the numbers of its pixels: sizes,
 * bounding boxes, and sums of coordinates, of their products, and of values. All sums are of
 * integers, so that the order of additions does not matter. Floats are converted to integers first,
 * in units that action_measure_tops finds. PIXEL and CHANNELS are as in source_image.cl. */
#include "image/blocks.clh"
#include "core/bonds.clh"
#include "image/clusters.clh"
#include "core/columns.clh"
#include "core/run_bits.clh"
#include "image/floats.clh"

#if defined FLOATS || defined PIXEL_LONG
#define SUM_WORDS WIDE_SUM_WORDS
#else
#define SUM_WORDS NARROW_SUM_WORDS
#endif
#define WORDS_OF_CLUSTER CLUSTER_WORDS(CHANNELS, SUM_WORDS)

/* A sum of values. Each part has two words of it, the lowest part first. */
typedef struct value_sum {
    u64 part[SUM_WORDS / 2];
} value_sum;

value_sum sum_of_two(value_sum a, value_sum b)
{
    value_sum sum;
    u64 carry = 0;
#pragma unroll
    for (u32 k = 0; k < SUM_WORDS / 2; k++) {
        sum.part[k] = a.part[k] + b.part[k] + carry;
        carry = carry ? sum.part[k] <= a.part[k] : sum.part[k] < a.part[k];
    }
    return sum;
}

#ifdef FLOATS
/* Returns the top (clusters.clh) of one value. */
u32 top_of(number number)
{
    return number.finite && number.digits > 0
               ? (u32)(VALUE_TOPS + 64 + number.power - (s32)clz(number.digits))
               : 0;
}

/* Returns a finite number as a multiple of 2^unit, rounded to the nearest. */
value_sum fixed_point(number number, s32 unit)
{
    const u64 digits = number.digits;
    const s32 up = number.power - unit;
    value_sum sum = {{0, 0}};
    if (up >= 64)
        sum.part[1] = digits << (up - 64);
    else if (up > 0)
        sum.part[1] = digits >> (64 - up);
    if (up >= 0 && up < 64)
        sum.part[0] = digits << up;
    else if (up < 0 && up >= -64)
        sum.part[0] = ((digits >> (-up - 1)) + 1) >> 1;
    if (number.negative) {
        sum.part[0] = 0 - sum.part[0];
        sum.part[1] = ~sum.part[1] + (sum.part[0] == 0);
    }
    return sum;
}
#else
value_sum sum_of_pixel(PIXEL pixel)
{
    value_sum sum;
    sum.part[0] = (u64)(long)pixel;
#pragma unroll
    for (u32 k = 1; k < SUM_WORDS / 2; k++)
        sum.part[k] = pixel < 0 ? ~(u64)0 : 0;
    return sum;
}
#endif

#define STRIP 32u /* rows that are read at a time */
#define SITES_EACH (STRIP / GROUP_ROWS)
#define PLACES (TABLE_BYTES / (CHANNELS == 1 ? 64 : 128)) /* places in the table of a group */
#include "image/places.clh"

/* A part of a cluster whose pixels are all in one region: 32 columns of some rows of one z.
 * Coordinates are relative to the region, so that sums fit 32 bits. In the table a part has
 * PART_WORDS words, with SUM_WORDS for each value. */
enum {
    SIZE,
    X, /* sums of coordinates and products */
    Y,
    XX,
    YY,
    XY,
    COLUMNS, /* bit x is set if there is a pixel in column x */
    ABOVE,   /* the region's number of rows minus the first row of the part */
    BELOW,   /* the last row of the part */
    ODD,     /* as CLUSTER_ODD */
    VALUES,
    PART_WORDS = VALUES + SUM_WORDS * CHANNELS
};
typedef struct part {
    u32 word[VALUES];
    value_sum value[CHANNELS];
} part;

/* The first pixel of a region, and the number of rows of a region. */
typedef struct region {
    u32 x, y, z, rows;
} region;

/* add_local() and add_global() add value to two words of a sum, the lower word first, to which
 * other work-items may add at the same time, and return the carry to the next word. add_local_sum()
 * and add_global_sum() add a sum of values. */
#define ADD_TO(SPACE) \
    u32 add_##SPACE(volatile SPACE u32 *sum, u64 value) \
    { \
        const u32 low = (u32)value, before = atomic_add(&sum[0], low); \
        const u64 rest = (value >> 32) + (before + low < before); \
        const u32 high = (u32)rest, there = high ? atomic_add(&sum[1], high) : 0; \
        return (u32)(rest >> 32) + (there + high < there); \
    } \
    void add_##SPACE##_sum(volatile SPACE u32 *sum, value_sum value) \
    { \
        u32 carry = 0; \
        for (u32 k = 0; k < SUM_WORDS / 2; k++) \
            carry = add_##SPACE(&sum[2 * k], value.part[k] + carry); \
    }
ADD_TO(local)
ADD_TO(global)

/* Converts the sums of a part to coordinates of the image, in the order in which clusters have
 * them: x, y, z, xx, yy, zz, xy, xz, yz. For a region that starts at x0 these are sums of x0 + x,
 * (x0 + x)^2 and so on. */
void whole_sums(region region, part part, u64 sums[9])
{
    const u64 size = part.word[SIZE], x = part.word[X], y = part.word[Y];
    const u64 x0 = region.x, y0 = region.y, z = region.z;
    const u64 all_x = size * x0 + x, all_y = size * y0 + y;
    sums[0] = all_x;
    sums[1] = all_y;
    sums[2] = size * z;
    sums[3] = part.word[XX] + x0 * (x + all_x);
    sums[4] = part.word[YY] + y0 * (y + all_y);
    sums[5] = size * z * z;
    sums[6] = part.word[XY] + x0 * y + y0 * all_x;
    sums[7] = z * all_x;
    sums[8] = z * all_y;
}

/* Return the first and the last coordinate of a part along an axis, in the image. */
u32 first_of(region region, part part, u32 axis)
{
    const u32 x = region.x + lowest(part.word[COLUMNS]);
    return axis == 0 ? x : axis == 1 ? region.y + region.rows - part.word[ABOVE] : region.z;
}

u32 last_of(region region, part part, u32 axis)
{
    const u32 x = region.x + 31 - clz(part.word[COLUMNS]);
    return axis == 0 ? x : axis == 1 ? region.y + part.word[BELOW] : region.z;
}

/* Adds a part to its cluster, to which other work-items may add at the same time. */
void add_part(volatile global u32 *cluster, region region, part part)
{
    u64 sums[9];
    whole_sums(region, part, sums);
    atomic_add(&cluster[CLUSTER_SIZE], part.word[SIZE]);
#pragma unroll
    for (u32 axis = 0; axis < AXES; axis++) {
        atomic_max(&cluster[CLUSTER_FIRST + axis], ~first_of(region, part, axis));
        atomic_max(&cluster[CLUSTER_LAST + axis], last_of(region, part, axis));
    }
#pragma unroll
    for (u32 k = 0; k < 9; k++)
        if (AXES > 2 || (k != 2 && k != 5 && k < 7)) /* moments with z */
            add_global(&cluster[CLUSTER_MOMENTS + 2 * k], sums[k]);
    for (u32 c = 0; c < CHANNELS; c++)
        add_global_sum(&cluster[CLUSTER_CHANNEL(c, SUM_WORDS)], part.value[c]);
    if (part.word[ODD])
        atomic_or(&cluster[CLUSTER_ODD(CHANNELS, SUM_WORDS)], part.word[ODD]);
}

/* Writes a cluster of an image in the plane that consists of this part only. */
void put_cluster(global u32 *cluster, region region, part part)
{
    u32 words[WORDS_OF_CLUSTER] = {0};
    u64 sums[9];
    whole_sums(region, part, sums);
    words[CLUSTER_SIZE] = part.word[SIZE];
#pragma unroll
    for (u32 axis = 0; axis < 2; axis++) {
        words[CLUSTER_FIRST + axis] = ~first_of(region, part, axis);
        words[CLUSTER_LAST + axis] = last_of(region, part, axis);
    }
    words[CLUSTER_FIRST + 2] = ~0u;
#pragma unroll
    for (u32 k = 0; k < 9; k++) {
        words[CLUSTER_MOMENTS + 2 * k] = (u32)sums[k];
        words[CLUSTER_MOMENTS + 2 * k + 1] = (u32)(sums[k] >> 32);
    }
#pragma unroll
    for (u32 c = 0; c < CHANNELS; c++)
#pragma unroll
        for (u32 k = 0; k < SUM_WORDS; k++)
            words[CLUSTER_CHANNEL(c, SUM_WORDS) + k] = (u32)(part.value[c].part[k / 2] >>
                                                             32 * (k % 2));
    words[CLUSTER_ODD(CHANNELS, SUM_WORDS)] = part.word[ODD];
    /* clusters are far apart for a store by all work-items, so that fewer stores are better */
#pragma unroll
    for (u32 k = 0; k < WORDS_OF_CLUSTER; k += 4)
        ((global uint4 *)cluster)[k / 4] = (uint4)(words[k], words[k + 1], words[k + 2],
                                                   words[k + 3]);
}

/* Adds the parts in the table to their clusters, and clears the table. The parts have pixels only
 * in rows first to end - 1 of the region. A part that touches neither the first nor the last of
 * these rows, nor a column of edge_columns, is a whole cluster. clusters begins with number from +
 * 1. All work-items of the group call it, with a barrier before and after. */
void empty_table(region region, u32 first, u32 end, u32 edge_columns, u32 from, local u32 *names,
                 local u32 *words, volatile global u32 *clusters)
{
    for (u32 place = get_local_id(0); place < PLACES; place += SITE_ITEMS) {
        part sum;
        local u32 *word = words + place * PART_WORDS;
        if (names[place] == 0)
            continue;
        for (u32 k = 0; k < VALUES; k++)
            sum.word[k] = word[k];
        for (u32 c = 0; c < CHANNELS; c++)
            for (u32 k = 0; k < SUM_WORDS / 2; k++) {
                local u32 *two = word + VALUES + SUM_WORDS * c + 2 * k;
                sum.value[c].part[k] = (u64)two[1] << 32 | two[0];
            }
        volatile global u32 *cluster = clusters +
                                       (ulong)WORDS_OF_CLUSTER * (names[place] - 1 - from);
        if (AXES == 2 && !(sum.word[COLUMNS] & edge_columns) &&
            region.rows - sum.word[ABOVE] > first && sum.word[BELOW] + 1 < end)
            put_cluster((global u32 *)cluster, region, sum);
        else
            add_part(cluster, region, sum);
        for (u32 k = 0; k < PART_WORDS; k++)
            word[k] = 0;
        names[place] = 0;
    }
}

/* Return 0 + 1 + ... + k-1, and the sum of the squares of these numbers. */
u32 sum_below(u32 k)
{
    return k * (k - 1) / 2;
}

u32 squares_below(u32 k)
{
    return k * (k - 1) * (2 * k - 1) / 6;
}

/* Returns the part of a cluster that is columns first to end - 1 of row y of a region. pixels
 * points to the pixel of column first, or is 0 if there are no values. tops are the tops of the
 * cluster's channels, needed for floats. */
part part_of_run(region region, u32 y, u32 first, u32 end, global const PIXEL *pixels,
                 global const u32 *tops)
{
    part run;
    run.word[SIZE] = end - first;
    run.word[X] = sum_below(end) - sum_below(first);
    run.word[Y] = y * run.word[SIZE];
    run.word[XX] = squares_below(end) - squares_below(first);
    run.word[YY] = y * run.word[Y];
    run.word[XY] = y * run.word[X];
    run.word[COLUMNS] = 0xFFFFFFFFu >> (32 - run.word[SIZE]) << first;
    run.word[ABOVE] = region.rows - y;
    run.word[BELOW] = y;
    run.word[ODD] = 0;
    for (u32 c = 0; c < CHANNELS; c++)
        for (u32 k = 0; k < SUM_WORDS / 2; k++)
            run.value[c].part[k] = 0;
    if (!pixels)
        return run;
#ifdef FLOATS
    s32 units[CHANNELS];
    for (u32 c = 0; c < CHANNELS; c++)
        units[c] = value_unit(tops[c]);
#endif
    for (u32 k = first; k < end; k++)
        for (u32 c = 0; c < CHANNELS; c++) {
            const PIXEL pixel = pixels[CHANNELS * (k - first) + c];
#ifdef FLOATS
            const number value = number_of(pixel);
            if (value.finite)
                run.value[c] = sum_of_two(run.value[c], fixed_point(value, units[c]));
            else
                run.word[ODD] |= 1u << c;
#else
            run.value[c] = sum_of_two(run.value[c], sum_of_pixel(pixel));
#endif
        }
    return run;
}

/* Returns the region of a work-group, with region_rows rows. The end of the image may cut it. */
region region_at(lattice_args lattice, u32 region_rows)
{
    const u32 group = get_group_id(0) / lattice.words;
    const u32 regions = (lattice.ny - 1) / region_rows + 1;
    const region region = {get_group_id(0) % lattice.words * 32, group % regions * region_rows,
                           group / regions, region_rows};
    return region;
}

/* Adds all pixels of the image to their clusters, for clusters with numbers from + 1 to from +
 * count. Regions have region_rows rows, a multiple of STRIP. Runs of equal numbers in the rows of a
 * region are added up in a table in local memory. The table is emptied at the end, and earlier when
 * half of it is in use; runs that find no place there are added to their clusters directly. The
 * runs of a strip are found first, by bits for their starts.
 *
 * One work-item: SITES_EACH pixels of a strip. One work-group: a region. Local memory: 11 words,
 * and SUM_WORDS a channel, for each of PLACES. Global traffic, bytes a pixel: numbers 4, pixels;
 * some 20 atomics (30 in a volume) for a cluster of a region, or of a part of it. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_measure(lattice_args lattice, u32 region_rows, u32 from, u32 count,
               global const u32 *numbers, global const PIXEL *pixels, global const u32 *tops,
               volatile global u32 *clusters)
{
    local u32 starts[STRIP], names[PLACES], words[PLACES * PART_WORDS], used;
    const u32 item = get_local_id(0);
    const region region = region_at(lattice, region_rows);
    const u32 nx = min(32u, lattice.nx - region.x), ny = min(region_rows, lattice.ny - region.y);
    const ulong corner = region.x + (ulong)lattice.nx * (region.y + (ulong)lattice.ny * region.z);
    for (u32 k = item; k < PLACES * PART_WORDS; k += SITE_ITEMS)
        words[k] = 0;
    for (u32 k = item; k < PLACES; k += SITE_ITEMS)
        names[k] = 0;
    if (item == 0)
        used = 0;
    u32 since = 0;
    for (u32 strip = 0; strip < ny; strip += STRIP) {
        for (u32 k = item; k < STRIP; k += SITE_ITEMS)
            starts[k] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        FOR_COLUMNS(x)
#pragma unroll
            for (u32 j = 0; j < SITES_EACH; j++) {
                const u32 in_strip = item / 32 + j * GROUP_ROWS, y = strip + in_strip;
                const ulong i = corner + x + (ulong)lattice.nx * y;
                if (x == 0 || x == nx || (x < nx && y < ny && numbers[i] != numbers[i - 1]))
                    atomic_or(&starts[in_strip], 1u << x);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        FOR_COLUMNS(x)
/* numbers are read again, and the loop is not split, to save registers */
#pragma unroll 1
            for (u32 in_strip = item / 32; in_strip < min(STRIP, ny - strip);
                 in_strip += GROUP_ROWS) {
                const u32 y = strip + in_strip;
                const ulong i = corner + x + (ulong)lattice.nx * y;
                const u32 number = x < nx && (starts[in_strip] >> x & 1) ? numbers[i] : 0;
                if (number == 0 || number - 1 - from >= count)
                    continue;
                const u32 later = starts[in_strip] & 0xFFFFFFFEu << x;
                const part run = part_of_run(region, y, x, later ? lowest(later) : 32,
                                             pixels ? pixels + CHANNELS * i : pixels,
                                             tops + (ulong)CHANNELS * (number - 1 - from));
                bool took;
                const u32 place = place_of(names, number, &took);
                if (took)
                    atomic_inc(&used);
                if (place == PLACES) {
                    const ulong to = (ulong)WORDS_OF_CLUSTER * (number - 1 - from);
                    add_part(clusters + to, region, run);
                    continue;
                }
                local u32 *word = words + place * PART_WORDS;
#pragma unroll
                for (u32 k = 0; k < COLUMNS; k++)
                    atomic_add(&word[k], run.word[k]);
                atomic_or(&word[COLUMNS], run.word[COLUMNS]);
                atomic_max(&word[ABOVE], run.word[ABOVE]);
                atomic_max(&word[BELOW], run.word[BELOW]);
                if (run.word[ODD])
                    atomic_or(&word[ODD], run.word[ODD]);
                for (u32 c = 0; c < CHANNELS; c++)
                    add_local_sum(&word[VALUES + SUM_WORDS * c], run.value[c]);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (used > PLACES / 2 || strip + STRIP >= ny) {
            empty_table(region, since, min(strip + STRIP, ny), 1 | 1u << (nx - 1), from, names,
                        words, clusters);
            since = strip + STRIP;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item == 0)
                used = 0;
        }
    }
}

#ifdef FLOATS
/* Raises the tops of a cluster's channels to own: in the table, or if that has no place for number,
 * which is not 0, in tops, which begins with cluster from + 1. */
void raise_tops(u32 number, u32 from, const u32 own[CHANNELS], volatile local u32 *names,
                volatile local u32 *most, volatile global u32 *tops)
{
    bool took;
    const u32 place = place_of(names, number, &took);
    for (u32 c = 0; c < CHANNELS; c++)
        if (place < PLACES)
            atomic_max(&most[place * CHANNELS + c], own[c]);
        else
            atomic_max(&tops[(ulong)CHANNELS * (number - 1 - from) + c], own[c]);
}
#endif

/* Raises the tops (clusters.clh) of the clusters with numbers from + 1 to from + count to those of
 * all their finite values. tops has CHANNELS words for each cluster, 0 at first. Only floats need
 * tops.
 *
 * One work-item: every GROUP_ROWS-th pixel of a column of the region. One work-group: a region, as
 * of action_measure. Local memory: a word, and one a channel, for each of PLACES. Global traffic,
 * bytes a pixel: numbers 4, pixels; an atomic a channel for a cluster of a region. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_measure_tops(lattice_args lattice, u32 region_rows, u32 from, u32 count,
                    global const u32 *numbers, global const PIXEL *pixels,
                    volatile global u32 *tops)
{
#ifdef FLOATS
    local u32 names[PLACES], most[PLACES * CHANNELS];
    const u32 item = get_local_id(0);
    const region region = region_at(lattice, region_rows);
    const u32 nx = min(32u, lattice.nx - region.x), ny = min(region_rows, lattice.ny - region.y);
    const ulong corner = region.x + (ulong)lattice.nx * (region.y + (ulong)lattice.ny * region.z);
    for (u32 k = item; k < PLACES * CHANNELS; k += SITE_ITEMS)
        most[k] = 0;
    for (u32 k = item; k < PLACES; k += SITE_ITEMS)
        names[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_COLUMNS(x) {
        u32 last = 0, own[CHANNELS] = {0};
        for (u32 y = item / 32; x < nx && y < ny; y += GROUP_ROWS) {
            const ulong i = corner + x + (ulong)lattice.nx * y;
            const u32 number = numbers[i] - 1 - from < count ? numbers[i] : 0;
            if (last > 0 && number != last)
                raise_tops(last, from, own, names, most, tops);
            for (u32 c = 0; c < CHANNELS; c++) {
                const u32 top = number > 0 ? top_of(number_of(pixels[CHANNELS * i + c])) : 0;
                own[c] = number == last ? max(own[c], top) : top;
            }
            last = number;
        }
        if (last > 0)
            raise_tops(last, from, own, names, most, tops);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = item; k < PLACES * CHANNELS; k += SITE_ITEMS)
        if (names[k / CHANNELS] > 0)
            atomic_max(&tops[(ulong)CHANNELS * (names[k / CHANNELS] - 1 - from) + k % CHANNELS],
                       most[k]);
#endif
}

/* Returns the number of the cluster of a block (blocks.clh): the largest of the numbers of its
 * pixels, as background is 0. */
u32 block_number(lattice_args lattice, image_args image, global const u32 *numbers,
                 lattice_site site)
{
    u32 number = 0;
    for (u32 p = 0; p < BLOCK * BLOCK * DEEP; p++)
        number = max(number, numbers[block_pixel(lattice, image, site.x, site.row, p)]);
    return number;
}

/* A bond along d that leaves a periodic axis, and whether it is active. */
typedef struct leaving_bond {
    lattice_site from, to;
    bool active;
} leaving_bond;

leaving_bond leaving_bond_at(lattice_args lattice, global const bond_store *bonds, u32 axis, u32 d,
                             u32 k)
{
    const u32 end = leaving_end(lattice_size(lattice, axis), step_along(offsets[d], axis));
    leaving_bond bond;
    bond.from = layer_site(lattice, axis, end, k);
    bond.to = forward_site(lattice, offsets[d], bond.from);
    bond.active = bond.to.row != NOWHERE && bond.to.x != NOWHERE &&
                  bond_active(lattice, bonds, d, bond.from.x, bond.from.row);
    return bond;
}

/* Lists the bonds along d that leave a periodic axis. The list has two words for each bond: the
 * numbers that the clusters at its ends have in the lattice without such bonds, or 0 if the bond is
 * not active.
 *
 * One work-item: a site of the layer that the bonds leave from. Work-group: WORD_ITEMS. Global
 * traffic: for each bond 8 bytes, and for active bonds the numbers of two blocks. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_measure_wraps(lattice_args lattice, image_args image, u32 axis, u32 d,
                     global const bond_store *bonds, global const u32 *numbers, global u32 *joined)
{
    const u32 k = get_global_id(0);
    if (k >= layer_sites(lattice, axis))
        return;
    const leaving_bond bond = leaving_bond_at(lattice, bonds, axis, d, k);
    joined[2 * k] = bond.active ? block_number(lattice, image, numbers, bond.from) : 0;
    joined[2 * k + 1] = bond.active ? block_number(lattice, image, numbers, bond.to) : 0;
}
