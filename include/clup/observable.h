/* What a simulation can measure. */
#ifndef CLUP_OBSERVABLE_H
#define CLUP_OBSERVABLE_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a simulation: of N sites with q states. A bond between equal spins has the energy -1. */
typedef enum clup_observable {
    CLUP_ENERGY,          /* <H>/N */
    CLUP_ABS_M,           /* (q max fraction - 1)/(q - 1) */
    CLUP_M2,              /* its square */
    CLUP_M4,              /* its fourth power */
    CLUP_BINDER,          /* 1 - <m4>/(3 <m2>^2) */
    CLUP_SPECIFIC_HEAT,   /* beta^2 N var(e) */
    CLUP_SUSCEPTIBILITY,  /* beta N (<m2> - <|m|>^2) */
    CLUP_CLUSTERS,        /* clusters a site */
    CLUP_LARGEST_CLUSTER, /* sites of the largest cluster, a site */
    CLUP_UPDATED,   /* sites in the clusters that were given a new spin, a site; 1 for Swendsen-Wang
                     */
    CLUP_M2_VECTOR, /* (q sum of f^2 - 1)/(q - 1), f the fractions of the states: the square of the
                       mean of the sites' unit vectors, which point to the corners of a simplex; m2
                       for q = 2 */
    CLUP_CHI,       /* beta N <m2_vector> */
    /* improved estimators, by the clusters of Swendsen-Wang, s their sizes: means over all spins
     * that the clusters of a sweep can take (U. Wolff, Nucl. Phys. B 334, 581 (1990)) */
    CLUP_M2_IMPROVED,     /* sum of s^2/N^2, of m2_vector */
    CLUP_M4_IMPROVED,     /* (3 (sum of s^2)^2 - 2 sum of s^4)/N^4, of m4 for q = 2; NAN for other
                             q */
    CLUP_BINDER_IMPROVED, /* 1 - <m4_improved>/(3 <m2_improved>^2), of binder for q = 2 */
    CLUP_CHI_IMPROVED,    /* beta N <m2_improved>, of chi */
    /* The structure factor S(k) = q/(q - 1)/N times the sum over the states s of |sum over the
     * sites in state s of exp(i k at)|^2, at the coordinate along an axis with L sites, k = 2 pi/L;
     * of Ising spins +-1 for q = 2, and N m2_vector for k = 0. Cosines and sines are multiples of
     * 2^-26. NAN along axes that are open or have one site. The axes of the triangular lattice are
     * those of the square one that it is with a diagonal. */
    CLUP_SK,   /* along the longest periodic axis; the mean where several are as long */
    CLUP_SK_X, /* along x, and so on */
    CLUP_SK_Y,
    CLUP_SK_Z,
    CLUP_XI, /* the second-moment correlation length, sqrt(N <m2_vector>/<sk> - 1)/(2 sin(pi/L)),
                in sites, L the longest periodic axis (F. Cooper, B. Freedman and D. Preston,
                Nucl. Phys. B 210, 210 (1982)); NAN where the root is of a negative number */
    CLUP_XI_OVER_L, /* xi/L */
    /* Their improved estimators by the Fortuin-Kasteleyn clusters, with every algorithm. */
    CLUP_S0_IMPROVED, /* sum of s^2/N, of N m2_vector */
    /* sum over the clusters of |sum over their sites of exp(i k at)|^2/N */
    CLUP_SK_IMPROVED,
    CLUP_SK_X_IMPROVED,
    CLUP_SK_Y_IMPROVED,
    CLUP_SK_Z_IMPROVED,
    CLUP_XI_IMPROVED,
    CLUP_XI_OVER_L_IMPROVED,
    /* How Fortuin-Kasteleyn clusters wrap, with every algorithm: 1 or 0 in a sweep. Where an axis
     * is open, whether one of them has sites at both of its ends. */
    CLUP_WRAP_X, /* around x, and so on */
    CLUP_WRAP_Y,
    CLUP_WRAP_Z,      /* NAN on lattices in the plane */
    CLUP_WRAP_EITHER, /* along one axis at least */
    CLUP_WRAP_BOTH,   /* along every axis, of one or of several clusters */
    CLUP_WRAP_ONE,    /* along exactly one axis */
    CLUP_OBSERVABLES,
    /* Observables with several values, see clup_simulation_vector. */
    CLUP_CLUSTER_SIZES = CLUP_OBSERVABLES, /* Fortuin-Kasteleyn clusters of s to 2 s - 1 sites, a
                                              site, s = 1, 2, 4, ...; with every algorithm */
    /* The correlation function G(r) = (q P - 1)/(q - 1), P the share of pairs of sites at distance
     * r along an axis whose spins are equal: <s s'> of Ising spins +-1. r is 1 to 8, 10, 12, 14,
     * 16, 20 and so on, up to half of a periodic axis; 64 distances at most. */
    CLUP_CORRELATION_X,
    CLUP_CORRELATION_Y,
    CLUP_CORRELATION_Z,
    /* Its improved estimator, with every algorithm: the share of pairs in one Fortuin-Kasteleyn
     * cluster. */
    CLUP_CORRELATION_X_IMPROVED,
    CLUP_CORRELATION_Y_IMPROVED,
    CLUP_CORRELATION_Z_IMPROVED,
    CLUP_OBSERVABLES_ALL
} clup_observable;

/* Its name, as in "largest_cluster", and what it is, in one line. */
CLUP_API const char *clup_observable_name(clup_observable observable);

/* Whether an observable is known with Swendsen-Wang alone, being of all clusters (1), or with every
 * algorithm (0). */
CLUP_API int clup_observable_needs_clusters(clup_observable observable);
/* What is measured for an observable: "spins", which is so always; "clusters", the sizes of all,
 * which takes a considerable part of a sweep; "modes", Fourier sums of the spins; "pairs", of equal
 * spins; and of Fortuin-Kasteleyn clusters that are found for it, which takes longer than most
 * sweeps, "fk_modes", "fk_wraps", "fk_sizes" and "fk_pairs". NULL for none. */
CLUP_API const char *clup_observable_group(clup_observable observable);

#ifdef __cplusplus
}
#endif

#endif
