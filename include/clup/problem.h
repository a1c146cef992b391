/* What is simulated: lattices, models and methods. */
#ifndef CLUP_PROBLEM_H
#define CLUP_PROBLEM_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lattices, by the neighbours ahead that each site has a bond to. */
typedef enum clup_lattice_kind {
    CLUP_LATTICE_SQUARE,     /* "square": (x+1, y), (x, y+1) */
    CLUP_LATTICE_TRIANGULAR, /* "triangular": (x+1, y), (x, y+1), (x-1, y+1) */
    CLUP_LATTICE_CUBIC,      /* "cubic": (x+1, y, z), (x, y+1, z), (x, y, z+1) */
    CLUP_LATTICE_SQUARE_8,   /* "square-8": the square one with its diagonals, 8 neighbours */
    CLUP_LATTICE_CUBIC_18,   /* "cubic-18": the cubic one with the diagonals of its faces */
    CLUP_LATTICE_CUBIC_26,   /* "cubic-26": with those of its cubes as well */
    CLUP_LATTICES
} clup_lattice_kind;

/* The name of a lattice, and how many axes it has, 2 or 3; NULL and 0 past the end. */
CLUP_API const char *clup_lattice_name(clup_lattice_kind lattice);
CLUP_API unsigned clup_lattice_axes(clup_lattice_kind lattice);

/* What is decided on a lattice. */
typedef enum clup_model {
    CLUP_POTTS,            /* "Potts": spins and Fortuin-Kasteleyn bonds, simulated by sweeps */
    CLUP_BOND_PERCOLATION, /* "bond percolation": every bond is active with probability p */
    CLUP_SITE_PERCOLATION, /* "site percolation": every site is occupied with probability p; bonds
                              join occupied neighbours */
    CLUP_IMAGE, /* "image": pixels that match are joined. clup_labelling_create labels; plans are
                   chosen, explained and measured as for the others */
    CLUP_MODELS
} clup_model;

/* The name of a model; NULL past the end. */
CLUP_API const char *clup_model_name(clup_model model);

typedef enum clup_start { CLUP_START_ORDERED, CLUP_START_RANDOM } clup_start;

/* A Potts model, H = -sum over bonds of delta(s_i, s_j), or percolation.
 * Site i = x + size[0]*(y + size[1]*z). Each site has one bond to each of its lattice's neighbours
 * ahead; past the last site of an open axis (before its first, for a step back) there is none, and
 * a periodic axis goes on at the other end. So on a periodic axis of size 1 a bond along it joins a
 * site with itself (it is always satisfied and changes nothing but adds -1 a site to H), and on one
 * of size 2 each pair along it is joined by two bonds.
 * A device has at most 2^32 - 2 sites, or 2^35 of a Potts model with "border" bonds; the lattice,
 * parts of which devices of several processes may have, 2^48, and of the cubic ones less than 2^32
 * along y and z. Others than Potts models have at most 2^32 - 2 sites. */
typedef struct clup_problem {
    clup_lattice_kind lattice;
    uint32_t size[3]; /* sites along x, y and z, each >= 1; in the plane z may be 0, for 1, and is
                         nothing else */
    int periodic[3]; /* each axis: periodic when non-zero; in the plane that of z does not matter */
    unsigned q;      /* states, 2 to 256 */
    double beta;     /* J/(k_B T) >= 0; infinity is the ground state */
    uint32_t replicas; /* independent systems, 1 to 65535, simulated in the same launches; 0 stands
                          for 1 */
    const double *betas; /* betas[replicas] in place of beta; NULL when all have beta */
    clup_model model;    /* percolation has no q, beta and betas, and its replicas are samples, see
                            clup_percolation_create */
    const struct clup_label_problem *image; /* of the model image: what is labelled, which says all;
                                               the other fields do not count. It must live as long
                                               as what is made with the problem */
    uint32_t first_replica; /* the number of the first replica; the last one's is at most 65535.
                               Replicas of the same seed and number have the same random numbers,
                               whatever is simulated beside them; those of any other seed or number
                               have none in common */
    uint64_t reserved[8];
} clup_problem;

/* CLUP_ERROR_USAGE names the first field that is out of range. */
CLUP_API clup_status clup_problem_check(const clup_problem *problem);
/* Sites of a problem that has been checked, those of one replica; 0 for NULL, for zeros and for an
 * unknown lattice. */
CLUP_API uint64_t clup_problem_sites(const clup_problem *problem);
/* Critical inverse temperature of the infinite lattice; NAN where it is not known. Square: ln(1 +
 * sqrt q). Triangular: v^3 + 3 v^2 = q with v = e^beta - 1 (both F. Y. Wu, Rev. Mod. Phys. 54, 235
 * (1982)). Cubic: q = 2 alone, 2 x 0.221654626 (A. M. Ferrenberg, J. Xu and D. P. Landau, Phys.
 * Rev. E 97, 043301 (2018)). */
CLUP_API double clup_critical_beta(clup_lattice_kind lattice, unsigned q);
/* Critical probability of percolation on the infinite lattice; NAN where it is not known, and for
 * the Potts model. Square and triangular bonds, 1/2 and 2 sin(pi/18), and triangular sites, 1/2:
 * exact (M. F. Sykes and J. W. Essam, J. Math. Phys. 5, 1117 (1964)). Square sites, 0.59274605: J.
 * L. Jacobsen, J. Phys. A 48, 454003 (2015). Cubic bonds, 0.24881182, and sites, 0.31160768: J.
 * Wang et al., Phys. Rev. E 87, 052107 (2013); X. Xu et al., Front. Phys. 9, 113 (2014). Sites of
 * square-8, which matches the square lattice: 1 less that of its sites. */
CLUP_API double clup_critical_p(clup_lattice_kind lattice, clup_model model);
/* Exact internal energy <H>/N and specific heat of the q = 2 model on an nx x ny torus at 0.001 <=
 * beta <= 20 (Kaufman 1949; Ferdinand and Fisher, Phys. Rev. 185, 832 (1969)), square lattice.
 * CLUP_ERROR_USAGE for any other problem. */
CLUP_API clup_status clup_exact_ising(const clup_problem *problem, double *energy,
                                      double *specific_heat);

/* How spins are updated. Each sweep starts from the clusters of the Fortuin-Kasteleyn bonds. */
typedef enum clup_algorithm {
    CLUP_SWENDSEN_WANG, /* "sw": every cluster takes a spin drawn afresh (Swendsen and Wang 1987) */
    CLUP_WOLFF, /* "wolff": the cluster of a random site takes one of the other q-1 spins (Wolff
                   1989) */
    CLUP_FEW_CLUSTER, /* "few-cluster": so do, with a probability, the clusters of one random site
                         in each of S x S parts of the lattice, which are grown without labelling
                         the rest (Weigel 2011) */
    CLUP_ALGORITHMS
} clup_algorithm;

/* The Markov chain that is run. All zeros is Swendsen-Wang with Philox. */
typedef struct clup_method {
    clup_algorithm algorithm;
    const char *rng;         /* generator of random numbers, see clup_rng_name; NULL for "philox" */
    unsigned seeds_per_side; /* of few-cluster, on the square lattice alone: S, 1 to the shorter
                                axis */
    double p_flip;           /* of few-cluster: between 0 and 1, both excluded */
    uint64_t reserved[8];
} clup_method;
/* A method that is NULL is all zeros, here and below. */

/* Names of algorithms and of generators of random numbers, and what they are; NULL past the end. */
CLUP_API const char *clup_algorithm_name(clup_algorithm algorithm);
CLUP_API const char *clup_rng_name(size_t row);

#ifdef __cplusplus
}
#endif

#endif
