/* SPDX-License-Identifier: BSD-3-Clause */
/* Shades of gray like those of real pictures, made from a seed: with large empty or full regions,
 * edges, text and grains, which noise alone does not have. */
#ifndef CLUP_TESTS_SHADES_H
#define CLUP_TESTS_SHADES_H
#include <math.h>
#include <stdint.h>

#include "clup.h"

typedef struct shades {
    uint64_t seed;
    unsigned kind;           /* index of shade_names */
    double scale;            /* pixels of a grain, a wave or a letter */
    const clup_image *photo; /* gray values of 8 bits, for photographs alone */
} shades;

enum { WAVES, RINGS, BLOBS, TEXT, GRAINS, CLOUDS, DOTS, HOLES, FRAMES, PHOTOGRAPH, SHADES };
static const char *const shade_names[SHADES] = {"waves",  "rings", "blobs", "text",   "grains",
                                                "clouds", "dots",  "holes", "frames", "photograph"};

/* A hash of 64 bits of a number. */
static inline uint64_t mixed(uint64_t a)
{
    a = (a ^ a >> 30) * 0xBF58476D1CE4E5B9u;
    a = (a ^ a >> 27) * 0x94D049BB133111EBu;
    return a ^ a >> 31;
}

/* A hash of a place in a grid, in [0, 1). */
static inline double hashed(uint64_t seed, int64_t x, int64_t y, int64_t z)
{
    return (double)(mixed(seed + mixed((uint64_t)x + mixed((uint64_t)y + mixed((uint64_t)z)))) >>
                    11) *
           0x1p-53;
}

/* Interpolates between hashed values of a grid with cells of 1, at (x, y). */
static inline double smooth(uint64_t seed, double x, double y, int64_t z)
{
    const double fx = x - floor(x), fy = y - floor(y);
    const int64_t ix = (int64_t)floor(x), iy = (int64_t)floor(y);
    const double upper = hashed(seed, ix, iy, z) * (1 - fx) + hashed(seed, ix + 1, iy, z) * fx,
                 lower = hashed(seed, ix, iy + 1, z) * (1 - fx) +
                         hashed(seed, ix + 1, iy + 1, z) * fx;
    return upper * (1 - fy) + lower * fy;
}

/* 1 at a centre, falling to 0 far from all centres. Each cell of 1 has one centre, at a random
 * place. */
static inline double near_centre(uint64_t seed, double x, double y, int64_t z)
{
    double nearest = 1;
    for (int k = 0; k < 9; k++) {
        const int64_t cx = (int64_t)floor(x) + k % 3 - 1, cy = (int64_t)floor(y) + k / 3 - 1;
        const double dx = (double)cx + hashed(seed, cx, cy, z) - x,
                     dy = (double)cy + hashed(seed + 1, cx, cy, z) - y;
        nearest = fmin(nearest, hypot(dx, dy));
    }
    return 1 - nearest;
}

/* Glyphs of 5 x 7 points in cells of 6 x 10, in lines, some of which are empty. */
static inline double ink(uint64_t seed, int64_t x, int64_t y, int64_t z)
{
    const int64_t line = y / 10, glyph = x / 6, px = x % 6, py = y % 10;
    const bool blank = px == 5 || py >= 7 || hashed(seed, 0, line, z) < 0.3 ||
                       (double)(glyph % 80) > 80 * hashed(seed + 1, glyph / 80, line, z);
    return !blank &&
           hashed(seed + mixed((uint64_t)(40 * hashed(seed + 2, glyph, line, z))), px, py, 0) < 0.5;
}

/* The shade of a pixel, in [0, 1). */
static inline double shade(const shades *of, uint32_t x, uint32_t y, uint32_t z)
{
    const uint64_t seed = of->seed;
    const double scale = of->scale, sx = x / scale, sy = y / scale,
                 turned = 6.283 * hashed(seed, 1, 2, 3), a = cos(turned), b = sin(turned);
    const int64_t iz = (int64_t)(z / scale);
    double sum = 0;
    switch (of->kind) {
    case WAVES: return 0.4999 + 0.25 * (sin(a * sx + b * sy + iz) + sin(3 * (a * sy - b * sx)));
    case RINGS:
        return 0.4999 +
               0.4999 * sin(hypot(sx - 9 * hashed(seed, 0, 0, 0), sy - 9 * a * a) + (double)iz);
    case BLOBS: return 0.999 * fmax(0, near_centre(seed, sx / 4, sy / 4, iz));
    case TEXT: return 0.9 * ink(seed, (int64_t)(sx), (int64_t)(sy), iz);
    case GRAINS: return hashed(seed, (int64_t)sx, (int64_t)sy, iz);
    case CLOUDS:
        for (int k = 0; k < 6; k++)
            sum += smooth(seed, ldexp(sx / 16, k), ldexp(sy / 16, k), iz) / (2 << k);
        return sum;
    case DOTS: return 0.9 * (hashed(seed, x, y, z) < 0.02 / (scale * scale));
    case HOLES: return 0.9 * (hashed(seed, x, y, z) > 0.02 / (scale * scale));
    case FRAMES: /* rectangles, each with other contents */
        sum = hashed(seed, (int64_t)(sx / 32), (int64_t)(sy / 32), iz);
        return sum < 0.3 ? 0 : sum < 0.6 ? 0.95 : hashed(seed, x, y, z) * 0.999;
    case PHOTOGRAPH: /* the photograph, and beside it once more */
        return ((const uint8_t *)
                    of->photo->pixels)[(uint64_t)((y + seed % 977) % of->photo->size[1]) *
                                           of->photo->size[0] +
                                       (x + seed / 977 % 977) % of->photo->size[0]] /
               256.0;
    default: return 0;
    }
}

#endif
