/* SPDX-License-Identifier: BSD-3-Clause */
/* Convex hulls of regions in the plane (region_corners.h). */
#include "label/region_hull.h"

#include <math.h>
#include <stdlib.h>

#include "label/region_corners.h"

typedef clup_corner point;
typedef clup_level level;
typedef clup_corners hull;

/* Returns the last pixel at or before the edge from a to b at level y. */
static int64_t pixel_before(point a, point b, int64_t y)
{
    const int64_t height = b.y - a.y;
    return clup_floor_of(a.x * height + (b.x - a.x) * (y - a.y), 2 * height);
}

/* Returns the first edge, from edge on, that reaches level y. */
static uint64_t edge_at(const point *corners, uint64_t edge, int64_t y)
{
    while (corners[edge + 1].y < y)
        edge++;
    return edge;
}

/* Writes the pixels of the hull in each row to pixels, and returns their number. */
static uint64_t fill(const hull *hull, uint64_t rows, level *pixels)
{
    uint64_t left = 0, right = 0, count = 0;
    for (uint64_t row = 0; row < rows; row++) {
        const int64_t y = 2 * (int64_t)row + 1;
        left = edge_at(hull->left, left, y);
        right = edge_at(hull->right, right, y);
        const point a = hull->left[left], b = hull->left[left + 1];
        pixels[row].first = -pixel_before((point){-a.x, a.y}, (point){-b.x, b.y}, y);
        pixels[row].last = pixel_before(hull->right[right], hull->right[right + 1], y);
        count += (uint64_t)(pixels[row].last - pixels[row].first + 1);
    }
    return count;
}

/* Sets the levels to those of the middles of all sides of the pixels that a region has. */
static void set_sides(hull *hull, const clup_row_ends *ends, uint32_t rows)
{
    for (uint64_t row = 0; row < rows; row++) {
        const int64_t first = 2 * (int64_t)(uint32_t)~ends[row][0],
                      last = 2 * (int64_t)ends[row][1];
        if (last < first)
            continue;
        for (unsigned k = 0; k < 3; k++)
            clup_level_include(&hull->levels[2 * row + k], first - (k == 1), last + (k == 1));
    }
}

/* Sets the levels to those of points half-way between a pixel of the hull and one that is none. */
static void set_borders(hull *hull, const level *pixels, uint64_t rows)
{
    const level none = {0, -1};
    for (uint64_t row = 0; row <= rows; row++) {
        const level *above = row > 0 ? &pixels[row - 1] : &none,
                    *here = row < rows ? &pixels[row] : &none;
        clup_level_border(&hull->levels[2 * row], above, here);
        if (row < rows)
            clup_level_include(&hull->levels[2 * row + 1], 2 * here->first - 1, 2 * here->last + 1);
    }
}

/* Returns the largest distance between two corners. */
static double largest_distance(const hull *hull, double width, double height)
{
    double most = 0;
    for (uint64_t a = 0; a < hull->lefts + hull->rights; a++)
        for (uint64_t b = 0; b < a; b++) {
            const point p = a < hull->lefts ? hull->left[a] : hull->right[a - hull->lefts],
                        q = b < hull->lefts ? hull->left[b] : hull->right[b - hull->lefts];
            const double dx = (double)(p.x - q.x) / 2 * width,
                         dy = (double)(p.y - q.y) / 2 * height;
            most = fmax(most, dx * dx + dy * dy);
        }
    return sqrt(most);
}

clup_status clup_region_hull(const clup_row_ends *ends, uint32_t rows, double width, double height,
                             uint64_t *pixels, double *diameter)
{
    level *inside = malloc(rows * sizeof *inside);
    hull hull;
    clup_status status = clup_corners_create(rows, &hull);
    CLUP_TRY(status);
    if (inside == NULL)
        CLUP_TRY(clup_fail_memory("a convex hull"));
    set_sides(&hull, ends, rows);
    clup_corners_find(&hull);
    *pixels = fill(&hull, rows, inside);
    clup_corners_empty(&hull);
    set_borders(&hull, inside, rows);
    clup_corners_find(&hull);
    *diameter = largest_distance(&hull, width, height);
done:
    free(inside);
    clup_corners_clear(&hull);
    return status;
}
