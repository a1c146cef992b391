/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides on the host whether two pixels match, as cl/image/source_image.cl does. */
#include <math.h>

#include "base/dtype.h"
#include "core/image.h"
#include "label/labelling.h"

/* Whether values are equal, or floats both infinite with the same sign; a NaN equals nothing. */
static bool equal(clup_dtype dtype, uint64_t a, uint64_t b)
{
    return clup_value_key(dtype, a) == clup_value_key(dtype, b) &&
           !isnan(clup_value_number(dtype, a));
}

static bool is_nan(clup_dtype dtype, uint64_t a)
{
    return isnan(clup_value_number(dtype, a));
}

static bool above(clup_dtype dtype, uint64_t a, uint64_t b)
{
    return clup_value_key(dtype, a) > clup_value_key(dtype, b) &&
           !isnan(clup_value_number(dtype, a));
}

/* Whether values differ by at most a distance. Equal values match, and so do equal infinities,
 * whose difference is a NaN. The difference of two floats is rounded to a float, as on the device.
 * Computing it in double first gives the same: a double has more than twice a float's digits and
 * two more, so that rounding twice equals rounding once. */
static bool close_by(clup_dtype dtype, uint64_t a, uint64_t b, uint64_t level)
{
    if (clup_dtypes[dtype].is_float) {
        const double apart = clup_value_number(dtype, a) - clup_value_number(dtype, b),
                     most = clup_value_number(dtype, level);
        return equal(dtype, a, b) ||
               (dtype == CLUP_DTYPE_F32 ? (double)fabsf((float)apart) : fabs(apart)) <= most;
    }
    const int64_t x = clup_value_key(dtype, a), y = clup_value_key(dtype, b);
    return (x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x) <= level;
}

bool clup_pixel_in_foreground(const clup_label_problem *problem, const void *pixels, uint64_t pixel)
{
    const clup_dtype dtype = problem->dtype;
    const unsigned channels = problem->channels, colours = channels < 3 ? channels : 3;
    bool background = problem->has_background != 0, any = false;
    for (unsigned c = 0; c < channels; c++) {
        const uint64_t value = clup_value_get(dtype, pixels, pixel * channels + c);
        const uint64_t wanted = clup_image_background(problem, c);
        background = background && (equal(dtype, value, wanted) ||
                                    (is_nan(dtype, value) && is_nan(dtype, wanted)));
        any = any || (c < colours && (problem->match == CLUP_MATCH_THRESHOLD
                                          ? above(dtype, value, clup_image_level(problem))
                                          : !equal(dtype, value, 0)));
    }
    return clup_image_by_foreground(problem) ? any : !background;
}

bool clup_pixels_match(const clup_label_problem *problem, const void *pixels, uint64_t a,
                       uint64_t b, unsigned d)
{
    const clup_dtype dtype = problem->dtype;
    if (problem->match == CLUP_MATCH_BONDS)
        return clup_value_get(dtype, pixels, a) >> d & 1;
    const unsigned channels = problem->match == CLUP_MATCH_EQUAL ||
                                      problem->match == CLUP_MATCH_TOLERANCE
                                  ? problem->channels
                                  : 0;
    for (unsigned c = 0; c < channels; c++) {
        const uint64_t left = clup_value_get(dtype, pixels, a * channels + c),
                       right = clup_value_get(dtype, pixels, b * channels + c);
        if (problem->match == CLUP_MATCH_EQUAL
                ? !equal(dtype, left, right)
                : !close_by(dtype, left, right, clup_image_level(problem)))
            return false;
    }
    return true;
}
