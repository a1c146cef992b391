/* SPDX-License-Identifier: BSD-3-Clause */
/* Thresholds between the classes of a histogram. */
#ifndef CLUP_LABEL_LEVELS_H
#define CLUP_LABEL_LEVELS_H
#include "clup/threshold.h"

/* A histogram: counts of bins, and the value in the middle of each, which increase. The first and
 * the last bin are not empty. */
typedef struct clup_histogram {
    uint64_t bins;
    const uint64_t *counts;
    const double *centres;
} clup_histogram;

/* Return a threshold of a histogram of two bins or more. */
double clup_level_otsu(const clup_histogram *histogram);
double clup_level_triangle(const clup_histogram *histogram);
/* Li's iteration ends where the threshold changes by at most tolerance. The first centre is the
 * least value of all. */
double clup_level_li(const clup_histogram *histogram, double tolerance);

#endif
