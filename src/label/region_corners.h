/* SPDX-License-Identifier: BSD-3-Clause */
/* The corners of the convex hull of points in a plane, row by row. Coordinates are twice those of
 * pixels, so that the middles of sides are whole numbers; a level is all points of one y, of which
 * level 0 is half a pixel above the first row. */
#ifndef CLUP_LABEL_REGION_CORNERS_H
#define CLUP_LABEL_REGION_CORNERS_H
#include "base/status.h"

typedef struct clup_corner {
    int64_t x, y;
} clup_corner;

/* The first and the last point of each level, or pixel of a row; none where last is before first.
 */
typedef struct clup_level {
    int64_t first, last;
} clup_level;

typedef struct clup_corners {
    clup_level *levels; /* [count] */
    uint64_t count;
    clup_corner *left, *right; /* [lefts] and [rights], from the first level to the last */
    uint64_t lefts, rights;
} clup_corners;

/* Makes levels, without points, above, in the middle of and below each of so many rows. Clear them
 * after a failure too. */
clup_status clup_corners_create(uint64_t rows, clup_corners *corners);
void clup_corners_clear(clup_corners *corners);
/* Takes all points away. */
void clup_corners_empty(clup_corners *corners);
/* Adds points from first to last to a level; none where last is before first. */
void clup_level_include(clup_level *level, int64_t first, int64_t last);
/* Adds to a level the columns that only one of two rows of pixels has; either may have none. */
void clup_level_border(clup_level *level, const clup_level *a, const clup_level *b);
/* Sets left and right to the corners of the hull of all points. */
void clup_corners_find(clup_corners *corners);
/* Returns numerator/denominator rounded down; denominator > 0. */
int64_t clup_floor_of(int64_t numerator, int64_t denominator);

#endif
