/* SPDX-License-Identifier: BSD-3-Clause */
/* Finite-size scaling: critical points and exponents from values at several sizes. */
#ifndef CLUP_SCALING_H
#define CLUP_SCALING_H

#include "clup/analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of one quantity at several sizes and places x, such as inverse temperatures, with the
 * covariance of their errors. */
typedef struct clup_scaling clup_scaling;

/* Makes one without values. Release *out by clup_scaling_free. */
CLUP_API clup_status clup_scaling_create(clup_scaling **out);
CLUP_API void clup_scaling_free(clup_scaling *scaling);

/* Adds values[count] at x[count] of a size. Their errors have covariance[count][count], and are
 * independent of those of all other calls: call it once for each of several independent values.
 *
 *   length  L, above 0
 *   blocks  of the jackknife that found the covariance; 0 for a covariance that is known
 *
 * Fits take the eigenvectors of the correlation matrix for independent values. They leave out those
 * whose eigenvalue is below CLUP_SCALING_CUT of the largest one (1e-10 of a known covariance), as
 * such values follow from the others; and all but the blocks/8 with the largest eigenvalues. An
 * inverse of a matrix from b blocks is too large; fits multiply it by (b - n - 2)/(b - 1), n values
 * (J. Hartlap et al., Astron. Astrophys. 464, 399 (2007)).
 *
 * Returns CLUP_ERROR_USAGE for no values, for numbers that are not finite, for a variance that is
 * not above 0, for a matrix that is not symmetric or has a negative eigenvalue beyond rounding
 * errors; and for fewer than 4 blocks, other than 0. */
#define CLUP_SCALING_CUT 1e-4
CLUP_API clup_status clup_scaling_add(clup_scaling *scaling, double length, const double *x,
                                      const double *values, const double *covariance, size_t count,
                                      unsigned blocks);

/* Returns length number row in ascending order, each once; 0 past the last. *values becomes the
 * number of values of this size, *kept the number of independent ones that fits use; both may be
 * NULL. */
CLUP_API double clup_scaling_length(const clup_scaling *scaling, size_t row, size_t *values,
                                    size_t *kept);

/* What the values of a quantity A of systems of length L depend on:
 *
 *   A(L, x) = L^kappa (sum of a_k z^k + L^-omega sum of b_k z^k),  z = (x - x_c) L^(1/nu)
 *
 * With one term a_0 alone this is a power law, A = L^kappa (a_0 + b_0 L^-omega). */
typedef enum clup_scaling_parameter {
    CLUP_SCALING_X_C,
    CLUP_SCALING_NU,
    CLUP_SCALING_KAPPA,
    CLUP_SCALING_OMEGA,
    CLUP_SCALING_PARAMETERS
} clup_scaling_parameter;

#define CLUP_SCALING_TERMS 8
typedef struct clup_scaling_model {
    unsigned fitted; /* OR of 1u << parameter */
    /* Of a parameter that is not fitted, its value. Else where the search begins, or NAN to search
     * from many places: x_c within the data, nu from 0.25 to 4, kappa from -3 to 3, omega from 0.5
     * to 4. nu and omega are above 0. */
    double values[CLUP_SCALING_PARAMETERS];
    unsigned terms;       /* number of a_k, from 1 to CLUP_SCALING_TERMS */
    unsigned corrections; /* number of b_k, to CLUP_SCALING_TERMS; 0 for none */
    double least;         /* sizes below this length are left out */
    uint64_t reserved[4]; /* 0 */
} clup_scaling_model;

typedef struct clup_scaling_result {
    /* Of parameters that were not fitted errors are 0. low and high are the ends of an interval of
     * one standard deviation. */
    double values[CLUP_SCALING_PARAMETERS], errors[CLUP_SCALING_PARAMETERS],
        low[CLUP_SCALING_PARAMETERS], high[CLUP_SCALING_PARAMETERS];
    /* Of a fit alone, else 0: */
    double covariance[CLUP_SCALING_PARAMETERS][CLUP_SCALING_PARAMETERS];
    double a[CLUP_SCALING_TERMS], a_errors[CLUP_SCALING_TERMS];
    double b[CLUP_SCALING_TERMS], b_errors[CLUP_SCALING_TERMS];
    double chi2;        /* of a fit; NAN of a collapse */
    unsigned freedom;   /* degrees of freedom of chi2 */
    double probability; /* to find a larger chi2, if the model is right; NAN for no freedom */
    double quality;     /* S of a collapse; NAN of a fit */
    size_t sizes;       /* how many */
    size_t points;      /* independent values of a fit; values of a collapse that S compares */
    uint64_t reserved[4];
} clup_scaling_result;

/* Fits a model by least squares with the covariance of the values. Errors are those of the linear
 * model at the minimum; they are not multiplied by a root of chi2/freedom. Where covariances come
 * from blocks, errors of parameters are larger by the root of
 * 1 + (n - m) (b - n - 2)/((b - n - 1) (b - n - 4)), n values of b blocks for m parameters
 * (S. Dodelson and M. D. Schneider, Phys. Rev. D 88, 063537 (2013)).
 *
 * Returns CLUP_ERROR_USAGE for a model that is not as described above; for fewer than two sizes
 * where nu, kappa or omega is fitted; for fewer independent values than parameters; and where the
 * values do not determine all parameters. CLUP_ERROR_RUNTIME if no minimum is found. */
CLUP_API clup_status clup_scaling_fit(const clup_scaling *scaling, const clup_scaling_model *model,
                                      clup_scaling_result *result);

/* Returns what a fit finds for a length and a place: with result of clup_scaling_fit, whose model
 * had these numbers of terms. */
CLUP_API double clup_scaling_value(const clup_scaling_result *result, double length, double x);

/* Computes the quality of a collapse, S (J. Houdayer and A. K. Hartmann, Phys. Rev. B 70, 014418
 * (2004)). Values are drawn as A L^-kappa over z, and each is compared with a straight line through
 * its neighbours on both sides among the values of each other size: S is the mean of the squares of
 * the distances in units of their errors, about 1 for a good collapse. It is the mean over sizes of
 * the means of their values, as fssa 0.7 computes it; where all sizes have as many values that are
 * compared, that is the mean over values of the article. Errors count as independent.
 *
 *   parameters  x_c, nu and kappa; omega is not used
 *   least       sizes below this length are left out
 *   quality     NAN where no value is between those of another size
 *   points      how many values are compared; may be NULL
 *
 * Returns CLUP_ERROR_USAGE for parameters that are not finite, for nu that is not above 0, and for
 * fewer than two sizes. */
CLUP_API clup_status clup_scaling_quality(const clup_scaling *scaling,
                                          const double parameters[CLUP_SCALING_PARAMETERS],
                                          double least, double *quality, size_t *points);

/* Finds the parameters with the best collapse: the least S such that at least half of the values
 * are compared. low and high are where S is by 1 larger, with the other fitted parameters at their
 * best; errors are half of high less low. S is a mean, not a sum, so that these errors are larger
 * than those of a fit of the same values, by about the root of the number of values. An end that is
 * not found is infinite. Terms and corrections of the model are not used; omega cannot be fitted.
 * Returns as clup_scaling_fit does. */
CLUP_API clup_status clup_scaling_collapse(const clup_scaling *scaling,
                                           const clup_scaling_model *model,
                                           clup_scaling_result *result);

#ifdef __cplusplus
}
#endif

#endif
