/* SPDX-License-Identifier: BSD-3-Clause */
/* The corners of convex hulls. */
#include "label/region_corners.h"

#include <stdbool.h>
#include <stdlib.h>

typedef clup_corner point;

clup_status clup_corners_create(uint64_t rows, clup_corners *corners)
{
    const uint64_t count = 2 * rows + 1;
    *corners = (clup_corners){.levels = malloc(count * sizeof *corners->levels),
                              .count = count,
                              .left = malloc(count * sizeof *corners->left),
                              .right = malloc(count * sizeof *corners->right)};
    if (corners->levels == NULL || corners->left == NULL || corners->right == NULL)
        return clup_fail_memory("a convex hull");
    clup_corners_empty(corners);
    return CLUP_OK;
}

void clup_corners_clear(clup_corners *corners)
{
    free(corners->levels);
    free(corners->left);
    free(corners->right);
    *corners = (clup_corners){0};
}

void clup_corners_empty(clup_corners *corners)
{
    for (uint64_t y = 0; y < corners->count; y++)
        corners->levels[y] = (clup_level){0, -1};
}

void clup_level_include(clup_level *level, int64_t first, int64_t last)
{
    if (last < first)
        return;
    if (level->last < level->first)
        *level = (clup_level){first, last};
    else if (first < level->first)
        level->first = first;
    if (last > level->last)
        level->last = last;
}

/* The first columns of one row that is longer, and its last ones. */
void clup_level_border(clup_level *level, const clup_level *a, const clup_level *b)
{
    const bool has_a = a->first <= a->last, has_b = b->first <= b->last;
    if (!has_a || !has_b || a->last < b->first || b->last < a->first) {
        if (has_a)
            clup_level_include(level, 2 * a->first, 2 * a->last);
        if (has_b)
            clup_level_include(level, 2 * b->first, 2 * b->last);
        return;
    }
    if (a->first != b->first)
        clup_level_include(level, 2 * (a->first < b->first ? a->first : b->first),
                           2 * (a->first < b->first ? b->first : a->first) - 2);
    if (a->last != b->last)
        clup_level_include(level, 2 * (a->last < b->last ? a->last : b->last) + 2,
                           2 * (a->last < b->last ? b->last : a->last));
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

void clup_corners_find(clup_corners *corners)
{
    corners->lefts = corners->rights = 0;
    for (uint64_t y = 0; y < corners->count; y++) {
        const clup_level *level = &corners->levels[y];
        if (level->last < level->first)
            continue;
        corners->lefts = add_corner(corners->left, corners->lefts,
                                    (point){level->first, (int64_t)y}, 1);
        corners->rights = add_corner(corners->right, corners->rights,
                                     (point){level->last, (int64_t)y}, -1);
    }
}

int64_t clup_floor_of(int64_t numerator, int64_t denominator)
{
    return numerator >= 0 ? numerator / denominator
                          : -((-numerator + denominator - 1) / denominator);
}
