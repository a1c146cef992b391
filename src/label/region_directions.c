/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of directions. */
#include "label/region_directions.h"

#include <math.h>

#define PI 3.14159265358979323846
#define CORNERS_MOST 40

typedef struct vector {
    double x, y, z;
} vector;

static vector sum_of(vector a, double by, vector b)
{
    return (vector){a.x + by * b.x, a.y + by * b.y, a.z + by * b.z};
}

static double product(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vector unit(vector a)
{
    return sum_of((vector){0, 0, 0}, 1 / sqrt(product(a, a)), a);
}

/* Returns the step to neighbour k of a pixel, of the first 13 of 27 or the first 4 of 9. */
static vector step(unsigned axes, unsigned k, const double spacing[3])
{
    const int x = (int)(k % 3) - 1, y = (int)(k / 3 % 3) - 1, z = (int)(k / 9) - 1;
    return (vector){x * spacing[0], y * spacing[1], axes > 2 ? z * spacing[2] : 0};
}

/* Keeps the part of a polygon of rays on whose side of a plane through 0 normal points, and returns
 * its number of corners. */
static unsigned cut(vector *corners, unsigned count, vector normal)
{
    vector kept[CORNERS_MOST];
    unsigned left = 0;
    for (unsigned k = 0; k < count; k++) {
        const vector a = corners[k], b = corners[(k + 1) % count];
        const double at_a = product(a, normal), at_b = product(b, normal);
        if (at_a >= 0)
            kept[left++] = a;
        if ((at_a > 0 && at_b < 0) || (at_a < 0 && at_b > 0))
            kept[left++] = sum_of(a, at_a / (at_a - at_b), sum_of(b, -1, a));
    }
    for (unsigned k = 0; k < left; k++)
        corners[k] = kept[k];
    return left;
}

/* Returns the area that rays between a, b and c have on the sphere. */
static double triangle(vector a, vector b, vector c)
{
    return 2 *
           atan2(fabs(product(a, cross(b, c))), 1 + product(a, b) + product(b, c) + product(c, a));
}

/* Returns the area of the sphere to which direction k is the next one. */
static double cell(unsigned k, const double spacing[3])
{
    const vector middle = unit(step(3, k, spacing)),
                 aside = unit(
                     cross(middle, fabs(middle.x) < 0.5 ? (vector){1, 0, 0} : (vector){0, 1, 0})),
                 up = cross(middle, aside);
    /* rays around the middle; all of them are less than a right angle away from it */
    vector corners[CORNERS_MOST];
    unsigned count = 4;
    for (unsigned c = 0; c < 4; c++)
        corners[c] = sum_of(
            sum_of(sum_of((vector){0, 0, 0}, 1e-9, middle), c % 3 == 0 ? 1 : -1, aside),
            c < 2 ? 1 : -1, up);
    for (unsigned other = 0; other < 27; other++)
        if (other != k && other != 13)
            count = cut(corners, count, sum_of(middle, -1, unit(step(3, other, spacing))));
    double area = 0;
    for (unsigned c = 0; c < count; c++)
        corners[c] = unit(corners[c]);
    for (unsigned c = 2; c < count; c++)
        area += triangle(corners[0], corners[c - 1], corners[c]);
    return area;
}

void clup_region_directions(unsigned axes, const double spacing[3], double weights[13])
{
    const double slope = atan2(spacing[1], spacing[0]),
                 volume = spacing[0] * spacing[1] * spacing[2];
    /* angles of half a circle: up to half-way to the next directions */
    const double angles[4] = {PI / 4, PI / 2 - slope, PI / 4, slope};
    for (unsigned k = 0; k < FACE_DIRECTIONS(axes); k++) {
        /* in the plane steps are the first 4 of 9 */
        const vector along = step(axes, axes > 2 ? k : k + 9, spacing);
        const double length = sqrt(product(along, along));
        weights[k] = axes > 2 ? 4 * (2 * cell(k, spacing) / (4 * PI)) * volume / length
                              : angles[k] * spacing[0] * spacing[1] / length;
    }
}
