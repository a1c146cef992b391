/* Percolation. */
#ifndef CLUP_PERCOLATION_H
#define CLUP_PERCOLATION_H

#include "clup/plan.h"
#include "clup/estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Means over samples; N is the number of sites of the lattice, s the size of a cluster in sites.
 * Empty sites are in no cluster. */
typedef enum clup_percolation_observable {
    CLUP_PERCOLATION_CLUSTERS,  /* clusters/N */
    CLUP_PERCOLATION_LARGEST,   /* s of the largest cluster/N */
    CLUP_PERCOLATION_OCCUPIED,  /* occupied sites/N; 1 for bond percolation */
    CLUP_PERCOLATION_MEAN_SIZE, /* (sum of s^2 over clusters)/(occupied sites); 0 when there are
                                   none, here and below */
    CLUP_PERCOLATION_MEAN_SIZE_REST, /* the same without the one largest cluster in the sum: (sum of
                                        s^2 - largest^2)/(occupied sites) */
    /* probabilities that a cluster wraps around a periodic axis, that is, has a cycle that winds
     * around the axis a number of times other than 0; or that one spans an open axis, that is, has
     * sites at both ends */
    CLUP_PERCOLATION_WRAP_X,
    CLUP_PERCOLATION_WRAP_Y,
    CLUP_PERCOLATION_WRAP_Z,      /* NAN in the plane */
    CLUP_PERCOLATION_WRAP_EITHER, /* along one axis at least */
    /* along every axis; a diagonal cycle does so on a torus (M. E. J. Newman and R. M. Ziff, Phys.
     * Rev. E 64, 016706 (2001), have these as R^(h), R^(v), R^(e) and R^(b)) */
    CLUP_PERCOLATION_WRAP_BOTH,
    CLUP_PERCOLATION_WRAP_ONE, /* along exactly one axis, whichever: twice their R^(1) on a square
                                  torus */
    CLUP_PERCOLATION_OBSERVABLES
} clup_percolation_observable;

CLUP_API const char *clup_percolation_observable_name(clup_percolation_observable observable);

/* Classes of sizes: class k has 2^k <= s < 2^(k+1). */
#define CLUP_SIZE_CLASSES 32

/* What is found at one p. Errors are standard errors of means over independent samples, NAN for
 * fewer than two; tau_int is 1/2, and independent their number. */
typedef struct clup_percolation_point {
    double p;
    uint64_t samples; /* drawn; fewer than asked for after CLUP_INTERRUPTED */
    clup_estimate estimates[CLUP_PERCOLATION_OBSERVABLES];
    clup_estimate classes[CLUP_SIZE_CLASSES]; /* clusters of a class/N */
    double wall_s;
    uint64_t reserved[8];
} clup_percolation_point;

typedef struct clup_percolation clup_percolation;

/* How many samples of a problem are best drawn in the same launches, at most all of so many: what
 * keeps the device busy. 1 for context NULL, the serial reference, and where there are no samples
 * or no sites. All processes that the context has joined call it: it is as many as keep all devices
 * busy, or 1 where a device has no room for a sample, or there are fewer samples than processes. */
CLUP_API uint32_t clup_percolation_batch(clup_context *context, const clup_problem *problem,
                                         uint64_t samples);
/* Percolation on a device; problem.model says of what, and problem.replicas samples are drawn in
 * the same launches. context NULL draws them by the serial reference on the host, for which plan is
 * ignored. Samples are the same, bit for bit, for every context, plan and number of replicas. plan
 * is as for clup_simulation_create. The context must outlive the percolation. On a device the
 * plan's kernels first draw some samples of a small lattice, which are compared with the reference;
 * when they differ, all is as for clup_simulation_create. */
CLUP_API clup_status clup_percolation_create(clup_context *context, const clup_problem *problem,
                                             const clup_plan *plan, uint64_t seed,
                                             clup_percolation **out);
CLUP_API void clup_percolation_free(clup_percolation *percolation);
/* As clup_simulation_plan. */
CLUP_API const clup_plan *clup_percolation_plan(const clup_percolation *percolation);
/* Draws samples number 0 to samples - 1 of the seed at probability 0 <= p <= 1, rounded to a
 * multiple of 2^-32. A sample has the same random numbers at every p, so that its clusters only
 * grow with p, and results at different p are not independent. progress may be NULL. After
 * CLUP_INTERRUPTED *point is of the samples that were drawn. */
CLUP_API clup_status clup_percolation_run(clup_percolation *percolation, double p, uint64_t samples,
                                          clup_progress *progress, void *user,
                                          clup_percolation_point *point);
/* Draws samples number first to first + count - 1 in the same way, and gives what each has:
 * values[CLUP_PERCOLATION_OBSERVABLES*count], of which values[observable*count + k] is that of
 * sample first + k; probabilities of wrapping are 0 or 1 there. The means are those of
 * clup_percolation_run, which starts with sample 0. When it fails, other than with
 * CLUP_ERROR_USAGE, values of samples that were not drawn are NAN. */
CLUP_API clup_status clup_percolation_series(clup_percolation *percolation, double p,
                                             uint64_t first, uint64_t count,
                                             clup_progress *progress, void *user, double *values);

#ifdef __cplusplus
}
#endif

#endif
