/* SPDX-License-Identifier: BSD-3-Clause */
/* The convex hull of points in space whose coordinates are whole numbers. */
#ifndef CLUP_LABEL_CONVEX_HULL_H
#define CLUP_LABEL_CONVEX_HULL_H
#include "base/status.h"

__extension__ typedef __int128 clup_hull_number;

/* x, y, z, of absolute values below 2^35, so that all numbers here are exact. */
typedef struct clup_hull_point {
    int64_t at[3];
} clup_hull_point;

/* A triangle of the surface: three of the points, and the plane through them. Points of the hull
 * have normal[0]*x + normal[1]*y + normal[2]*z <= offset. */
typedef struct clup_hull_face {
    uint32_t corner[3];
    clup_hull_number normal[3], offset;
} clup_hull_face;

/* Finds the triangles, which the caller frees. points are not all in one plane, and less than 2^32
 * - 1. Faces of the hull with more corners are several triangles in one plane. */
clup_status clup_convex_hull(const clup_hull_point *points, uint32_t count, clup_hull_face **faces,
                             uint32_t *face_count);

#endif
