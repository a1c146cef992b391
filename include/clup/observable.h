/* SPDX-License-Identifier: BSD-3-Clause */
/* What a simulation can measure. */
#ifndef CLUP_OBSERVABLE_H
#define CLUP_OBSERVABLE_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Observables of a simulation of N sites with q states. Energies are those of the problem
 * (problem.h). f are the fractions of sites in each state, s the sizes of clusters in sites. <..>
 * is a mean over sweeps. "A site" means divided by N.
 *
 * These numbers stay. Observables that a later version of the library adds have no name here, only
 * a number, from CLUP_OBSERVABLES_ALL on, in any order, with one value or with several:
 * clup_observable_named gives it. All functions take such numbers. */
typedef enum clup_observable {
    CLUP_ENERGY,          /* <H>/N */
    CLUP_ABS_M,           /* |m| = (q max f - 1)/(q - 1) */
    CLUP_M2,              /* |m|^2 */
    CLUP_M4,              /* |m|^4 */
    CLUP_BINDER,          /* 1 - <m4>/(3 <m2>^2) */
    CLUP_SPECIFIC_HEAT,   /* beta^2 N var(e), e the energy a site */
    CLUP_SUSCEPTIBILITY,  /* beta N (<m2> - <|m|>^2) */
    CLUP_CLUSTERS,        /* number of clusters, a site */
    CLUP_LARGEST_CLUSTER, /* sites of the largest cluster, a site */
    CLUP_UPDATED,   /* sites of the clusters that took a new spin, a site; 1 for Swendsen-Wang */
    CLUP_M2_VECTOR, /* (q sum of f^2 - 1)/(q - 1): the square of the mean of the sites' unit
                       vectors, which point to the corners of a simplex; m2 for q = 2 */
    CLUP_CHI,       /* beta N <m2_vector> */
    /* Improved estimators, from the clusters of Swendsen-Wang: means over all spins that the
     * clusters of a sweep can take (U. Wolff, Nucl. Phys. B 334, 581 (1990)). */
    CLUP_M2_IMPROVED,     /* of m2_vector: sum of s^2/N^2 */
    CLUP_M4_IMPROVED,     /* of m4 for q = 2: (3 (sum of s^2)^2 - 2 sum of s^4)/N^4; NAN for other
                             q */
    CLUP_BINDER_IMPROVED, /* of binder for q = 2: 1 - <m4_improved>/(3 <m2_improved>^2) */
    CLUP_CHI_IMPROVED,    /* of chi: beta N <m2_improved> */
    /* The structure factor along an axis with L sites,
     *
     *     S(k) = q/(q - 1)/N sum over states of |sum over the sites in it of exp(i k x)|^2
     *
     * with k = 2 pi/L and x the coordinate along the axis: that of the spins +-1 for q = 2, and N
     * m2_vector for k = 0. Cosines and sines are multiples of 2^-26. NAN along axes that are open
     * or have one site. The triangular lattice is the square one with a diagonal, and has its
     * axes. */
    CLUP_SK,        /* along the longest periodic axis; the mean where several are as long */
    CLUP_SK_X,      /* along x */
    CLUP_SK_Y,      /* along y */
    CLUP_SK_Z,      /* along z */
    CLUP_XI,        /* the second-moment correlation length in sites, L the longest periodic axis:
                       sqrt(N <m2_vector>/<sk> - 1)/(2 sin(pi/L)) (F. Cooper, B. Freedman and D.
                       Preston, Nucl. Phys. B 210, 210 (1982)); NAN where the root is of a negative
                       number */
    CLUP_XI_OVER_L, /* xi/L */
    /* Improved estimators of these, from the Fortuin-Kasteleyn clusters, with every algorithm. */
    CLUP_S0_IMPROVED,   /* of N m2_vector: sum of s^2/N */
    CLUP_SK_IMPROVED,   /* of sk: sum over the clusters of |sum over their sites of exp(i k x)|^2,
                           divided by N */
    CLUP_SK_X_IMPROVED, /* of sk_x, and so on */
    CLUP_SK_Y_IMPROVED,
    CLUP_SK_Z_IMPROVED,
    CLUP_XI_IMPROVED,
    CLUP_XI_OVER_L_IMPROVED,
    /* Whether Fortuin-Kasteleyn clusters wrap around an axis, with every algorithm: 1 or 0 in a
     * sweep. Where the axis is open: whether one of them has sites at both ends. */
    CLUP_WRAP_X,      /* around x */
    CLUP_WRAP_Y,      /* around y */
    CLUP_WRAP_Z,      /* around z; NAN on lattices in the plane */
    CLUP_WRAP_EITHER, /* around one axis at least */
    CLUP_WRAP_BOTH,   /* around every axis, by one cluster or by several */
    CLUP_WRAP_ONE,    /* around exactly one axis */
    CLUP_OBSERVABLES,
    /* Observables with several values, see clup_simulation_vector. */
    CLUP_CLUSTER_SIZES = CLUP_OBSERVABLES, /* Fortuin-Kasteleyn clusters of s to 2 s - 1 sites, a
                                              site, for s = 1, 2, 4, ...; with every algorithm */
    /* The correlation function G(r) = (q P - 1)/(q - 1), P the share of pairs of sites at distance
     * r along an axis that have equal spins: <s s'> of the spins +-1 for q = 2. r is 1 to 8, 10,
     * 12, 14, 16, 20 and so on, up to half of a periodic axis; at most 64 distances. */
    CLUP_CORRELATION_X,
    CLUP_CORRELATION_Y,
    CLUP_CORRELATION_Z,
    /* Improved estimators of G, with every algorithm: the share of pairs in one Fortuin-Kasteleyn
     * cluster. */
    CLUP_CORRELATION_X_IMPROVED,
    CLUP_CORRELATION_Y_IMPROVED,
    CLUP_CORRELATION_Z_IMPROVED,
    CLUP_OBSERVABLES_ALL
} clup_observable;

/* Returns the name of an observable, such as "largest_cluster"; NULL past the end. */
CLUP_API const char *clup_observable_name(clup_observable observable);

/* Writes the number of the observable that has a name. Returns CLUP_ERROR_USAGE where none has. */
CLUP_API clup_status clup_observable_named(const char *name, clup_observable *observable);

/* Returns 1 where an observable has several values (clup_simulation_vector); 0 where it has one,
 * and past the end. */
CLUP_API int clup_observable_has_values(clup_observable observable);

/* Returns 1 where an observable is measured with Swendsen-Wang alone, since it depends on all
 * clusters; 0 where every algorithm measures it. */
CLUP_API int clup_observable_needs_clusters(clup_observable observable);

/* Returns the group of an observable: one measurement gives all observables of a group. NULL past
 * the end.
 *
 *   "spins"     always measured
 *   "clusters"  the sizes of all clusters; takes a considerable part of a sweep
 *   "modes"     Fourier sums of the spins
 *   "pairs"     pairs of equal spins
 *   "signed"    the magnetisation with its sign, along a field
 *   "staggered" the magnetisation of sublattices with different signs
 *   "helicity"  the helicity modulus of the clock, the XY and the Heisenberg model
 *   "overlap"   the overlap of each system with another one of the same couplings, see
 *               clup_problem_partners
 *   "fk_modes", "fk_wraps", "fk_sizes", "fk_pairs", "fk_bonds"
 *               Fortuin-Kasteleyn clusters that are found for the measurement alone; takes longer
 *               than most sweeps */
CLUP_API const char *clup_observable_group(clup_observable observable);

#ifdef __cplusplus
}
#endif

#endif
