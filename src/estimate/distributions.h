/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributions by which chi^2 is judged. Equations are those of M. Abramowitz and I. A. Stegun,
 * Handbook of Mathematical Functions. */
#ifndef CLUP_ESTIMATE_DISTRIBUTIONS_H
#define CLUP_ESTIMATE_DISTRIBUTIONS_H

/* Returns the probability that chi^2 with so many degrees of freedom is larger than chi2; NAN for
 * no freedom. */
double clup_chi2_above(double chi2, unsigned freedom);
/* Returns the probability that a number of the F distribution is f or larger (Eq. 26.6.2). */
double clup_f_above(double f, double freedom, double below);

#endif
