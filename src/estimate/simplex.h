/* SPDX-License-Identifier: BSD-3-Clause */
/* The least value of a function that need not be smooth. */
#ifndef CLUP_ESTIMATE_SIMPLEX_H
#define CLUP_ESTIMATE_SIMPLEX_H

#define CLUP_SIMPLEX_MOST 4

/* Moves x[n], n at most CLUP_SIMPLEX_MOST, to where the value of of is least, and returns that
 * value, by the simplex of J. A. Nelder and R. Mead, Comput. J. 7, 308 (1965), which starts with
 * corners at distances steps[n] and is made anew until that no longer helps. Values that are NAN
 * count as infinite. */
double clup_simplex(double (*of)(void *context, const double *x), void *context, double *x,
                    const double *steps, unsigned n);

#endif
