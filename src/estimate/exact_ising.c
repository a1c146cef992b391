/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact energy and specific heat of the Ising model on a torus: B. Kaufman, Phys. Rev. 76, 1232
 * (1949); A. E. Ferdinand and M. E. Fisher, Phys. Rev. 185, 832 (1969). With K = beta/2 the
 * partition function of n x m sites is Z = 1/2 (2 sinh 2K)^(nm/2) (Z1 + Z2 + Z3 + Z4). All
 * quantities are kept as logarithms, with first and second derivatives in K. */
#include <math.h>

#include "base/status.h"
#include "core/couplings.h"
#include "core/matrix.h"
#include "core/disorder.h"
#include "core/model.h"

/* At smaller or larger beta, terms of the second derivative cancel and leave fewer than six
 * digits. */
#define BETA_MIN 1e-3
#define BETA_MAX 20.0

/* A logarithm, and its derivatives with respect to K. */
typedef struct jet {
    double ln, d1, d2;
} jet;

/* gamma_l for l > 0, from cosh gamma = c - cos(l pi/n), c = cosh 2K coth 2K, written without
 * cancellation near K_c. */
static void gamma_of(double K, double angle, double *g, double *g1, double *g2)
{
    double s = sinh(2 * K), c = cosh(2 * K), half = sin(angle / 2);
    double above = (1 - s) * (1 - s) / s + 2 * half * half; /* cosh gamma - 1 */
    double c1 = 2 * c * (1 - 1 / (s * s)),
           c2 = 4 * (s * (1 - 1 / (s * s)) + 2 * c * c / (s * s * s));
    double sinh_g = sqrt(above * (above + 2));
    *g = 2 * asinh(sqrt(above / 2));
    *g1 = c1 / sinh_g;
    *g2 = (c2 - (above + 1) * *g1 * *g1) / sinh_g;
}

/* Adds ln 2cosh(m g/2) (sign +1) or ln 2sinh(m g/2) (sign -1) for g > 0. */
static void multiply(jet *product, double m, double g, double g1, double g2, int sign)
{
    double a = m * g / 2, a1 = m * g1 / 2, a2 = m * g2 / 2, small = exp(-2 * a);
    double slope = sign > 0 ? tanh(a) : 1 / tanh(a);
    double bend = sign * 4 * small / ((1 + sign * small) * (1 + sign * small)); /* sech^2 a, or
                                                                                   -1/sinh^2 a */
    product->ln += a + log1p(sign * small);
    product->d1 += slope * a1;
    product->d2 += slope * a2 + bend * a1 * a1;
}

/* d ln Z/dK and d^2 ln Z/dK^2. */
static void ising_derivatives(double K, double n, double m, double *d1, double *d2)
{
    jet z[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double g, g1, g2;
    for (double r = 0; r < n; r++) {
        gamma_of(K, (2 * r + 1) * M_PI / n, &g, &g1, &g2);
        multiply(&z[0], m, g, g1, g2, 1);
        multiply(&z[1], m, g, g1, g2, -1);
        if (r > 0) {
            gamma_of(K, 2 * r * M_PI / n, &g, &g1, &g2);
            multiply(&z[2], m, g, g1, g2, 1);
            multiply(&z[3], m, g, g1, g2, -1);
        }
    }
    /* gamma_0 = 2K + ln tanh K changes its sign at K_c. cosh does not depend on the sign; the
     * factor 2 sinh(m gamma_0/2) of Z4 is kept as f e^a, so that it may vanish */
    double s = sinh(2 * K), g0 = 2 * K + log(tanh(K)), g01 = 2 + 2 / s,
           g02 = -4 * cosh(2 * K) / (s * s);
    double a = m * fabs(g0) / 2, side = g0 < 0 ? -1 : 1, small = exp(-2 * a), b1 = m * g01 / 2,
           b2 = m * g02 / 2;
    double f = side * (1 - small), f1 = (1 + small) * b1, f2 = (1 + small) * b2 + f * b1 * b1;
    multiply(&z[2], m, side * g0, side * g01, side * g02, 1);
    z[3].ln += a;
    double most = fmax(fmax(z[0].ln, z[1].ln), fmax(z[2].ln, z[3].ln)), sum = 0, sum1 = 0, sum2 = 0;
    for (int k = 0; k < 4; k++) {
        double weight = exp(z[k].ln - most), p = k == 3 ? f : 1, p1 = k == 3 ? f1 : 0,
               p2 = k == 3 ? f2 : 0;
        sum += weight * p;
        sum1 += weight * (p1 + p * z[k].d1);
        sum2 += weight * (p2 + 2 * p1 * z[k].d1 + p * (z[k].d2 + z[k].d1 * z[k].d1));
    }
    *d1 = n * m * cosh(2 * K) / s + sum1 / sum;
    *d2 = -2 * n * m / (s * s) + sum2 / sum - (sum1 / sum) * (sum1 / sum);
}

clup_status clup_exact_ising(const clup_problem *problem, double *energy, double *specific_heat)
{
    CLUP_NEED(problem);
    CLUP_NEED(energy);
    CLUP_NEED(specific_heat);
    clup_status status = clup_problem_check(problem);
    if (status != CLUP_OK)
        return status;
    /* the torus has no preferred axis, and the products run over n */
    int shorter = problem->size[1] < problem->size[0];
    double n = problem->size[shorter], m = problem->size[!shorter], d1, d2;
    const double gap = clup_energy_gap(problem), K = problem->beta * gap / 2;
    const clup_bond_classes classes = clup_problem_classes(problem);
    if (classes.count > 1 || classes.unequal[0] || clup_has_disorder(problem) ||
        clup_has_field(problem) || clup_has_matrix(problem))
        return clup_fail(CLUP_ERROR_USAGE,
                         "the exact energy is computed for couplings that are equal and positive, "
                         "without disorder and field");
    if (!(CLUP_ON(problem->model) & CLUP_ON_SPINS) || problem->lattice != CLUP_LATTICE_SQUARE ||
        problem->q != 2 || !problem->periodic[0] || !problem->periodic[1] ||
        !(2 * K >= BETA_MIN && 2 * K <= BETA_MAX))
        return clup_fail(CLUP_ERROR_USAGE,
                         "the exact energy is computed for q = 2 on a torus at %g <= beta <= %g",
                         BETA_MIN / gap, BETA_MAX / gap);
    ising_derivatives(K, n, m, &d1, &d2);
    /* of the 2 n m bonds, (1 + s s')/2 are equal */
    *energy = clup_energy_of(problem, classes.weight[0] * (n * m + d1 / 2)) / (n * m);
    *specific_heat = K * K * d2 / (n * m);
    return CLUP_OK;
}
