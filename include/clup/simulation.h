/* Simulations of Potts models. */
#ifndef CLUP_SIMULATION_H
#define CLUP_SIMULATION_H

#include "clup/plan.h"
#include "clup/estimate.h"
#include "clup/observable.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clup_simulation clup_simulation;

/* A simulation. context NULL runs the serial reference on the host, which takes of a plan only
 * what its source does, and for which rng must be philox. With
 * Philox and the same problem, method, seed and start the spins after any number of sweeps are the
 * same, bit for bit, for every context and plan. plan NULL chooses one, as clup_plan_choose does
 * without a request; CLUP_ERROR_USAGE for one of zeros, with names that are not known, or that does
 * not suit problem, method and device. The context must outlive the simulation; problem and plan
 * are copied. On a device the plan's kernels first do two sweeps of a small lattice, which are
 * compared with the reference. When they differ, and the plan without one of the kernels that the
 * planner chose (clup_plan.chosen) is right, the simulation has that plan, and the kernel is left
 * out of plans to come, see below; else CLUP_ERROR_VERIFY. */
CLUP_API clup_status clup_simulation_create(clup_context *context, const clup_problem *problem,
                                            const clup_method *method, const clup_plan *plan,
                                            uint64_t seed, clup_start start, clup_simulation **out);
CLUP_API void clup_simulation_free(clup_simulation *simulation);
/* The plan that it has, which lives as long. Where that is not the one that was given or chosen,
 * its warning says why. NULL for the serial reference. */
CLUP_API const clup_plan *clup_simulation_plan(const clup_simulation *simulation);

/* What the buffers of a simulation take on the device, and what the device has, in bytes; the
 * serial reference has none. */
typedef struct clup_memory {
    uint64_t bytes, device_bytes;     /* of all, and all that there is */
    uint64_t largest, device_largest; /* of the largest buffer, and the largest that is possible */
    const char *what;                 /* is in that buffer, such as "the labels"; static */
    int fits;
    uint64_t reserved[4];
} clup_memory;

CLUP_API clup_status clup_simulation_memory(clup_context *context, const clup_problem *problem,
                                            const clup_method *method, const clup_plan *plan,
                                            clup_memory *memory);

/* Runs sweeps; with measure non-zero each one, or each every-th of those that were run so, see
 * clup_simulation_observe, is measured and appended to the series. progress may be NULL. After
 * CLUP_INTERRUPTED, as after a run of fewer sweeps, spins and series are those of the
 * clup_simulation_sweeps that are done, and it can be run on. */
CLUP_API clup_status clup_simulation_run(clup_simulation *simulation, uint64_t sweeps, int measure,
                                         clup_progress *progress, void *user);
/* Sweeps done since it was created, measured or not; after clup_simulation_set_state these count
 * from the number given there. */
CLUP_API uint64_t clup_simulation_sweeps(const clup_simulation *simulation);
/* Copies the spins, one byte 0..q-1 a site in raster order and replica by replica, to
 * spins[clup_problem_sites() x replicas] of the caller. */
CLUP_API clup_status clup_simulation_spins(clup_simulation *simulation, uint8_t *spins);
/* The same of count rows from row first on, to spins[count x size[0]], for lattices that memory has
 * no room for. Rows are numbered through all replicas, of which each has clup_problem_sites() /
 * size[0]. CLUP_ERROR_USAGE where there are not as many. Several processes call it together, as
 * those before and after it. */
CLUP_API clup_status clup_simulation_spin_rows(clup_simulation *simulation, uint64_t first,
                                               uint64_t count, uint8_t *spins);
/* The SHA-256 of the spins as clup_simulation_spins gives them, a hash for so many systems each, in
 * turn: hex[replicas / systems]. With systems = 1 each has one, with systems = replicas there is
 * one of all. CLUP_ERROR_USAGE where the replicas are not a multiple of systems. */
CLUP_API clup_status clup_simulation_hash(clup_simulation *simulation, uint32_t systems,
                                          char (*hex)[65]);
/* Writes the spins to a NumPy file of u8, "-" for standard output: [replicas, where there are
 * several][z, of three axes][y][x]. Of several processes number 0 writes; when it cannot, all have
 * its status. */
CLUP_API clup_status clup_simulation_write_spins(clup_simulation *simulation, const char *path);
/* Sets these spins, and the number of the next sweep: from there on it is as one that came to these
 * spins by so many sweeps of its own. With what clup_simulation_sweeps and clup_simulation_spins
 * gave, a simulation of the same problem, method and seed goes on, bit for bit, with any context
 * and plan, in another process too. What was measured stays. CLUP_ERROR_USAGE for a spin that is
 * not below q, a number of 2^48 or more, and where the method has another generator than philox,
 * whose state is more than that. */
CLUP_API clup_status clup_simulation_set_state(clup_simulation *simulation, uint64_t sweep,
                                               const uint8_t *spins);

/* Says what the sweeps to come measure, of which each every-th is measured, 1 or more: these
 * observables, and all others that are known by then, those with the same clup_observable_group. At
 * first it is what is known from the spins, in every sweep. Clusters are known with Swendsen-Wang
 * only; the mean of what is not measured, and each value of its series, is NAN. Those of the groups
 * fk_* are the clusters of the spins before a sweep with the bonds that Swendsen-Wang draws in it
 * with Philox, whatever algorithm and generator the sweep has. What is not of spins and clusters
 * takes buffers on the device besides those of clup_simulation_memory: modes 8 bytes for each
 * coordinate of each axis; fk_* some 5 bytes a site, and fk_modes 16 more. CLUP_ERROR_MEMORY where
 * these do not fit; CLUP_ERROR_USAGE for an observable that there is not, for fk_* from 2^32 sites
 * on, for every 0 or above 2^31, and when sweeps were measured already; after an error what is
 * measured is as before, or what is known from the spins alone. */
CLUP_API clup_status clup_simulation_observe(clup_simulation *simulation,
                                             const clup_observable *observables, size_t count,
                                             uint64_t every);
/* Estimates estimates[CLUP_OBSERVABLES] from all sweeps measured so far. Each observable is a
 * function of means; its error and the rest are those of the series of its jackknife pseudo-values,
 * which for a plain mean are the values themselves. tau_int is summed up to the first W >= 6
 * tau_int (N. Madras and A. D. Sokal, J. Stat. Phys. 50, 109 (1988)) and multiplied by 1 +
 * (2W+1)/sweeps, for deviations are taken from the mean of the same run (U. Wolff, Comput. Phys.
 * Commun. 156, 143 (2004)); where W would be 1024 or more, by means of pairs of values, of four,
 * and so on, so that slow series take no longer. CLUP_ERROR_USAGE when nothing was measured. */
CLUP_API clup_status clup_simulation_estimate(const clup_simulation *simulation, uint32_t replica,
                                              clup_estimate *estimates);
/* The same of replicas first to first + count - 1, estimates[count][CLUP_OBSERVABLES], by as many
 * threads as there are processors for. */
CLUP_API clup_status clup_simulation_estimates(const clup_simulation *simulation, uint32_t first,
                                               uint32_t count, clup_estimate *estimates);
/* Sweeps measured so far, in all runs; 0 for NULL. */
CLUP_API uint64_t clup_simulation_measured(const clup_simulation *simulation);
/* Copies the series of an observable of a replica: values[count] of the measured sweeps number
 * first to first + count - 1, the first one being number 0. Of a mean they are its values in these
 * sweeps. Of a function of means (binder, specific_heat, susceptibility) they are the jackknife's
 * pseudo-values with all sweeps measured so far, which change with each sweep more: n times the
 * value of all n sweeps, with the bias of a variance, less n - 1 times that without the sweep; NAN
 * where n is 1. clup_simulation_estimate takes the error of either. CLUP_ERROR_USAGE for a replica,
 * an observable or sweeps that there are not. */
CLUP_API clup_status clup_simulation_series(const clup_simulation *simulation, uint32_t replica,
                                            clup_observable observable, uint64_t first,
                                            uint64_t count, double *values);

/* Of observables with several values, those from CLUP_OBSERVABLES on: how many there are; 0 for
 * what is not measured, has one value, or NULL. */
CLUP_API size_t clup_simulation_vector_length(const clup_simulation *simulation,
                                              clup_observable observable);
/* Estimates estimates[length] of a replica, as clup_simulation_estimate does of means, and what
 * they belong to: at[length], distances in sites or least sizes. CLUP_ERROR_USAGE when nothing of
 * it was measured. */
CLUP_API clup_status clup_simulation_vector(const clup_simulation *simulation, uint32_t replica,
                                            clup_observable observable, double *at,
                                            clup_estimate *estimates);

/* Times of the measured runs. stage_ps are picoseconds a site and sweep by device events, of one
 * sweep in 32 (host clock for the serial reference), NAN where the device's events cannot be used;
 * update_ps is their sum without measuring. iterations are those of iterative kernels in the last
 * sweep, counting the one that changed nothing: passes of local labelling, the mean over tiles, and
 * iterations of label relaxation; NAN for other stages and kernels. */
typedef struct clup_timing {
    uint64_t sweeps;
    double wall_s, update_ps, stage_ps[CLUP_STAGES];
    double iterations[CLUP_STAGES];
    /* of processes with parts of a lattice: rounds of transfers in these sweeps, and bytes that
     * came to this one */
    uint64_t rounds, bytes;
    uint64_t reserved[6];
} clup_timing;
/* All zeros for simulation NULL. */
CLUP_API void clup_simulation_timing(const clup_simulation *simulation, clup_timing *timing);

#ifdef __cplusplus
}
#endif

#endif
