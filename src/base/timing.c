/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock, medians and quartiles. */
#include "base/timing.h"

#include <stdlib.h>
#include <time.h>

double clup_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double clup_median(double *values, size_t count, double *spread)
{
    qsort(values, count, sizeof *values, ascending);
    double median = count % 2 == 1 ? values[count / 2]
                                   : (values[count / 2 - 1] + values[count / 2]) / 2;
    if (spread != NULL)
        *spread = (values[count - 1 - count / 4] - values[count / 4]) / 2 / median;
    return median;
}
