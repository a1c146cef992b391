/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts for each region what its Euler number, perimeter and surface follow from (region.clh).
 * Whether a neighbour is in the region is whether it has the same label; beyond the image no pixel
 * is. */
#include "image/region_tiles.clh"

#define PART_WORDS FACE_NUMBERS(AXES)

#if AXES > 2
/* Returns the label at a place; 0 outside of the image, as before 0 is 2^32 - 1. */
u32 label_at(region_args image, global const u32 *labels, u32 x, u32 y, u32 z)
{
    return x < image.nx && y < image.ny && z < image.nz ? labels[pixel_at(image, x, y, z)] : 0;
}

/* Bit k is set if the neighbour (k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1) has the same label; those
 * that come before in raster order are bits 0 to 12. */
u32 earlier_at(region_args image, global const u32 *labels, u32 x, u32 y, u32 z, u32 label)
{
    u32 same = 0;
    for (u32 k = 0; k < 13; k++)
        same |= (u32)(label_at(image, labels, x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1) ==
                      label)
                << k;
    return same;
}

/* The earlier pixels around each vertex, edge and face of a pixel, in the order of the neighbours
 * on the other side, as bits of earlier_at(). */
constant ushort around[27] = {0x161B, 0x0412, 0x0C36, 0x1018, 0x0010, 0x0030, 0x10D8,
                              0x0090, 0x01B0, 0x1600, 0x0400, 0x0C00, 0x1000, 0x0000,
                              0x0000, 0x1000, 0x0000, 0x0000, 0x1600, 0x0400, 0x0C00,
                              0x1000, 0x0000, 0x0000, 0x1000, 0x0000, 0x0000};

/* Returns the share of a pixel in the Euler number of its region: the vertices, less the edges,
 * plus the faces, less the pixel, that no earlier pixel of the region has. */
s32 euler_share(u32 earlier)
{
    s32 share = 0;
    for (u32 k = 0; k < 27; k++) {
        const u32 apart = (k % 3 != 1) + (k / 3 % 3 != 1) + (k / 9 != 1);
        if (!(earlier & around[k]))
            share += apart % 2 ? 1 : -1;
    }
    return share;
}
#endif

/* Adds the numbers of a column to a table's place, or for none to a record. */
void count_part(const u32 numbers[PART_WORDS], volatile local u32 *place,
                volatile global u32 *record)
{
    for (u32 k = 0; k < PART_WORDS; k++)
        if (numbers[k] && place)
            atomic_add(&place[k], numbers[k]);
        else if (numbers[k])
            atomic_add(&record[k], numbers[k]);
}

/* The labels around a pixel in the plane: rows y - 1 to y + 2, columns x - 2 to x + 2; and whether
 * the pixels of rows y - 1 to y + 1 and columns x - 1 to x + 1 are at the border of their region:
 * have a neighbour along an axis with another label. */
#if AXES == 2
#define ROWS 4
#define COLUMNS 5
typedef struct window {
    u32 label[ROWS][COLUMNS];
    bool border[3][3];
} window;

/* Moves the window down by a row, to one whose last row is y. Outside of the image labels are 0;
 * row or column -1 is 2^32 - 1. */
void move_down(window *window, region_args image, global const u32 *labels, u32 x, u32 y)
{
    for (u32 row = 0; row + 1 < ROWS; row++)
        for (u32 k = 0; k < COLUMNS; k++)
            window->label[row][k] = window->label[row + 1][k];
    const bool there = y < image.ny;
    global const u32 *row_of = labels + (ulong)image.nx * (there ? y : 0);
    for (u32 k = 0; k < COLUMNS; k++) {
        const u32 column = x + k - 2;
        window->label[ROWS - 1][k] = there && column < image.nx ? row_of[column] : 0;
    }
    for (u32 k = 0; k < 3; k++) {
        const u32 label = window->label[2][k + 1];
        window->border[0][k] = window->border[1][k];
        window->border[1][k] = window->border[2][k];
        window->border[2][k] = window->label[1][k + 1] != label ||
                               window->label[3][k + 1] != label || window->label[2][k] != label ||
                               window->label[2][k + 2] != label;
    }
}

/* Whether the neighbour of the window's middle has its label. */
#define SAME(window, dx, dy) ((window)->label[1 + (dy)][2 + (dx)] == (window)->label[1][2])

/* Adds what the middle of the window adds to its region. */
void count_pixel(const window *window, u32 numbers[PART_WORDS])
{
    const u32 west = SAME(window, -1, 0), north_west = SAME(window, -1, -1),
              north = SAME(window, 0, -1), north_east = SAME(window, 1, -1);
    numbers[0] += !north_west;
    numbers[1] += !north;
    numbers[2] += !north_east;
    numbers[3] += !west;
    /* vertices less edges and faces */
    numbers[FACE_EULER(2)] += (u32) !(west | north_west | north) - (u32)(north_east && !north);
    if (!window->border[1][1])
        return;
    u32 beside = 0, across = 0; /* neighbours at the border; at most three are beside */
    for (s32 dy = -1; dy <= 1; dy++)
        for (s32 dx = -1; dx <= 1; dx++) {
            const u32 there = window->border[1 + dy][1 + dx] && SAME(window, dx, dy);
            beside += (dx == 0) != (dy == 0) ? there : 0;
            across += dx != 0 && dy != 0 ? there : 0;
        }
    numbers[FACE_PERIMETER(2)] += beside >= 2 && across <= 2;
    numbers[FACE_PERIMETER(2) + 1] += (beside == 0 && across == 2) || (beside == 1 && across == 3);
    numbers[FACE_PERIMETER(2) + 2] += beside == 1 && (across == 1 || across == 2);
}
#endif

/* Counts the faces of all pixels for their regions.
 *
 * One work-item: a column of a tile. One work-group: GROUP_ROWS tiles. Global traffic, bytes a
 * pixel: labels 4, of which those nearby are read again from a cache; for each region of a tile an
 * atomic for each number that is not 0. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
region_faces(region_args image, global const u32 *labels, volatile global u32 *records)
{
    local u32 names[GROUP_ROWS * PLACES], tables[GROUP_ROWS * PLACES * PART_WORDS];
    clear_tables(names, tables, PART_WORDS);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_COLUMNS(x) {
        const tile tile = tile_at(image, OWN_TILE);
        u32 label = 0, numbers[PART_WORDS] = {0};
#if AXES == 2
        window window = {{{0}}, {{false}}};
        for (u32 k = 0; tile.x + x < image.nx && k < ROWS; k++)
            move_down(&window, image, labels, tile.x + x, tile.y + k - 2);
#endif
        for (u32 row = 0; row <= tile.rows && tile.x + x < image.nx; row++) {
#if AXES == 2
            move_down(&window, image, labels, tile.x + x, tile.y + row + 2);
            const u32 at = window.label[1][2];
#else
            const u32 at = row < tile.rows
                               ? labels[pixel_at(image, tile.x + x, tile.y + row, tile.z)]
                               : 0;
#endif
            const u32 here = row < tile.rows ? wanted(image, at) : 0;
            if (here != label) {
                if (label)
                    count_part(numbers,
                               place_in(names + PLACES * OWN_TILE,
                                        tables + PLACES * PART_WORDS * OWN_TILE, PART_WORDS, label),
                               record_of(image, records, FACE_WORDS, label));
                for (u32 k = 0; k < PART_WORDS; k++)
                    numbers[k] = 0;
                label = here;
            }
            if (label == 0)
                continue;
#if AXES == 2
            count_pixel(&window, numbers);
#else
            const u32 earlier = earlier_at(image, labels, tile.x + x, tile.y + row, tile.z, label);
            for (u32 k = 0; k < 13; k++)
                numbers[k] += !(earlier >> k & 1);
            numbers[FACE_EULER(3)] += (u32)euler_share(earlier);
#endif
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 place = get_local_id(0); place < GROUP_ROWS * PLACES; place += SITE_ITEMS)
        if (names[place])
            for (u32 k = 0; k < PART_WORDS; k++)
                if (tables[PART_WORDS * place + k])
                    atomic_add(&record_of(image, records, FACE_WORDS, names[place])[k],
                               tables[PART_WORDS * place + k]);
}
