/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributions of chi^2 and F: see distributions.h. */
#include "estimate/distributions.h"

#include <math.h>

/* The incomplete gamma function Q(a, x): 1 less its series for small x (Eq. 6.5.29), else its
 * continued fraction (Eq. 6.5.31), by Lentz's method. */
double clup_chi2_above(double chi2, unsigned freedom)
{
    const double a = freedom / 2., x = chi2 / 2;
    if (freedom == 0 || !(chi2 >= 0))
        return NAN;
    if (x == 0)
        return 1;
    const double factor = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (unsigned k = 1; k < 10000 && term > sum * 1e-16; k++)
            sum += term *= x / (a + k);
        return fmax(0, 1 - factor * sum);
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, fraction = d;
    for (unsigned k = 1; k < 10000; k++) {
        const double numerator = -(double)k * (k - a);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        fraction *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return factor * fraction;
}

/* The continued fraction of the incomplete beta function, Eq. 26.5.8, from its terms on: W. J.
 * Lentz, Appl. Opt. 15, 668 (1976). It converges for x below (a + 1)/(a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double value = 1, above = 1, below = 0;
    for (unsigned k = 1; k < 100000; k++) {
        const double m = floor(k / 2.);
        const double term = k % 2 == 1
                                ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                                : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        below = 1 + term * below;
        below = 1 / (fabs(below) < tiny ? tiny : below);
        above = 1 + term / above;
        above = fabs(above) < tiny ? tiny : above;
        value *= above * below;
        if (fabs(above * below - 1) < 1e-15)
            break;
    }
    return 1 / value;
}

/* The incomplete beta function I_x(a, b). */
static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double clup_f_above(double f, double freedom, double below)
{
    /* with many degrees of freedom F times freedom is chi^2 */
    const double many = fmin(below, 1e6);
    return incomplete_beta(many / 2, freedom / 2, many / (many + freedom * f));
}
