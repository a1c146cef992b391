/* SPDX-License-Identifier: BSD-3-Clause */
/* Images and volumes of zeros and ones, for labelling; equal on every machine. */
#ifndef CLUP_BENCH_MEASURE_PICTURE_H
#define CLUP_BENCH_MEASURE_PICTURE_H
#include "clup.h"

/* The name of a picture, NULL past the end:
 * "random": squares (cubes) of grain pixels a side, each 1 with probability density;
 * "stripes": every other row, "vertical stripes": every other column;
 * "comb": every other column, and the last row, which joins them;
 * "snake": a path of one pixel's width, along every other row and down at alternate ends;
 * "spiral": one such path from the corner inwards;
 * "blobs": noise, smoothed three times over windows of grain pixels; a pixel is 1 above the level
 * that gives the density of ones; grain is rounded up to a power of two, 0 and 1 stand for 8;
 * "checker": pixels whose coordinates have an even sum are 1.
 * In a volume, random, blobs and checker treat all axes alike; the others have equal layers. A
 * picture without density or grain ignores the argument.
 */
const char *bench_picture_name(size_t row);
/* Draws into pixels[size[0]*size[1]*size[2]], in raster order. Each size is at least 1; 0 <=
 * density <= 1; a grain of 0 stands for 1. CLUP_ERROR_USAGE for an unknown name, or a density or
 * size out of range; CLUP_ERROR_MEMORY when the host has no 2 bytes a pixel for blobs. */
clup_status bench_picture_draw(const char *name, const uint32_t size[3], double density,
                               unsigned grain, uint64_t seed, uint8_t *pixels);

#endif
