/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock, and what is said of times that were taken several times. */
#ifndef CLUP_BASE_TIMING_H
#define CLUP_BASE_TIMING_H
#include <stddef.h>

/* Seconds, from some moment on, that never run backwards. */
double clup_now_s(void);
/* Sorts values[count], count > 0. Half the distance of the quartiles, relative to the median, goes
 * to *spread unless that is NULL. */
double clup_median(double *values, size_t count, double *spread);

#endif
