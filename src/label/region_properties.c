/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of regions: how they follow from what is known of one. The definitions are those of
 * scikit-image (skimage/measure/_regionprops.py and _moments.py, version 0.25). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "label/region_facts.h"

#define PI 3.14159265358979323846

typedef clup_region_facts facts;

static double pixel_of(const facts *facts)
{
    double pixel = 1;
    for (unsigned axis = 0; axis < facts->axes; axis++)
        pixel *= facts->spacing[axis];
    return pixel;
}

static double box_of(const facts *facts)
{
    double box = 1;
    for (unsigned axis = 0; axis < facts->axes; axis++)
        box *= facts->end[axis] - facts->first[axis];
    return box;
}

/* The place of the moment with power 1 of an axis. */
static unsigned place_of(const facts *facts, unsigned axis)
{
    return 1u << 2 * (facts->axes - 1 - axis);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

#define PUT(NAME) static void put_##NAME(const facts *facts, unsigned channel, double *numbers)
#define UNUSED (void)channel

PUT(label)
{
    UNUSED;
    *numbers = facts->label;
}

PUT(num_pixels)
{
    UNUSED;
    *numbers = (double)facts->size;
}

PUT(area)
{
    UNUSED;
    *numbers = (double)facts->size * pixel_of(facts);
}

PUT(bbox)
{
    UNUSED;
    for (unsigned axis = 0; axis < facts->axes; axis++) {
        numbers[axis] = facts->first[axis];
        numbers[facts->axes + axis] = facts->end[axis];
    }
}

PUT(area_bbox)
{
    UNUSED;
    *numbers = box_of(facts) * pixel_of(facts);
}

PUT(extent)
{
    UNUSED;
    *numbers = (double)facts->size / box_of(facts);
}

PUT(equivalent_diameter_area)
{
    const double axes = facts->axes;
    put_area(facts, channel, numbers);
    if (facts->axes > 1)
        *numbers = facts->axes == 2 ? sqrt(2 * axes * *numbers / PI)
                                    : cbrt(2 * axes * *numbers / PI);
}

/* ---- moments --------------------------------------------------------------------------------- */

static void put_centroid_of(const facts *facts, const clup_region_moments *moments, bool local,
                            double *numbers)
{
    for (unsigned axis = 0; axis < facts->axes; axis++)
        numbers[axis] = local ? moments->local[place_of(facts, axis)] / moments->local[0]
                              : moments->centroid[axis];
}

static void put_moments_of(const facts *facts, const double *moments, double *numbers)
{
    memcpy(numbers, moments, (1u << 2 * facts->axes) * sizeof *numbers);
}

/* mu / s^k / mu_0^(k / axes + 1) for the degree k, 2 and more, and the least length s of a pixel.
 */
static void put_normalized_of(const facts *facts, const double *central, double *numbers)
{
    double scale = facts->spacing[0];
    for (unsigned axis = 1; axis < facts->axes; axis++)
        scale = fmin(scale, facts->spacing[axis]);
    for (unsigned place = 0; place < 1u << 2 * facts->axes; place++) {
        const unsigned degree = place % 4 + place / 4 % 4 + place / 16;
        numbers[place] = degree < 2 ? NAN
                                    : central[place] / pow(scale, degree) /
                                          pow(central[0], (double)degree / facts->axes + 1);
    }
}

/* Hu's seven invariants of moments nu(axis 0, axis 1). */
static void put_hu_of(const facts *facts, const double *central, double *numbers)
{
    double nu[16];
    put_normalized_of(facts, central, nu);
#define NU(p, q) nu[4 * (p) + (q)]
    const double a = NU(3, 0) + NU(1, 2), b = NU(2, 1) + NU(0, 3), c = NU(3, 0) - 3 * NU(1, 2),
                 d = 3 * NU(2, 1) - NU(0, 3), e = NU(2, 0) - NU(0, 2), f = 2 * NU(1, 1);
#undef NU
    numbers[0] = nu[8] + nu[2];
    numbers[1] = e * e + f * f;
    numbers[2] = c * c + d * d;
    numbers[3] = a * a + b * b;
    numbers[4] = c * a * (a * a - 3 * b * b) + d * b * (3 * a * a - b * b);
    numbers[5] = e * (a * a - b * b) + 2 * f * a * b;
    numbers[6] = d * a * (a * a - 3 * b * b) - c * b * (3 * a * a - b * b);
}

PUT(centroid)
{
    UNUSED;
    put_centroid_of(facts, &facts->moments, false, numbers);
}

PUT(centroid_local)
{
    UNUSED;
    put_centroid_of(facts, &facts->moments, true, numbers);
}

PUT(moments)
{
    UNUSED;
    put_moments_of(facts, facts->moments.local, numbers);
}

PUT(moments_central)
{
    UNUSED;
    put_moments_of(facts, facts->moments.central, numbers);
}

PUT(moments_normalized)
{
    UNUSED;
    put_normalized_of(facts, facts->moments.central, numbers);
}

PUT(moments_hu)
{
    UNUSED;
    put_hu_of(facts, facts->moments.central, numbers);
}

/* ---- inertia --------------------------------------------------------------------------------- */

/* Writes tensor[axes*axes]: the trace of the second moments, less these, over the size. */
PUT(inertia_tensor)
{
    UNUSED;
    const unsigned axes = facts->axes;
    const double *central = facts->moments.central;
    double trace = 0;
    for (unsigned a = 0; a < axes; a++)
        trace += central[2 * place_of(facts, a)];
    for (unsigned a = 0; a < axes; a++)
        for (unsigned b = 0; b < axes; b++)
            numbers[axes * a + b] = ((a == b ? trace : 0) -
                                     central[place_of(facts, a) + place_of(facts, b)]) /
                                    central[0];
}

/* Makes element (a, b) of a symmetric matrix 0 by a rotation (Jacobi). */
static void rotate(double *matrix, unsigned axes, unsigned a, unsigned b)
{
    const double apart = matrix[axes * b + b] - matrix[axes * a + a], off = matrix[axes * a + b];
    if (off == 0)
        return;
    const double ratio = apart / (2 * off),
                 tangent = (ratio < 0 ? -1 : 1) / (fabs(ratio) + hypot(ratio, 1)),
                 cosine = 1 / hypot(tangent, 1), sine = tangent * cosine;
    for (unsigned k = 0; k < axes; k++) {
        const double x = matrix[axes * k + a], y = matrix[axes * k + b];
        matrix[axes * k + a] = cosine * x - sine * y;
        matrix[axes * k + b] = sine * x + cosine * y;
    }
    for (unsigned k = 0; k < axes; k++) {
        const double x = matrix[axes * a + k], y = matrix[axes * b + k];
        matrix[axes * a + k] = cosine * x - sine * y;
        matrix[axes * b + k] = sine * x + cosine * y;
    }
}

/* Eigenvalues, the largest first, at least 0. Ten rounds are more than double precision needs. */
PUT(inertia_tensor_eigvals)
{
    const unsigned axes = facts->axes;
    double matrix[9];
    put_inertia_tensor(facts, channel, matrix);
    for (unsigned round = 0; round < 10; round++)
        for (unsigned a = 0; a < axes; a++)
            for (unsigned b = a + 1; b < axes; b++)
                rotate(matrix, axes, a, b);
    for (unsigned k = 0; k < axes; k++) {
        unsigned place = k;
        const double value = fmax(matrix[axes * k + k], 0);
        for (; place > 0 && numbers[place - 1] < value; place--)
            numbers[place] = numbers[place - 1];
        numbers[place] = value;
    }
}

/* The lengths of the ellipse, or ellipsoid, that has the same second moments. */
PUT(axis_major_length)
{
    double value[3];
    put_inertia_tensor_eigvals(facts, channel, value);
    *numbers = facts->axes == 2 ? 4 * sqrt(value[0])
                                : sqrt(fmax(10 * (value[0] + value[1] - value[2]), 0));
}

PUT(axis_minor_length)
{
    double value[3];
    put_inertia_tensor_eigvals(facts, channel, value);
    *numbers = facts->axes == 2 ? 4 * sqrt(value[1])
                                : sqrt(fmax(10 * (value[1] + value[2] - value[0]), 0));
}

PUT(eccentricity)
{
    double value[3];
    put_inertia_tensor_eigvals(facts, channel, value);
    *numbers = value[0] > 0 ? sqrt(1 - value[1] / value[0]) : 0;
}

PUT(orientation)
{
    double tensor[9];
    put_inertia_tensor(facts, channel, tensor);
    const double apart = tensor[3] - tensor[0], off = tensor[1];
    *numbers = apart == 0 ? (off < 0 ? PI / 4 : -PI / 4) : atan2(0.0 - 2 * off, apart) / 2;
}

/* ---- borders --------------------------------------------------------------------------------- */

PUT(euler_number)
{
    UNUSED;
    *numbers = (int32_t)facts->faces[FACE_EULER(facts->axes)];
}

PUT(perimeter)
{
    UNUSED;
    const uint32_t *counts = facts->faces + FACE_PERIMETER(2);
    *numbers = (counts[0] + counts[1] * sqrt(2) + counts[2] * (1 + sqrt(2)) / 2) *
               facts->spacing[0];
}

PUT(perimeter_crofton)
{
    UNUSED;
    *numbers = facts->crofton;
}

PUT(surface_crofton)
{
    UNUSED;
    *numbers = facts->crofton;
}

PUT(area_convex)
{
    UNUSED;
    *numbers = (double)facts->convex * pixel_of(facts);
}

PUT(solidity)
{
    UNUSED;
    *numbers = (double)facts->size / (double)facts->convex;
}

PUT(feret_diameter_max)
{
    UNUSED;
    *numbers = facts->feret;
}

/* ---- values ---------------------------------------------------------------------------------- */

#define PUT_VALUE(NAME, FIELD) \
    PUT(NAME) \
    { \
        *numbers = facts->values[channel].FIELD; \
    }
PUT_VALUE(intensity_min, least)
PUT_VALUE(intensity_max, most)
PUT_VALUE(intensity_sum, sum)
PUT_VALUE(intensity_mean, mean)
PUT_VALUE(intensity_std, deviation)
PUT_VALUE(intensity_median, median)
#undef PUT_VALUE

PUT(centroid_weighted)
{
    put_centroid_of(facts, &facts->values[channel].moments, false, numbers);
}

PUT(centroid_weighted_local)
{
    put_centroid_of(facts, &facts->values[channel].moments, true, numbers);
}

PUT(moments_weighted)
{
    put_moments_of(facts, facts->values[channel].moments.local, numbers);
}

PUT(moments_weighted_central)
{
    put_moments_of(facts, facts->values[channel].moments.central, numbers);
}

PUT(moments_weighted_normalized)
{
    put_normalized_of(facts, facts->values[channel].moments.central, numbers);
}

PUT(moments_weighted_hu)
{
    put_hu_of(facts, facts->values[channel].moments.central, numbers);
}

/* ---- the table ------------------------------------------------------------------------------- */

const clup_region_row clup_region_properties[] = {
#define PROPERTY(NAME, SHAPE, AXES, ...) \
    {#NAME, CLUP_REGION_##SHAPE, AXES, {__VA_ARGS__}, put_##NAME},
#include "label/region_properties.def"
#undef PROPERTY
};
const size_t clup_region_property_count = sizeof clup_region_properties /
                                          sizeof *clup_region_properties;

unsigned clup_region_numbers(const clup_region_row *row, unsigned axes)
{
    const unsigned numbers[] = {
        [CLUP_REGION_NUMBER] = 1,
        [CLUP_REGION_VECTOR] = axes,
        [CLUP_REGION_BOX] = 2 * axes,
        [CLUP_REGION_MATRIX] = axes * axes,
        [CLUP_REGION_MOMENTS] = 1 << 2 * axes,
        [CLUP_REGION_HU] = 7,
    };
    return numbers[row->shape];
}

void clup_region_place(const clup_region_row *row, unsigned axes, unsigned number, char text[16])
{
    text[0] = '\0';
    if (row->shape == CLUP_REGION_MATRIX)
        snprintf(text, 16, "-%u-%u", number / axes % 4, number % axes);
    else if (row->shape == CLUP_REGION_MOMENTS)
        for (unsigned axis = 0; axis < axes; axis++)
            snprintf(text + 2 * axis, 3, "-%u", number >> 2 * (axes - 1 - axis) & 3);
    else if (row->shape != CLUP_REGION_NUMBER)
        snprintf(text, 16, "-%u", number % 8);
}
