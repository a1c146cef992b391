/* SPDX-License-Identifier: BSD-3-Clause */
/* Small dense problems of linear algebra. */
#ifndef CLUP_ESTIMATE_LINEAR_H
#define CLUP_ESTIMATE_LINEAR_H
#include <stdbool.h>
#include <stddef.h>

/* Finds x[columns] such that the sum of squares of a x - b is least, by Householder's reflections
 * of columns that are scaled to length 1. a is [rows][columns], rows at least columns, and b is
 * [rows]; both are overwritten: clup_least_covariance needs what a then has. scales[columns] become
 * the lengths of the columns. Returns false where a column follows from others, up to rounding
 * errors. */
bool clup_least_squares(double *a, double *b, size_t rows, size_t columns, double *x,
                        double *scales);
/* Sets covariance[columns][columns] to the inverse of the product of a's transpose and a, which
 * clup_least_squares has solved. */
void clup_least_covariance(const double *a, size_t columns, const double *scales,
                           double *covariance);

/* Finds the eigenvalues, in descending order, and the eigenvectors, vectors[k][n] of values[k], of
 * the symmetric matrix[n][n], which is overwritten, by Jacobi's rotations. */
void clup_eigen(double *matrix, size_t n, double *values, double *vectors);

#endif
