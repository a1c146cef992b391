/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of percolation. */
#ifndef CLUP_PERCOLATION_H
#define CLUP_PERCOLATION_H

#include "clup/plan.h"
#include "clup/estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Observables: means over samples. N is the number of sites of the lattice, s the size of a cluster
 * in sites. Empty sites are in no cluster. */
typedef enum clup_percolation_observable {
    CLUP_PERCOLATION_CLUSTERS,       /* number of clusters/N */
    CLUP_PERCOLATION_LARGEST,        /* s of the largest cluster/N */
    CLUP_PERCOLATION_OCCUPIED,       /* occupied sites/N; 1 for bond percolation */
    CLUP_PERCOLATION_MEAN_SIZE,      /* (sum of s^2 over the clusters)/(occupied sites); 0 without
                                        occupied sites */
    CLUP_PERCOLATION_MEAN_SIZE_REST, /* without one largest cluster: (sum of s^2 -
                                        largest^2)/(occupied sites); 0 without occupied sites */
    /* The probability that a cluster wraps around a periodic axis: it has a cycle that winds around
     * the axis a number of times other than 0. Of an open axis, that a cluster spans it: it has
     * sites at both ends. M. E. J. Newman and R. M. Ziff, Phys. Rev. E 64, 016706 (2001), call
     * wrap_x R^(h), wrap_y R^(v), wrap_either R^(e) and wrap_both R^(b). NAN for an axis that the
     * lattice does not have, and all of them on a list of edges. */
    CLUP_PERCOLATION_WRAP_X,
    CLUP_PERCOLATION_WRAP_Y,
    CLUP_PERCOLATION_WRAP_Z,
    CLUP_PERCOLATION_WRAP_EITHER, /* around one axis at least, of up to 8 */
    CLUP_PERCOLATION_WRAP_BOTH,   /* around every axis; on a torus a diagonal cycle does so */
    CLUP_PERCOLATION_WRAP_ONE,    /* around exactly one axis: twice their R^(1) on a square torus */
    CLUP_PERCOLATION_OBSERVABLES
} clup_percolation_observable;

/* Returns the name of an observable, such as "wrap_x"; NULL past the end. */
CLUP_API const char *clup_percolation_observable_name(clup_percolation_observable observable);

/* Classes of sizes: class k has the clusters with 2^k <= s < 2^(k+1). */
#define CLUP_SIZE_CLASSES 32

/* Results at one p. Errors are standard errors of means over independent samples, NAN for fewer
 * than two; tau_int is 1/2, and independent is the number of samples. */
typedef struct clup_percolation_point {
    double p;
    uint64_t samples; /* that were drawn; fewer than asked for after CLUP_INTERRUPTED */
    clup_estimate estimates[CLUP_PERCOLATION_OBSERVABLES];
    clup_estimate classes[CLUP_SIZE_CLASSES]; /* number of clusters of a class/N */
    double wall_s;                            /* seconds */
    uint64_t reserved[8];
} clup_percolation_point;

/* A source of samples. */
typedef struct clup_percolation clup_percolation;

/* Returns how many samples of a problem keep the device busy, at most samples: a good value for
 * problem.replicas. 1 for context NULL, and for no samples or no sites. All processes that the
 * context has joined call it; it is then as many as keep all devices busy, or 1 where a device has
 * no room for a sample or there are fewer samples than processes. */
CLUP_API uint32_t clup_percolation_batch(clup_context *context, const clup_problem *problem,
                                         uint64_t samples);

/* Makes a source of samples.
 *
 *   context  the device; it must outlive *out. NULL draws samples by the serial reference on the
 *            host, which ignores plan
 *   problem  its model is CLUP_BOND_PERCOLATION or CLUP_SITE_PERCOLATION, on a lattice or a graph
 *            (clup_problem_set_graph); problem.replicas samples are drawn in the same launches.
 *            Copied
 *   plan     see clup_simulation_create
 *   seed     of the random numbers
 *   out      release it by clup_percolation_free
 *
 * Samples are the same, bit for bit, with every context, plan and number of replicas. On a device
 * the kernels of the plan first draw some samples of a small lattice, which are compared with the
 * reference. What follows when they differ, and the statuses, are those of
 * clup_simulation_create. */
CLUP_API clup_status clup_percolation_create(clup_context *context, const clup_problem *problem,
                                             const clup_plan *plan, uint64_t seed,
                                             clup_percolation **out);
CLUP_API void clup_percolation_free(clup_percolation *percolation);

/* Returns the plan that is used, as clup_simulation_plan does. */
CLUP_API const clup_plan *clup_percolation_plan(const clup_percolation *percolation);

/* Draws samples number 0 to samples - 1 of the seed, and averages over them.
 *
 *   p               0 <= p <= 1, rounded to a multiple of 2^-32. A sample has the same random
 *                   numbers at every p: its clusters only grow with p, and results at different p
 *                   are not independent
 *   progress, user  see clup_progress; NULL for none
 *   point           becomes the result; after CLUP_INTERRUPTED that of the samples which were
 *                   drawn */
CLUP_API clup_status clup_percolation_run(clup_percolation *percolation, double p, uint64_t samples,
                                          clup_progress *progress, void *user,
                                          clup_percolation_point *point);

/* Draws samples number first to first + count - 1 of the seed, and writes what each has to
 * values[CLUP_PERCOLATION_OBSERVABLES*count]: values[observable*count + k] belongs to sample first
 * + k. Probabilities are 0 or 1 there. The means of samples from 0 on are those of
 * clup_percolation_run. After a failure other than CLUP_ERROR_USAGE the values of samples that were
 * not drawn are NAN. */
CLUP_API clup_status clup_percolation_series(clup_percolation *percolation, double p,
                                             uint64_t first, uint64_t count,
                                             clup_progress *progress, void *user, double *values);

/* ---- scans ----------------------------------------------------------------------------------- */

/* Samples at several probabilities, added up: a scan can be stopped after any sample, saved, and
 * gone on with elsewhere, and then has the results, bit for bit, of one that was never stopped. */
typedef struct clup_percolation_scan clup_percolation_scan;

/* Makes a scan without samples.
 *
 *   problem    as for clup_percolation_create; replicas are ignored. Copied
 *   seed       of the random numbers
 *   ps[count]  probabilities, 0 to 1; copied
 *   keep       whether the scan also keeps the values of each sample, 88 bytes a sample
 *   out        release it by clup_percolation_scan_free */
CLUP_API clup_status clup_percolation_scan_create(const clup_problem *problem, uint64_t seed,
                                                  const double *ps, uint32_t count, int keep,
                                                  clup_percolation_scan **out);
CLUP_API void clup_percolation_scan_free(clup_percolation_scan *scan);

/* Draws samples at p number number, after those that the scan has there, until there are samples of
 * them; none if there are as many. percolation must have the problem and the seed of the scan,
 * CLUP_ERROR_USAGE. progress gets the samples that this call has drawn; it may save the scan. */
CLUP_API clup_status clup_percolation_scan_run(clup_percolation_scan *scan,
                                               clup_percolation *percolation, uint32_t number,
                                               uint64_t samples, clup_progress *progress,
                                               void *user);

/* Sets *point to the results at p number number: those of clup_percolation_run. wall_s is that of
 * all calls that drew its samples. */
CLUP_API clup_status clup_percolation_scan_point(const clup_percolation_scan *scan, uint32_t number,
                                                 clup_percolation_point *point);

/* Sets matrix[CLUP_PERCOLATION_OBSERVABLES][CLUP_PERCOLATION_OBSERVABLES] to the covariances of the
 * means at p number number, sum of (x - mean of x) (y - mean of y)/(n (n - 1)) over n samples,
 * whose diagonal has the squares of the errors. NAN for fewer than two samples, and for what the
 * lattice does not have. */
CLUP_API clup_status clup_percolation_scan_covariance(const clup_percolation_scan *scan,
                                                      uint32_t number, double *matrix);

/* Return the problem; the seed; the number of probabilities, with *ps, which may be NULL, set to
 * them; and whether the scan keeps the values of samples. The scan owns what it returns. */
CLUP_API const clup_problem *clup_percolation_scan_problem(const clup_percolation_scan *scan);
CLUP_API uint64_t clup_percolation_scan_seed(const clup_percolation_scan *scan);
CLUP_API uint32_t clup_percolation_scan_points(const clup_percolation_scan *scan,
                                               const double **ps);
CLUP_API int clup_percolation_scan_keeps(const clup_percolation_scan *scan);

/* ---- curves ---------------------------------------------------------------------------------- */

/* Samples whose bonds become active, or whose sites are occupied, one after the other, so that each
 * has a value for every number of them: M. E. J. Newman and R. M. Ziff, Phys. Rev. E 64, 016706
 * (2001). The order is that of the random numbers with which clup_percolation_run decides, and of
 * indices where two are equal: sample s of a seed at probability p is sample s of the curves after
 * as many steps as there are numbers below p. Means over the binomial distribution of the number of
 * steps are means at any p, from the same samples. */
typedef struct clup_percolation_curves clup_percolation_curves;

/* Makes curves without samples.
 *
 *   context  the device; it must outlive *out. NULL draws samples on the host, one after the other
 *   problem  as for clup_percolation_create; replicas are ignored
 *   seed     of the random numbers
 *   out      release it by clup_percolation_curves_free
 *
 * Curves are the same on every device. There are fewer than 2^31 sites, and fewer than 2^31 bonds,
 * with those of rows filled up to multiples of 32 sites. The first curves of a context with kernels
 * of one kind draw some samples of a small lattice, and compare them with those of the host: where
 * they differ the status is CLUP_ERROR_VERIFY. Contexts of several processes are refused. */
CLUP_API clup_status clup_percolation_curves_create(clup_context *context,
                                                    const clup_problem *problem, uint64_t seed,
                                                    clup_percolation_curves **out);
CLUP_API void clup_percolation_curves_free(clup_percolation_curves *curves);
/* Returns the number of steps: bonds, or sites. */
CLUP_API uint64_t clup_percolation_curves_steps(const clup_percolation_curves *curves);

/* Draws samples number 0 to samples - 1 in place of those before.
 *
 *   ps[count]       probabilities, 0 to 1; NULL for count 0
 *   progress, user  see clup_progress; NULL for none
 *   points[count]   become the means at these probabilities. There are no classes of sizes: NAN.
 *                   occupied is p, or 1 for bonds. wall_s is that of all samples
 *
 * Errors come from the scatter of up to 64 blocks of samples, and are NAN for one block. After
 * CLUP_INTERRUPTED the results are those of the blocks that are complete; their estimates' number
 * of independent values is that of blocks. The host needs some 200 bytes a step, of sites more
 * where they have many neighbours, 4 bytes a sample and axis, and room for the weights of each p.
 */
CLUP_API clup_status clup_percolation_curves_run(clup_percolation_curves *curves, uint64_t samples,
                                                 const double *ps, uint32_t count,
                                                 clup_progress *progress, void *user,
                                                 clup_percolation_point *points);

/* Writes the means of an observable after steps first to first + count - 1, the last of which is at
 * most clup_percolation_curves_steps(), and their errors, as for clup_percolation_curves_run. Step
 * 0 has no active bond, or no occupied site. means[count] and errors[count] may be NULL. They are
 * NAN without samples, and for what the lattice or graph does not have; the error of occupied is 0.
 */
CLUP_API clup_status clup_percolation_curves_means(const clup_percolation_curves *curves,
                                                   clup_percolation_observable observable,
                                                   uint64_t first, uint64_t count, double *means,
                                                   double *errors);

/* Writes a table (.csv, or - for standard output) with a line for each step from 0 on: its number,
 * and the mean and the error of each observable that the curves have, nan where there is none. A
 * file is whole or untouched. */
CLUP_API clup_status clup_percolation_curves_write(const clup_percolation_curves *curves,
                                                   const char *path);

#ifdef __cplusplus
}
#endif

#endif
