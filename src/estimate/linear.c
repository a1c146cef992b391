/* SPDX-License-Identifier: BSD-3-Clause */
/* Least squares, eigenvalues, and the distribution of chi^2. */
#include "estimate/linear.h"

#include <math.h>

/* ---- least squares --------------------------------------------------------------------------- */

/* A column that follows from others leaves less than this of its length 1. */
#define DEPENDENT 1e-9

/* Scales a column to length 1. */
static double scale(double *a, size_t rows, size_t columns, size_t c)
{
    double largest = 0, sum = 0;
    for (size_t r = 0; r < rows; r++)
        largest = fmax(largest, fabs(a[r * columns + c]));
    if (!(largest > 0) || !isfinite(largest))
        return 0;
    for (size_t r = 0; r < rows; r++)
        sum += pow(a[r * columns + c] / largest, 2);
    const double length = largest * sqrt(sum);
    for (size_t r = 0; r < rows; r++)
        a[r * columns + c] /= length;
    return length;
}

/* Reflects the columns after c, and b, such that column c has nothing below its diagonal; returns
 * the diagonal. The vector of the reflection stays in column c. */
static double reflect(double *a, double *b, size_t rows, size_t columns, size_t c)
{
    double sum = 0, squares;
    for (size_t r = c; r < rows; r++)
        sum += a[r * columns + c] * a[r * columns + c];
    const double diagonal = a[c * columns + c] > 0 ? -sqrt(sum) : sqrt(sum);
    squares = sum - diagonal * a[c * columns + c];
    a[c * columns + c] -= diagonal;
    for (size_t k = c + 1; k <= columns && squares > 0; k++) {
        double product = 0;
        for (size_t r = c; r < rows; r++)
            product += a[r * columns + c] * (k < columns ? a[r * columns + k] : b[r]);
        product /= squares;
        for (size_t r = c; r < rows; r++)
            *(k < columns ? &a[r * columns + k] : &b[r]) -= product * a[r * columns + c];
    }
    return diagonal;
}

bool clup_least_squares(double *a, double *b, size_t rows, size_t columns, double *x,
                        double *scales)
{
    for (size_t c = 0; c < columns; c++)
        if ((scales[c] = scale(a, rows, columns, c)) == 0)
            return false;
    for (size_t c = 0; c < columns; c++) {
        const double diagonal = reflect(a, b, rows, columns, c);
        if (!(fabs(diagonal) > DEPENDENT))
            return false;
        a[c * columns + c] = diagonal;
    }
    for (size_t c = columns; c-- > 0;) {
        x[c] = b[c];
        for (size_t k = c + 1; k < columns; k++)
            x[c] -= a[c * columns + k] * x[k];
        x[c] /= a[c * columns + c];
    }
    for (size_t c = 0; c < columns; c++)
        x[c] /= scales[c];
    return true;
}

/* With R the triangle of a, row i of its inverse is found from right to left; the covariance is the
 * product of the inverse and its transpose. */
void clup_least_covariance(const double *a, size_t columns, const double *scales,
                           double *covariance)
{
    double *inverse = covariance;
    for (size_t j = 0; j < columns; j++)
        for (size_t i = j + 1; i-- > 0;) {
            double sum = i == j;
            for (size_t k = i + 1; k <= j; k++)
                sum -= a[i * columns + k] * inverse[k * columns + j];
            inverse[i * columns + j] = sum / a[i * columns + i];
        }
    /* row i of the product needs rows i and later of the inverse, in columns from j >= i on */
    for (size_t i = 0; i < columns; i++)
        for (size_t j = i; j < columns; j++) {
            double sum = 0;
            for (size_t k = j; k < columns; k++)
                sum += inverse[i * columns + k] * inverse[j * columns + k];
            inverse[i * columns + j] = sum;
        }
    for (size_t i = 0; i < columns; i++)
        for (size_t j = i; j < columns; j++)
            covariance[j * columns + i] = covariance[i * columns + j] /= scales[i] * scales[j];
}

/* ---- eigenvalues ----------------------------------------------------------------------------- */

#define SWEEPS_MOST 60

/* Rotates the plane of p and q such that element p, q becomes 0. */
static void rotate(double *m, double *vectors, size_t n, size_t p, size_t q)
{
    const double off = m[p * n + q], half = (m[q * n + q] - m[p * n + p]) / (2 * off),
                 t = (half >= 0 ? 1 : -1) / (fabs(half) + hypot(1, half)), c = 1 / hypot(1, t),
                 s = t * c;
    for (size_t k = 0; k < n; k++) {
        const double kp = m[k * n + p], kq = m[k * n + q];
        m[k * n + p] = c * kp - s * kq;
        m[k * n + q] = s * kp + c * kq;
    }
    for (size_t k = 0; k < n; k++) {
        const double pk = m[p * n + k], qk = m[q * n + k], vp = vectors[p * n + k],
                     vq = vectors[q * n + k];
        m[p * n + k] = c * pk - s * qk;
        m[q * n + k] = s * pk + c * qk;
        vectors[p * n + k] = c * vp - s * vq;
        vectors[q * n + k] = s * vp + c * vq;
    }
}

void clup_eigen(double *matrix, size_t n, double *values, double *vectors)
{
    double off = 1, all = 1;
    for (size_t k = 0; k < n * n; k++)
        vectors[k] = k % (n + 1) == 0;
    for (unsigned sweep = 0; sweep < SWEEPS_MOST && off > 1e-30 * all; sweep++) {
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++)
                if (matrix[p * n + q] != 0)
                    rotate(matrix, vectors, n, p, q);
        off = all = 0;
        for (size_t k = 0; k < n * n; k++)
            *(k % (n + 1) == 0 ? &all : &off) += matrix[k] * matrix[k];
    }
    for (size_t k = 0; k < n; k++)
        values[k] = matrix[k * n + k];
    for (size_t k = 0; k < n; k++) {
        size_t largest = k;
        for (size_t j = k + 1; j < n; j++)
            largest = values[j] > values[largest] ? j : largest;
        const double value = values[k];
        values[k] = values[largest];
        values[largest] = value;
        for (size_t j = 0; j < n && largest != k; j++) {
            const double element = vectors[k * n + j];
            vectors[k * n + j] = vectors[largest * n + j];
            vectors[largest * n + j] = element;
        }
    }
}
