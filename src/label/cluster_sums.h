/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, on the host, over the pixels of one cluster of an image, or of a piece of a cluster. */
#ifndef CLUP_LABEL_CLUSTER_SUMS_H
#define CLUP_LABEL_CLUSTER_SUMS_H
#include <stdbool.h>

#include "base/status.h"

typedef struct clup_cluster_sums {
    uint64_t size;
    int64_t first[3], last[3];
    uint64_t moments[9]; /* sums of x, y, z, xx, yy, zz, xy, xz, yz, modulo 2^64 */
    /* sum of the values of each channel: a whole number of 128 bits, the lower half first, in units
     * of 2^unit */
    uint64_t value[4][2];
    int32_t unit[4];
    unsigned odd; /* bit c: a value of channel c is not finite */
} clup_cluster_sums;

/* Words of a sum of pixel values of a type (cl/image/clusters.clh). */
unsigned clup_sum_words(clup_dtype dtype);
/* Makes the sums from the words that a device has added up. tops are the tops of the channels, for
 * floats; NULL for other types, and where no values were added. */
clup_cluster_sums clup_cluster_sums_of(const clup_label_problem *problem, const uint32_t *words,
                                       const uint32_t *tops);
/* Shifts all pixels by by[] along each axis. */
void clup_cluster_sums_shift(clup_cluster_sums *sums, const int64_t by[3]);
/* Adds the sums of other pixels. */
void clup_cluster_sums_add(clup_cluster_sums *sums, const clup_cluster_sums *more);
/* Computes the cluster: sizes, boxes, means and moments, and which axes it spans; NAN for values
 * that were not added. Coordinates in the sums must be at least 0. Returns CLUP_ERROR_USAGE if one
 * is 2^32 or more, or if the pixels times the last coordinate plus 1 exceed 2^64. */
clup_status clup_cluster_of(const clup_label_problem *problem, const clup_cluster_sums *sums,
                            bool has_values, clup_cluster *cluster);

#endif
