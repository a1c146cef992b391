/* SPDX-License-Identifier: BSD-3-Clause */
/* Thresholds between the classes of a histogram, as scikit-image defines them
 * (skimage/filters/thresholding.py). */
#include "label/levels.h"

#include <math.h>

/* The values of some bins: how many there are, and their sum. */
typedef struct class_sum {
    double size, sum;
} class_sum;

static void add_bin(class_sum *class, const clup_histogram *histogram, uint64_t k, int sign)
{
    class->size += sign * (double)histogram->counts[k];
    class->sum += sign * (double)histogram->counts[k] *
                  (histogram->centres[k] - histogram->centres[0]);
}

static class_sum sum_all(const clup_histogram *histogram)
{
    class_sum all = {0, 0};
    for (uint64_t k = 0; k < histogram->bins; k++)
        add_bin(&all, histogram, k, 1);
    return all;
}

double clup_level_otsu(const clup_histogram *histogram)
{
    class_sum below = {0, 0}, above = sum_all(histogram);
    double most = -1;
    uint64_t best = 0;
    for (uint64_t k = 0; k + 1 < histogram->bins; k++) {
        add_bin(&below, histogram, k, 1);
        add_bin(&above, histogram, k, -1);
        const double apart = below.sum / below.size - above.sum / above.size,
                     variance = below.size * above.size * apart * apart;
        if (variance > most) {
            most = variance;
            best = k;
        }
    }
    return histogram->centres[best];
}

double clup_level_triangle(const clup_histogram *histogram)
{
    const uint64_t bins = histogram->bins;
    uint64_t peak = 0, level = 0;
    for (uint64_t k = 0; k < bins; k++)
        if (histogram->counts[k] > histogram->counts[peak])
            peak = k;
    /* of a histogram whose longer tail is on the right, bins are counted from the right */
    const int flip = peak < bins - 1 - peak;
    if (flip)
        peak = bins - 1 - peak;
    const double height = (double)histogram->counts[flip ? bins - 1 - peak : peak],
                 width = (double)peak, norm = sqrt(height * height + width * width);
    double most = -INFINITY;
    for (uint64_t k = 0; k < peak; k++) {
        const double count = (double)histogram->counts[flip ? bins - 1 - k : k],
                     length = height / norm * (double)k - width / norm * count;
        if (length > most) {
            most = length;
            level = k;
        }
    }
    return histogram->centres[flip ? bins - 1 - level : level];
}

double clup_level_li(const clup_histogram *histogram, double tolerance)
{
    const class_sum all = sum_all(histogram);
    const double least = histogram->centres[0];
    double next = all.sum / all.size, level = -2 * tolerance;
    class_sum below = {0, 0};
    uint64_t end = 0; /* bins below the level */
    while (fabs(next - level) > tolerance) {
        level = next;
        while (end < histogram->bins && histogram->centres[end] - least <= level)
            add_bin(&below, histogram, end++, 1);
        while (end > 0 && histogram->centres[end - 1] - least > level)
            add_bin(&below, histogram, --end, -1);
        const double dark = below.sum / below.size,
                     bright = (all.sum - below.sum) / (all.size - below.size);
        if (dark == 0)
            break;
        next = (dark - bright) / (log(dark) - log(bright));
    }
    return next + least;
}
