/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of 95 %: see interval.h. */
#include "estimate/interval.h"

#include <math.h>

/* The normal distribution has 95 % of its weight within this distance, in units of its width. */
#define NORMAL 1.959963984540054

/* With fewer degrees of freedom the expansion of Student's t fails; every run that is not short has
 * more. */
#define FREEDOM_LEAST 2

/* The distance that contains 95 % of Student's t: M. Abramowitz and I. A. Stegun, Handbook of
 * Mathematical Functions, Eq. 26.7.5. */
static double student(double freedom)
{
    const double x = NORMAL, x2 = x * x, n = fmax(freedom, FREEDOM_LEAST);
    return x * (1 + ((x2 + 1) / 4 +
                     (((5 * x2 + 16) * x2 + 3) / 96 +
                      ((((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384 +
                       ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160 / n) /
                          n) /
                         n) /
                        n);
}

/* The inverse of Hall's cubic: the t for which t + a t^2/3 + a^2 t^3/27 + a/6 = y. */
static double inverse(double a, double y)
{
    const double shifted = y - a / 6;
    /* for small a the first terms of the root: cancellation would lose digits */
    return fabs(a * shifted) < 1e-6 ? shifted - a * shifted * shifted / 3
                                    : 3 / a * (cbrt(1 + a * shifted) - 1);
}

double clup_spread_freedom(const clup_spread *spread)
{
    const double independent = spread->count / fmax(1, 2 * spread->tau),
                 /* relative variances of the square of the error */
        by_values = fmax(0, spread->kurtosis - 1 - spread->skewness * spread->skewness / 2) /
                    independent,
                 by_tau = 4 * (spread->window + 0.5) / spread->count;
    return 2 / (by_values + by_tau);
}

void clup_interval(const clup_spread *spread, double sides[2])
{
    const double g = fmax(1, 2 * spread->tau), independent = spread->count / g,
                 skewness = spread->skewness * (1.5 - 0.5 / g) / sqrt(independent),
                 many = student(clup_spread_freedom(spread));
    sides[0] = inverse(skewness, many);
    sides[1] = -inverse(skewness, -many);
}
