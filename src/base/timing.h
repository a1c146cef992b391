/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock, and the median and spread of repeated times. */
#ifndef CLUP_BASE_TIMING_H
#define CLUP_BASE_TIMING_H
#include <stddef.h>

/* Seconds since some fixed moment; they never decrease. */
double clup_now_s(void);
/* Returns the median of values[count], count > 0, which are sorted. *spread gets half the distance
 * between the quartiles, relative to the median, unless it is NULL. */
double clup_median(double *values, size_t count, double *spread);

#endif
