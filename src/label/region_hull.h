/* SPDX-License-Identifier: BSD-3-Clause */
/* The convex hull of a region, from the ends of its rows. */
#ifndef CLUP_LABEL_REGION_HULL_H
#define CLUP_LABEL_REGION_HULL_H
#include "base/status.h"

/* The ends of a row as a device leaves them (region_ends.cl): the complement of the first column,
 * and the last one; both are 0 where the row has no pixel of the region. */
typedef uint32_t clup_row_ends[2];

/* Finds the convex hull of the middles of all sides of all pixels. pixels becomes the number of
 * pixels whose middle it contains, diameter the largest distance between two points half-way
 * between such a pixel and a neighbour that is none. width and height are the lengths of a pixel.
 * CLUP_ERROR_MEMORY where the host has not 100 bytes for each row. */
clup_status clup_region_hull(const clup_row_ends *ends, uint32_t rows, double width, double height,
                             uint64_t *pixels, double *diameter);

/* Does that for a region of a volume, of planes of rows. spacing has the lengths of a voxel along
 * x, y and z. CLUP_ERROR_MEMORY where the host has not 16 bytes for each row, 500 for each row of a
 * plane, and 1 kB for each corner that the rows of a plane, or of two, have together. */
clup_status clup_region_hull_volume(const clup_row_ends *ends, uint32_t rows, uint32_t planes,
                                    const double spacing[3], uint64_t *pixels, double *diameter);

#endif
