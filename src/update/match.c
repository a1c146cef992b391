/* Whether two pixels match, on the host, as cl/source_image.cl has it. */
#include <math.h>

#include "base/dtype.h"
#include "update/labelling.h"

/* Equal values match, infinities as well, whose difference is none. How far two floats are apart is
 * rounded to one, as on the device: a double has more than twice a float's digits and two, so that
 * rounding twice is rounding once. */
static bool close_by(const clup_label_problem *problem, double a, double b)
{
    if (problem->dtype == CLUP_DTYPE_F32)
        return a == b || fabsf((float)(a - b)) <= (float)problem->level;
    return fabs(a - b) <= floor(problem->level);
}

bool clup_pixel_in_foreground(const clup_label_problem *problem, const void *pixels, uint64_t pixel)
{
    const bool by_value = clup_image_by_foreground(problem);
    const unsigned channels = problem->channels, colours = channels < 3 ? channels : 3;
    bool background = problem->has_background != 0, any = false;
    for (unsigned c = 0; c < channels; c++) {
        const double value = clup_dtypes[problem->dtype].load(pixels, pixel * channels + c);
        const double level = problem->match != CLUP_MATCH_THRESHOLD ? 0
                             : problem->dtype == CLUP_DTYPE_F32     ? (float)problem->level
                                                                    : floor(problem->level);
        background = background &&
                     value == (problem->dtype == CLUP_DTYPE_F32 ? (float)problem->background[c]
                                                                : problem->background[c]);
        any = any || (c < colours &&
                      (problem->match == CLUP_MATCH_THRESHOLD ? value > level : value != 0));
    }
    return by_value ? any : !background;
}

bool clup_pixels_match(const clup_label_problem *problem, const void *pixels, uint64_t a,
                       uint64_t b, unsigned d)
{
    if (problem->match == CLUP_MATCH_BONDS)
        return (uint32_t)clup_dtypes[problem->dtype].load(pixels, a) >> d & 1;
    const unsigned channels = problem->match == CLUP_MATCH_EQUAL ||
                                      problem->match == CLUP_MATCH_TOLERANCE
                                  ? problem->channels
                                  : 0;
    for (unsigned c = 0; c < channels; c++) {
        const double left = clup_dtypes[problem->dtype].load(pixels, a * channels + c),
                     right = clup_dtypes[problem->dtype].load(pixels, b * channels + c);
        if (problem->match == CLUP_MATCH_EQUAL ? left != right : !close_by(problem, left, right))
            return false;
    }
    return true;
}
