/* SPDX-License-Identifier: BSD-3-Clause */
/* Convex hulls. Coordinates are twice those of pixels, so that the middles of sides are whole
 * numbers; a level is all points of one y, of which level 0 is half a pixel above the first row. */
#include "label/region_hull.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct point {
    int64_t x, y;
} point;

/* The first and the last point of each level; none where last is before first. */
typedef struct level {
    int64_t first, last;
} level;

typedef struct hull {
    level *levels;
    uint64_t count;
    point *left, *right; /* corners, from the first level to the last */
    uint64_t lefts, rights;
} hull;

static void include(level *level, int64_t first, int64_t last)
{
    if (level->last < level->first)
        *level = (struct level){first, last};
    else if (first < level->first)
        level->first = first;
    if (last > level->last)
        level->last = last;
}

/* Positive where b is on the right of the line from a to c, when y points down. */
static int64_t turn(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Adds a point below all others to corners, of which those go that are no corners any more. sign is
 * 1 on the left, -1 on the right. */
static uint64_t add_corner(point *corners, uint64_t count, point next, int64_t sign)
{
    while (count > 1 && sign * turn(corners[count - 2], corners[count - 1], next) >= 0)
        count--;
    corners[count] = next;
    return count + 1;
}

static void find_corners(hull *hull)
{
    hull->lefts = hull->rights = 0;
    for (uint64_t y = 0; y < hull->count; y++) {
        const level *level = &hull->levels[y];
        if (level->last < level->first)
            continue;
        hull->lefts = add_corner(hull->left, hull->lefts, (point){level->first, (int64_t)y}, 1);
        hull->rights = add_corner(hull->right, hull->rights, (point){level->last, (int64_t)y}, -1);
    }
}

/* Returns numerator/denominator rounded down; denominator > 0. */
static int64_t floor_of(int64_t numerator, int64_t denominator)
{
    return numerator >= 0 ? numerator / denominator
                          : -((-numerator + denominator - 1) / denominator);
}

/* Returns the last pixel at or before the edge from a to b at level y. */
static int64_t pixel_before(point a, point b, int64_t y)
{
    const int64_t height = b.y - a.y;
    return floor_of(a.x * height + (b.x - a.x) * (y - a.y), 2 * height);
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
            include(&hull->levels[2 * row + k], first - (k == 1), last + (k == 1));
    }
}

/* Sets the levels to those of points half-way between a pixel of the hull and one that is none. Of
 * two rows, one below the other, these are columns that only one of them has. */
static void set_borders(hull *hull, const level *pixels, uint64_t rows)
{
    for (uint64_t row = 0; row <= rows; row++) {
        const level *above = row > 0 ? &pixels[row - 1] : NULL,
                    *here = row < rows ? &pixels[row] : NULL;
        level *between = &hull->levels[2 * row];
        if (above == NULL || here == NULL) {
            const level *only = above != NULL ? above : here;
            include(between, 2 * only->first, 2 * only->last);
        } else {
            const int64_t first[2] = {above->first < here->first ? above->first : here->first,
                                      above->first < here->first ? here->first : above->first};
            const int64_t last[2] = {above->last < here->last ? above->last : here->last,
                                     above->last < here->last ? here->last : above->last};
            if (first[0] < first[1])
                include(between, 2 * first[0], 2 * first[1] - 2);
            if (last[0] < last[1])
                include(between, 2 * last[0] + 2, 2 * last[1]);
        }
        if (here != NULL)
            include(&hull->levels[2 * row + 1], 2 * here->first - 1, 2 * here->last + 1);
    }
}

static void empty(hull *hull)
{
    for (uint64_t y = 0; y < hull->count; y++)
        hull->levels[y] = (level){0, -1};
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
    hull hull = {.count = 2 * (uint64_t)rows + 1};
    level *inside = malloc(rows * sizeof *inside);
    hull.levels = malloc(hull.count * sizeof *hull.levels);
    hull.left = malloc(hull.count * sizeof *hull.left);
    hull.right = malloc(hull.count * sizeof *hull.right);
    clup_status status = CLUP_OK;
    if (inside == NULL || hull.levels == NULL || hull.left == NULL || hull.right == NULL)
        CLUP_TRY(clup_fail_memory("a convex hull"));
    empty(&hull);
    set_sides(&hull, ends, rows);
    find_corners(&hull);
    *pixels = fill(&hull, rows, inside);
    empty(&hull);
    set_borders(&hull, inside, rows);
    find_corners(&hull);
    *diameter = largest_distance(&hull, width, height);
done:
    free(inside);
    free(hull.levels);
    free(hull.left);
    free(hull.right);
    return status;
}
