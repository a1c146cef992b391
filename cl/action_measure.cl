/* Statistics of the clusters of an image from their numbers, see clusters.clh: sizes, boxes, sums of coordinates, of their products, and of
 * values. All sums are of integers, so that the order of additions does not matter. With PIXEL and CHANNELS as in source_image.cl. */
#include "blocks.clh"
#include "bonds.clh"
#include "clusters.clh"
#include "columns.clh"
#include "labels.clh"

#define STRIP 32u /* rows that are looked at in one go */
#define SITES_EACH (STRIP / GROUP_ROWS)
#define PLACES (TABLE_BYTES / (CHANNELS == 1 ? 64 : 128))
#define PROBES 4u

/* A part of a cluster: relative coordinates in a region of one z, whose sums fit 32 bits. Also the words of a place of the table, where
 * values have two each. */
enum { SIZE, X, Y, XX, YY, XY, COLUMNS, ABOVE, BELOW, ODD, VALUES, PART_WORDS = VALUES + 2 * CHANNELS };
typedef struct part {
    u32 word[VALUES]; /* COLUMNS: bit x; ABOVE: region's rows less the first; BELOW: the last */
    u64 value[CHANNELS];
} part;

/* Where the region starts, and its rows. */
typedef struct region {
    u32 x, y, z, rows;
} region;

u32 lowest(u32 bits)
{
    return 31 - clz(bits & (0 - bits));
}

void add_local(volatile local u32 *sum, u64 value)
{
    const u32 low = (u32)value, before = atomic_add(&sum[0], low), high = (u32)(value >> 32) + (before + low < before);
    if (high)
        atomic_add(&sum[1], high);
}

void add_global(volatile global u32 *sum, u64 value)
{
    const u32 low = (u32)value, before = atomic_add(&sum[0], low), high = (u32)(value >> 32) + (before + low < before);
    if (high)
        atomic_add(&sum[1], high);
}

void add_box(volatile global u32 *cluster, u32 axis, u32 first, u32 last)
{
    atomic_max(&cluster[CLUSTER_FIRST + axis], ~first);
    atomic_max(&cluster[CLUSTER_LAST + axis], last);
}

/* Adds a part to its cluster: sums of x0 + x, (x0 + x)^2 etc. */
void add_part(volatile global u32 *cluster, region region, part part)
{
    const u64 size = part.word[SIZE], x = part.word[X], y = part.word[Y], x0 = region.x, y0 = region.y, z = region.z, all_x = size * x0 + x, all_y = size * y0 + y;
    const u32 columns = part.word[COLUMNS];
    volatile global u32 *sums = cluster + CLUSTER_SUMS;
    atomic_add(&cluster[CLUSTER_SIZE], part.word[SIZE]);
    add_box(cluster, 0, region.x + lowest(columns), region.x + 31 - clz(columns));
    add_box(cluster, 1, region.y + region.rows - part.word[ABOVE], region.y + part.word[BELOW]);
    add_global(&sums[0], all_x);
    add_global(&sums[2], all_y);
    add_global(&sums[6], part.word[XX] + x0 * (x + all_x));
    add_global(&sums[8], part.word[YY] + y0 * (y + all_y));
    add_global(&sums[12], part.word[XY] + x0 * y + y0 * all_x);
    if (AXES > 2) {
        add_box(cluster, 2, region.z, region.z);
        add_global(&sums[4], size * z);
        add_global(&sums[10], size * z * z);
        add_global(&sums[14], z * all_x);
        add_global(&sums[16], z * all_y);
    }
    for (u32 c = 0; c < CHANNELS; c++)
        add_global(&cluster[CLUSTER_CHANNEL(c)], part.value[c]);
    if (part.word[ODD])
        atomic_or(&cluster[CLUSTER_ODD(CHANNELS)], part.word[ODD]);
}

/* The same for all of a cluster in the plane: there are no other parts. */
void put_cluster(global u32 *cluster, region region, part part)
{
    const u64 size = part.word[SIZE], x = part.word[X], y = part.word[Y], x0 = region.x, y0 = region.y, all_x = size * x0 + x, all_y = size * y0 + y;
    const u64 sums[9] = {all_x, all_y, 0, part.word[XX] + x0 * (x + all_x), part.word[YY] + y0 * (y + all_y), 0, part.word[XY] + x0 * y + y0 * all_x, 0, 0};
    const u32 columns = part.word[COLUMNS];
    cluster[CLUSTER_SIZE] = part.word[SIZE];
    cluster[CLUSTER_FIRST] = ~(region.x + lowest(columns));
    cluster[CLUSTER_FIRST + 1] = ~(region.y + region.rows - part.word[ABOVE]);
    cluster[CLUSTER_FIRST + 2] = ~0u;
    cluster[CLUSTER_LAST] = region.x + 31 - clz(columns);
    cluster[CLUSTER_LAST + 1] = region.y + part.word[BELOW];
    #pragma unroll
    for (u32 k = 0; k < 9; k++) {
        cluster[CLUSTER_SUMS + 2 * k] = (u32)sums[k];
        cluster[CLUSTER_SUMS + 2 * k + 1] = (u32)(sums[k] >> 32);
    }
    for (u32 c = 0; c < CHANNELS; c++) {
        cluster[CLUSTER_CHANNEL(c)] = (u32)part.value[c];
        cluster[CLUSTER_CHANNEL(c) + 1] = (u32)(part.value[c] >> 32);
    }
    cluster[CLUSTER_ODD(CHANNELS)] = part.word[ODD];
}

/* The place of a number in the table, of which used are taken; PLACES when those it can have are others'. */
u32 place_of(volatile local u32 *names, volatile local u32 *used, u32 number)
{
    u32 place = number * 0x9E3779B9u >> 16 & (PLACES - 1);
    for (u32 probe = 0; probe < PROBES; probe++) {
        const u32 there = atomic_cmpxchg(&names[place], 0, number);
        if (there == 0)
            atomic_inc(used);
        if (there == 0 || there == number)
            return place;
        place = (place + 1) % PLACES;
    }
    return PLACES;
}

/* Adds the parts in the table, of rows first to end - 1 of the region, to their clusters, number from + 1 being the first, and clears it. What
 * touches none of the edges is a whole cluster. */
void empty_table(region region, u32 first, u32 end, u32 edge_columns, u32 from, local u32 *names, local u32 *words, volatile global u32 *clusters)
{
    for (u32 place = get_local_id(0); place < PLACES; place += SITE_ITEMS) {
        part sum;
        local u32 *word = words + place * PART_WORDS;
        if (names[place] == 0)
            continue;
        for (u32 k = 0; k < VALUES; k++)
            sum.word[k] = word[k];
        for (u32 c = 0; c < CHANNELS; c++)
            sum.value[c] = (u64)word[VALUES + 2 * c + 1] << 32 | word[VALUES + 2 * c];
        volatile global u32 *cluster = clusters + (ulong)CLUSTER_WORDS(CHANNELS) * (names[place] - 1 - from);
        if (AXES == 2 && !(sum.word[COLUMNS] & edge_columns) && region.rows - sum.word[ABOVE] > first && sum.word[BELOW] + 1 < end)
            put_cluster((global u32 *)cluster, region, sum);
        else
            add_part(cluster, region, sum);
        for (u32 k = 0; k < PART_WORDS; k++)
            word[k] = 0;
        names[place] = 0;
    }
}

/* 0 + 1 + ... + k-1, and the same of squares. */
u32 sum_below(u32 k)
{
    return k * (k - 1) / 2;
}

u32 squares_below(u32 k)
{
    return k * (k - 1) * (2 * k - 1) / 6;
}

/* A run of pixels first to end - 1 of row y of a region; no pixels, no values. */
part part_of_run(region region, u32 y, u32 first, u32 end, global const PIXEL *pixels, global const u32 *largest, u32 room)
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
        run.value[c] = 0;
    if (!pixels)
        return run;
    for (u32 k = first; k < end; k++)
        for (u32 c = 0; c < CHANNELS; c++) {
#ifdef PIXEL_FLOAT
            const u32 bits = as_uint(pixels[CHANNELS * (k - first) + c]);
            if ((bits >> 23 & 255) < 255)
                run.value[c] += fixed_point(bits, value_unit(largest[c], room));
            else
                run.word[ODD] |= 1u << c;
#else
            run.value[c] += (u64)(long)pixels[CHANNELS * (k - first) + c];
#endif
        }
    return run;
}

/* The clusters with numbers from + 1 to from + count. A region is 32 columns of some rows, a multiple of STRIP, of one z. Runs of equal
 * numbers in its rows are added up in a table in local memory, which is emptied at the end, and before when half of it is in use; those that
 * find no place there go straight to their clusters.
 *
 * One work-item: SITES_EACH pixels of a strip. One work-group: a region. Local memory: 11 words, and two a channel, for each of PLACES.
 * Global traffic, bytes a pixel: numbers 4, pixels; some 20 atomics (30 in a volume) for a cluster of a region, or of a part of it. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_measure(lattice_args lattice, u32 region_rows, u32 from, u32 count, global const u32 *numbers, global const PIXEL *pixels, global const u32 *largest,
                    u32 room, volatile global u32 *clusters)
{
    local u32 starts[STRIP], names[PLACES], words[PLACES * PART_WORDS], used;
    const u32 item = get_local_id(0), regions = (lattice.ny - 1) / region_rows + 1, group = get_group_id(0) / lattice.words;
    const region region = {get_group_id(0) % lattice.words * 32, group % regions * region_rows, group / regions, region_rows};
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
            /* numbers are read again, and the loop stays one, for the sake of registers */
            #pragma unroll 1
            for (u32 in_strip = item / 32; in_strip < min(STRIP, ny - strip); in_strip += GROUP_ROWS) {
                const u32 y = strip + in_strip;
                const ulong i = corner + x + (ulong)lattice.nx * y;
                const u32 number = x < nx && (starts[in_strip] >> x & 1) ? numbers[i] : 0;
                if (number == 0 || number - 1 - from >= count)
                    continue;
                const u32 later = starts[in_strip] & 0xFFFFFFFEu << x, end = later ? lowest(later) : 32;
                const part run = part_of_run(region, y, x, end, pixels ? pixels + CHANNELS * i : pixels, largest, room);
                const u32 place = place_of(names, &used, number);
                if (place == PLACES) {
                    add_part(clusters + (ulong)CLUSTER_WORDS(CHANNELS) * (number - 1 - from), region, run);
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
                    add_local(&word[VALUES + 2 * c], run.value[c]);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (used > PLACES / 2 || strip + STRIP >= ny) {
            empty_table(region, since, min(strip + STRIP, ny), 1 | 1u << (nx - 1), from, names, words, clusters);
            since = strip + STRIP;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item == 0)
                used = 0;
        }
    }
}

/* The largest absolute value of each channel that is finite, as bits, of pixels of clusters; largest is 0 at first.
 *
 * One work-item: every total-th pixel. Global traffic, bytes a pixel: numbers 4, pixels; an atomic for each group and channel. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_measure_largest(ulong sites, global const u32 *numbers, global const PIXEL *pixels, volatile global u32 *largest)
{
#ifdef PIXEL_FLOAT
    local u32 most[CHANNELS];
    u32 mine[CHANNELS];
    for (u32 c = 0; c < CHANNELS; c++)
        mine[c] = 0;
    for (u32 c = get_local_id(0); c < CHANNELS; c += SITE_ITEMS)
        most[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong i = get_global_id(0); i < sites; i += get_global_size(0))
        for (u32 c = 0; c < CHANNELS && numbers[i] != 0; c++) {
            const u32 bits = as_uint(pixels[CHANNELS * i + c]) & 0x7FFFFFFFu;
            if (bits < 0x7F800000u)
                mine[c] = max(mine[c], bits);
        }
    for (u32 c = 0; c < CHANNELS; c++)
        atomic_max(&most[c], mine[c]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 c = get_local_id(0); c < CHANNELS; c += SITE_ITEMS)
        atomic_max(&largest[c], most[c]);
#endif
}

/* The number of a block, one of whose pixels has one. */
u32 block_number(lattice_args lattice, image_args image, global const u32 *numbers, lattice_site site)
{
    u32 number = 0;
    for (u32 p = 0; p < BLOCK * BLOCK * DEEP; p++)
        number = max(number, numbers[block_pixel(lattice, image, site.x, site.row, p)]);
    return number;
}

/* The bonds along d that leave a periodic axis, once the clusters are known that the lattice has without those of any: the roots that each
 * joins and the number of the whole cluster; NOWHERE, and 0, for one that is not active.
 *
 * One work-item: a site of the layer that they leave from. Work-group: WORD_ITEMS. Global traffic: for each 12 bytes, and of active bonds
 * two walks to a root. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1)))
void action_measure_wraps(lattice_args lattice, image_args image, u32 axis, u32 d, global const bond_store *bonds, global const label *labels, global const u32 *numbers,
                          global u32 *joined)
{
    const u32 k = get_global_id(0), end = leaving_end(lattice_size(lattice, axis), step_along(offsets[d], axis));
    if (k >= layer_sites(lattice, axis))
        return;
    const lattice_site from = layer_site(lattice, axis, end, k), to = forward_site(lattice, offsets[d], from);
    const bool active = to.row != NOWHERE && to.x != NOWHERE && bond_active(lattice, bonds, d, from.x, from.row);
    const label a = from.row * lattice.nx + from.x;
    joined[3 * k] = active ? label_root(labels, a) : NOWHERE;
    joined[3 * k + 1] = active ? label_root(labels, to.row * lattice.nx + to.x) : NOWHERE;
    joined[3 * k + 2] = active ? block_number(lattice, image, numbers, from) : 0;
}
