/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a series begins to be in equilibrium. */
#ifndef CLUP_ESTIMATE_MSER_H
#define CLUP_ESTIMATE_MSER_H
#include <stdbool.h>
#include <stddef.h>

/* Returns how many of the first values[count] to leave out, by the marginal standard error rule:
 * the number d for which the square of the naive error of the mean of the others, the sum of the
 * squares of their deviations divided by (count - d)^2, is least: K. P. White, Simulation 69, 323
 * (1997). Values are taken five at a time, by their means (MSER-5: K. P. White, M. J. Cobb and S.
 * C. Spratt, Proc. Winter Simulation Conf. 2000, p. 755).
 *
 * d is at most count/2. *settled is false if the least error lies further on, up to 3/4 of the
 * values: the series is too short to tell, and d is count/2. With fewer than 20 values d is 0, and
 * *settled is false. */
size_t clup_mser(const double *values, size_t count, bool *settled);

#endif
