/* SPDX-License-Identifier: BSD-3-Clause */
/* Convex hulls of regions of volumes. Coordinates are twice those of voxels; planes lie above each
 * other as levels do in a plane (region_corners.h): row y of plane z is at 2 y + 1 and 2 z + 1. In
 * each plane, and between planes, all points but the corners of those there are left out first. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "label/convex_hull.h"
#include "label/region_corners.h"
#include "label/region_hull.h"

typedef clup_hull_number number;

/* The box of a region, points of which the hull is looked for, and the triangles of that. */
typedef struct hull {
    uint64_t rows, planes;
    clup_level *inside; /* [rows*planes]: the voxels that the hull contains */
    clup_corners corners;
    clup_hull_point *points;
    uint32_t count, room;
    clup_hull_face *faces;
    uint32_t face_count;
} hull;

static const clup_level none = {0, -1};

/* ---- points ---------------------------------------------------------------------------------- */

/* Adds the corners of the points of a plane. */
static clup_status add_plane(hull *hull, uint64_t z)
{
    clup_corners *corners = &hull->corners;
    clup_corners_find(corners);
    const uint64_t wanted = hull->count + corners->lefts + corners->rights;
    if (wanted > hull->room) {
        const uint64_t room = 2 * wanted;
        clup_hull_point *more = room < UINT32_MAX ? realloc(hull->points, room * sizeof *more)
                                                  : NULL;
        if (more == NULL)
            return clup_fail_memory("a convex hull");
        hull->points = more;
        hull->room = (uint32_t)room;
    }
    for (uint64_t k = 0; k < corners->lefts; k++)
        hull->points[hull->count++] = (clup_hull_point){
            {corners->left[k].x, corners->left[k].y, (int64_t)z}};
    for (uint64_t k = 0; k < corners->rights; k++)
        hull->points[hull->count++] = (clup_hull_point){
            {corners->right[k].x, corners->right[k].y, (int64_t)z}};
    clup_corners_empty(corners);
    return CLUP_OK;
}

/* Row y of a plane, from the ends of rows. */
static clup_level row_of(const clup_row_ends *ends)
{
    return (clup_level){(int64_t)(uint32_t)~ends[0][0], (int64_t)ends[0][1]};
}

/* Adds the middles of the sides of all voxels. */
static clup_status add_sides(hull *hull, const clup_row_ends *ends)
{
    const uint64_t rows = hull->rows;
    clup_level *levels = hull->corners.levels;
    clup_status status = CLUP_OK;
    for (uint64_t z = 0; z <= 2 * hull->planes; z++) {
        for (uint64_t k = z > 0 ? (z - 1) / 2 : 0; k <= z / 2 && k < hull->planes; k++)
            for (uint64_t y = 0; y < rows; y++) {
                const clup_level row = row_of(ends + k * rows + y);
                if (row.last < row.first)
                    continue;
                const int64_t first = 2 * row.first, last = 2 * row.last, out = z % 2;
                clup_level_include(&levels[2 * y + 1], first - out, last + out);
                if (z % 2 == 1) {
                    clup_level_include(&levels[2 * y], first, last);
                    clup_level_include(&levels[2 * y + 2], first, last);
                }
            }
        CLUP_TRY(add_plane(hull, z));
    }
done:
    return status;
}

/* Adds the points half-way between a voxel of the hull and one that is none. */
static clup_status add_borders(hull *hull)
{
    const uint64_t rows = hull->rows;
    clup_level *levels = hull->corners.levels;
    clup_status status = CLUP_OK;
    for (uint64_t z = 0; z <= 2 * hull->planes; z++) {
        const clup_level *before = z >= 2 ? hull->inside + (z / 2 - 1) * rows : NULL,
                         *after = z / 2 < hull->planes ? hull->inside + z / 2 * rows : NULL;
        for (uint64_t y = 0; z % 2 == 0 && y < rows; y++)
            clup_level_border(&levels[2 * y + 1], before != NULL ? &before[y] : &none,
                              after != NULL ? &after[y] : &none);
        for (uint64_t y = 0; z % 2 == 1 && y <= rows; y++) {
            const clup_level *here = y < rows ? &after[y] : &none;
            clup_level_border(&levels[2 * y], y > 0 ? &after[y - 1] : &none, here);
            if (here->first <= here->last)
                clup_level_include(&levels[2 * y + 1], 2 * here->first - 1, 2 * here->last + 1);
        }
        CLUP_TRY(add_plane(hull, z));
    }
done:
    return status;
}

/* ---- voxels ---------------------------------------------------------------------------------- */

/* Returns numerator/denominator rounded down; denominator > 0. */
static int64_t floor_of(number numerator, number denominator)
{
    return (int64_t)(numerator >= 0 ? numerator / denominator
                                    : -((-numerator + denominator - 1) / denominator));
}

/* Bounds a row of voxels by the plane of a triangle. */
static void bound(const clup_hull_face *face, uint64_t y, uint64_t z, clup_level *row)
{
    const number *normal = face->normal;
    const number rest = face->offset - normal[1] * (number)(2 * y + 1) -
                        normal[2] * (number)(2 * z + 1);
    if (normal[0] > 0) {
        const int64_t last = floor_of(rest, 2 * normal[0]);
        row->last = last < row->last ? last : row->last;
    } else {
        const int64_t first = -floor_of(rest, -2 * normal[0]);
        row->first = first > row->first ? first : row->first;
    }
}

/* Sets *least and *most to the rows of a plane whose line along x meets a triangle; most is before
 * least where there is none. */
static void rows_at(const hull *hull, const clup_hull_face *face, uint64_t plane, int64_t *least,
                    int64_t *most)
{
    const int64_t z = 2 * (int64_t)plane + 1;
    *least = INT64_MAX;
    *most = INT64_MIN;
    for (unsigned k = 0; k < 3; k++) {
        const int64_t *a = hull->points[face->corner[k]].at,
                      *b = hull->points[face->corner[(k + 1) % 3]].at;
        if ((a[2] < z && b[2] < z) || (a[2] > z && b[2] > z))
            continue;
        if (a[2] > b[2]) {
            const int64_t *c = a;
            a = b;
            b = c;
        }
        /* where the edge meets the plane; of one in the plane its first corner, as the other one is
         * that of another edge */
        const number height = b[2] > a[2] ? b[2] - a[2] : 1,
                     y = a[1] * height + (b[2] > a[2] ? (number)(b[1] - a[1]) * (z - a[2]) : 0);
        const int64_t low = -floor_of(height - y, 2 * height),
                      high = floor_of(y - height, 2 * height);
        *least = low < *least ? low : *least;
        *most = high > *most ? high : *most;
    }
}

/* Sets inside to the voxels that the hull contains, and returns their number. A row is bounded by
 * those triangles that its line meets. */
static uint64_t fill(hull *hull)
{
    const uint64_t rows = hull->rows;
    uint64_t count = 0;
    for (uint64_t k = 0; k < rows * hull->planes; k++)
        hull->inside[k] = (clup_level){INT64_MIN, INT64_MAX};
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const clup_hull_face *face = &hull->faces[f];
        if (face->normal[0] == 0)
            continue;
        int64_t from = INT64_MAX, to = INT64_MIN;
        for (unsigned k = 0; k < 3; k++) {
            const int64_t z = hull->points[face->corner[k]].at[2];
            from = z < from ? z : from;
            to = z > to ? z : to;
        }
        for (int64_t z = from / 2; z < (to + 1) / 2; z++) {
            int64_t least, most;
            rows_at(hull, face, (uint64_t)z, &least, &most);
            for (int64_t y = least; y <= most; y++)
                bound(face, (uint64_t)y, (uint64_t)z, &hull->inside[(uint64_t)z * rows + y]);
        }
    }
    for (uint64_t k = 0; k < rows * hull->planes; k++) {
        clup_level *row = &hull->inside[k];
        if (row->first == INT64_MIN || row->last == INT64_MAX || row->last < row->first)
            *row = none;
        else
            count += (uint64_t)(row->last - row->first + 1);
    }
    return count;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Returns the largest distance between two corners of the hull. */
static clup_status largest_distance(const hull *hull, const double spacing[3], double *diameter)
{
    bool *is_corner = calloc(hull->count, sizeof *is_corner);
    uint32_t *corners = malloc(hull->count * sizeof *corners), count = 0;
    double most = 0;
    clup_status status = CLUP_OK;
    if (is_corner == NULL || corners == NULL)
        CLUP_TRY(clup_fail_memory("a convex hull"));
    for (uint32_t f = 0; f < hull->face_count; f++)
        for (unsigned k = 0; k < 3; k++)
            is_corner[hull->faces[f].corner[k]] = true;
    for (uint32_t k = 0; k < hull->count; k++)
        if (is_corner[k])
            corners[count++] = k;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a; b++) {
            double square = 0;
            for (unsigned axis = 0; axis < 3; axis++) {
                const double apart = (double)(hull->points[corners[a]].at[axis] -
                                              hull->points[corners[b]].at[axis]) /
                                     2 * spacing[axis];
                square += apart * apart;
            }
            most = fmax(most, square);
        }
    *diameter = sqrt(most);
done:
    free(is_corner);
    free(corners);
    return status;
}

static clup_status find(hull *hull)
{
    free(hull->faces);
    hull->faces = NULL;
    return clup_convex_hull(hull->points, hull->count, &hull->faces, &hull->face_count);
}

clup_status clup_region_hull_volume(const clup_row_ends *ends, uint32_t rows, uint32_t planes,
                                    const double spacing[3], uint64_t *pixels, double *diameter)
{
    hull hull = {.rows = rows, .planes = planes};
    clup_status status = clup_corners_create(rows, &hull.corners);
    CLUP_TRY(status);
    if ((hull.inside = malloc(hull.rows * planes * sizeof *hull.inside)) == NULL)
        CLUP_TRY(clup_fail_memory("a convex hull"));
    CLUP_TRY(add_sides(&hull, ends));
    CLUP_TRY(find(&hull));
    *pixels = fill(&hull);
    hull.count = 0;
    CLUP_TRY(add_borders(&hull));
    CLUP_TRY(find(&hull));
    CLUP_TRY(largest_distance(&hull, spacing, diameter));
done:
    free(hull.inside);
    free(hull.points);
    free(hull.faces);
    clup_corners_clear(&hull.corners);
    return status;
}
