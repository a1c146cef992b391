/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of pictures, and all of them but the blobs. */
#include <string.h>

#include "bench/measure/picture_row.h"
#include "bench/status.h"

/* A picture: a function that gives each pixel, or one that draws the whole. */
typedef struct picture_row {
    const char *name;
    int (*at)(const uint32_t size[3], uint32_t x, uint32_t y, uint32_t z);
    clup_status (*draw)(const picture *picture, uint8_t *pixels);
} picture_row;

static int stripes_at(const uint32_t size[3], uint32_t x, uint32_t y, uint32_t z)
{
    (void)size, (void)x, (void)z;
    return y % 2 == 0;
}

static int vertical_at(const uint32_t size[3], uint32_t x, uint32_t y, uint32_t z)
{
    (void)size, (void)y, (void)z;
    return x % 2 == 0;
}

static int comb_at(const uint32_t size[3], uint32_t x, uint32_t y, uint32_t z)
{
    (void)z;
    return x % 2 == 0 || y + 1 == size[1];
}

static int snake_at(const uint32_t size[3], uint32_t x, uint32_t y, uint32_t z)
{
    (void)z;
    return y % 2 == 0 || x == (y % 4 == 1 ? size[0] - 1 : 0);
}

static int checker_at(const uint32_t size[3], uint32_t x, uint32_t y, uint32_t z)
{
    (void)size;
    return ((x ^ y ^ z) & 1) == 0;
}

/* Draws squares or cubes. A row or layer with the blocks of the one before is copied. */
static clup_status draw_random(const picture *picture, uint8_t *pixels)
{
    const uint32_t *size = picture->size, grain = picture->grain > 0 ? picture->grain : 1;
    const uint64_t threshold = (uint64_t)(picture->density * 4294967296.0),
                   across = (size[0] - 1) / grain + 1, down = (size[1] - 1) / grain + 1,
                   layer = (uint64_t)size[0] * size[1];
    for (uint32_t z = 0; z < size[2]; z++) {
        uint8_t *to = pixels + z * layer;
        if (z % grain != 0) {
            memcpy(to, to - layer, layer);
            continue;
        }
        for (uint32_t y = 0; y < size[1]; y++, to += size[0]) {
            const uint64_t first = across * (y / grain + down * (z / grain));
            if (y % grain != 0) {
                memcpy(to, to - size[0], size[0]);
                continue;
            }
            for (uint32_t x = 0; x < size[0]; x++)
                to[x] = x % grain != 0
                            ? to[x - 1]
                            : picture_noise(picture->seed, first + x / grain) >> 32 < threshold;
        }
    }
    return CLUP_OK;
}

static void copy_layers(const picture *picture, uint8_t *pixels)
{
    const size_t layer = (size_t)picture->size[0] * picture->size[1];
    for (uint32_t z = 1; z < picture->size[2]; z++)
        memcpy(pixels + z * layer, pixels, layer);
}

/* Draws from the corner, and turns right where the next pixel would touch the path. */
static clup_status draw_spiral(const picture *picture, uint8_t *pixels)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const int64_t nx = picture->size[0], ny = picture->size[1];
    int64_t x = 0, y = 0;
    memset(pixels, 0, (size_t)(nx * ny));
    pixels[0] = 1;
    for (unsigned turn = 0, turns = 0; turns < 2;) {
        const int64_t to_x = x + steps[turn][0], to_y = y + steps[turn][1];
        unsigned touched = to_x < 0 || to_x >= nx || to_y < 0 || to_y >= ny ? 2 : 0;
        for (unsigned k = 0; k < 4 && touched < 2; k++) {
            const int64_t at_x = to_x + steps[k][0], at_y = to_y + steps[k][1];
            if (at_x >= 0 && at_x < nx && at_y >= 0 && at_y < ny)
                touched += pixels[at_y * nx + at_x];
        }
        if (touched < 2) {
            x = to_x, y = to_y;
            pixels[y * nx + x] = 1;
            turns = 0;
        } else {
            turn = (turn + 1) % 4;
            turns++;
        }
    }
    copy_layers(picture, pixels);
    return CLUP_OK;
}

static const picture_row rows[] = {
    {"random", NULL, draw_random},
    {"stripes", stripes_at, NULL},
    {"vertical stripes", vertical_at, NULL},
    {"comb", comb_at, NULL},
    {"snake", snake_at, NULL},
    {"spiral", NULL, draw_spiral},
    {"blobs", NULL, picture_blobs},
    {"checker", checker_at, NULL},
};
#define ROWS (sizeof rows / sizeof *rows)

const char *bench_picture_name(size_t row)
{
    return row < ROWS ? rows[row].name : NULL;
}

clup_status bench_picture_draw(const char *name, const uint32_t size[3], double density,
                               unsigned grain, uint64_t seed, uint8_t *pixels)
{
    const picture picture = {
        {size[0], size[1], size[2]}, (uint64_t)size[0] * size[1] * size[2], density, grain, seed};
    size_t row = 0;
    while (row < ROWS && strcmp(rows[row].name, name) != 0)
        row++;
    if (row == ROWS)
        return bench_fail(CLUP_ERROR_USAGE, "there is no picture '%s'", name);
    if (picture.pixels == 0)
        return bench_fail(CLUP_ERROR_USAGE, "a picture of %u x %u x %u pixels has none",
                          (unsigned)size[0], (unsigned)size[1], (unsigned)size[2]);
    if (!(density >= 0 && density <= 1))
        return bench_fail(CLUP_ERROR_USAGE, "a picture's density is 0 to 1, not %g", density);
    if (rows[row].draw != NULL)
        return rows[row].draw(&picture, pixels);
    for (uint32_t z = 0; z < size[2]; z++)
        for (uint32_t y = 0; y < size[1]; y++)
            for (uint32_t x = 0; x < size[0]; x++)
                *pixels++ = (uint8_t)rows[row].at(size, x, y, z);
    return CLUP_OK;
}
