/* SPDX-License-Identifier: BSD-3-Clause */
/* Thresholds that are found from an image's histogram. */
#ifndef CLUP_THRESHOLD_H
#define CLUP_THRESHOLD_H

#include "clup/device.h"
#include "clup/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a threshold is found, as scikit-image's functions of these names do. */
typedef enum clup_threshold_method {
    CLUP_THRESHOLD_OTSU,     /* "otsu": the largest variance between the classes: N. Otsu, IEEE
                                Trans. Sys. Man. Cyber. 9, 62 (1979) */
    CLUP_THRESHOLD_TRIANGLE, /* "triangle": the bin farthest from the line from the peak to the end
                                of the longer tail: G. W. Zack, W. E. Rogers and S. A. Latt, J.
                                Histochem. Cytochem. 25, 741 (1977) */
    CLUP_THRESHOLD_LI,       /* "li": the least cross entropy, by iteration from the mean: C. H. Li
                                and P. K. S. Tam, Pattern Recognition Letters 18, 771 (1998) */
    CLUP_THRESHOLDS
} clup_threshold_method;

/* Returns the name of a method; NULL past the end. */
CLUP_API const char *clup_threshold_name(clup_threshold_method method);

/* Finds a threshold between the dark and the bright pixels of an image in the host's memory, such
 * that pixels above it are bright (CLUP_MATCH_THRESHOLD).
 *
 *   image  has one channel, and a value at least
 *   level  becomes the threshold less *more, which is not 0 only where an integer has more than 53
 *          bits. It is a value of the image's where all values are equal; otherwise the middle of a
 *          bin, or with li any number
 *
 * The device makes the histogram. Integers have a bin for each value between the least and the
 * largest, which differ by less than 2^24; floats have 256 bins of one width. Of floats li takes
 * each value by itself, sorted on the host, and leaves out those that are not finite.
 *
 * Returns CLUP_ERROR_USAGE for more channels, for integers that are too far apart, and where otsu
 * or triangle are to be found of values that are not finite; CLUP_ERROR_MEMORY. */
CLUP_API clup_status clup_threshold(clup_context *context, const clup_image *image,
                                    clup_threshold_method method, double *level, int64_t *more);

#ifdef __cplusplus
}
#endif

#endif
