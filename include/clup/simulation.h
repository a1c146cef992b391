/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulations of spin models: sweeps, spins, observables and times. */
#ifndef CLUP_SIMULATION_H
#define CLUP_SIMULATION_H

#include "clup/image.h"
#include "clup/plan.h"
#include "clup/estimate.h"
#include "clup/observable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A simulation. */
typedef struct clup_simulation clup_simulation;

/* Makes a simulation.
 *
 *   context  the device; it must outlive the simulation. NULL runs the serial reference on the
 *            host: it uses only the source of a plan, and the generator must be philox
 *   problem  a spin model; copied
 *   method   NULL is all zeros
 *   plan     copied; NULL chooses one, as clup_plan_choose does without a request
 *   seed     of the random numbers
 *   start    the spins at sweep 0
 *   out      the simulation; release it by clup_simulation_free
 *
 * With Philox the same problem, method, seed and start give the same spins after any number of
 * sweeps, bit for bit, with every context and plan.
 *
 * On a device the kernels of the plan first do two sweeps of a small lattice, which are compared
 * with the reference. If they differ, and a plan without one of the kernels that the planner chose
 * (clup_plan.chosen) is right, the simulation gets that plan, and later plans leave the kernel out
 * (plan.h). Otherwise the status is CLUP_ERROR_VERIFY.
 *
 * Returns CLUP_ERROR_USAGE for a plan of zeros, a plan with unknown names, and one that does not
 * suit the problem, the method and the device.
 *
 *     TRY(clup_simulation_create(context, &problem, NULL, NULL, 1, CLUP_START_ORDERED, &s))
 *     TRY(clup_simulation_run(s, 100, 0, NULL, NULL))    towards equilibrium
 *     TRY(clup_simulation_run(s, 1000, 1, NULL, NULL))   measured
 *     TRY(clup_simulation_estimate(s, 0, estimates))     estimates[CLUP_ENERGY].mean */
CLUP_API clup_status clup_simulation_create(clup_context *context, const clup_problem *problem,
                                            const clup_method *method, const clup_plan *plan,
                                            uint64_t seed, clup_start start, clup_simulation **out);
CLUP_API void clup_simulation_free(clup_simulation *simulation);

/* Returns the plan that the simulation uses, which it owns. Where that is not the plan that was
 * given or chosen, its warning says why. NULL for the serial reference. */
CLUP_API const clup_plan *clup_simulation_plan(const clup_simulation *simulation);

/* The memory of the device that a simulation needs, and that the device has, in bytes. The serial
 * reference has none. */
typedef struct clup_memory {
    uint64_t bytes, device_bytes;     /* all buffers; all memory of the device */
    uint64_t largest, device_largest; /* the largest buffer; the largest one that is possible */
    const char *what;                 /* what the largest buffer holds, such as "the labels";
                                         static */
    int fits;                         /* whether the device has room for all of it */
    uint64_t reserved[4];
} clup_memory;

/* Computes the memory that clup_simulation_create would take, without making buffers. Arguments are
 * those of clup_simulation_create. */
CLUP_API clup_status clup_simulation_memory(clup_context *context, const clup_problem *problem,
                                            const clup_method *method, const clup_plan *plan,
                                            clup_memory *memory);

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* Runs sweeps.
 *
 *   measure         non-zero measures every sweep, or each every-th of those that were run so
 *                   (clup_simulation_observe), and appends the values to the series
 *   progress, user  see clup_progress; NULL for none
 *
 * After CLUP_INTERRUPTED the spins and series are those of the sweeps that are done
 * (clup_simulation_sweeps), as after a run of so many sweeps, and the simulation can go on. */
CLUP_API clup_status clup_simulation_run(clup_simulation *simulation, uint64_t sweeps, int measure,
                                         clup_progress *progress, void *user);

/* Returns the number of sweeps that were done, measured or not, since the simulation was made.
 * After clup_simulation_set_state it counts on from the number that was given there. */
CLUP_API uint64_t clup_simulation_sweeps(const clup_simulation *simulation);

/* ---- spins ----------------------------------------------------------------------------------- */

/* Copies the spins to spins, clup_spin_bytes() x clup_problem_sites() x replicas bytes, in raster
 * order, replica by replica. A spin is
 *
 *   a byte             0..q-1, the state
 *   XY model           one number of 32 bits, unsigned: the angle in units of 2 pi/2^32 from the x
 *                      axis, along which a field points
 *   Heisenberg model   three numbers of 32 bits, signed: the components x, y and z in units of
 *                      2^-30. A field points along z
 *
 * The spins of vacant sites (clup_problem_vacant) mean nothing, but hashes are of them too. */
CLUP_API clup_status clup_simulation_spins(clup_simulation *simulation, uint8_t *spins);

/* Copies count rows of spins, from row first on, as clup_simulation_spins: for lattices that are
 * too large for the host's memory. Rows are numbered through all replicas; a replica has
 * clup_problem_sites() / size[0]. Of several processes, all call this and the functions on spins
 * above and below together. Returns CLUP_ERROR_USAGE for rows that do not exist. */
CLUP_API clup_status clup_simulation_spin_rows(clup_simulation *simulation, uint64_t first,
                                               uint64_t count, uint8_t *spins);

/* Computes SHA-256 hashes of the spins as clup_simulation_spins gives them, one for each group of
 * so many systems, to hex[replicas / systems]. systems = 1 gives a hash of each system, systems =
 * replicas one hash of all. Returns CLUP_ERROR_USAGE where replicas is no multiple of systems. */
CLUP_API clup_status clup_simulation_hash(clup_simulation *simulation, uint32_t systems,
                                          char (*hex)[65]);

/* Writes the spins to a NumPy file; "-" is standard output. Its axes are [replicas][z][y][x],
 * without replicas where there is one, and without z in the plane. States are u8. Angles of the XY
 * model are f64 from 0 to 2 pi; of the Heisenberg model the components are f64, with a last axis
 * [3]. Vacant sites are CLUP_VACANT_STATE, or NaN. Graphs have [vertices]. Of several processes
 * number 0 writes; when it fails, all return its status. */
CLUP_API clup_status clup_simulation_write_spins(clup_simulation *simulation, const char *path);

/* What a picture of spins shows. All zeros is plane 0 along z of all systems. */
typedef enum clup_view_axis { CLUP_VIEW_Z, CLUP_VIEW_X, CLUP_VIEW_Y } clup_view_axis;
/* Values of plane: the middle one; and all planes of one system. */
#define CLUP_VIEW_MIDDLE UINT32_MAX
#define CLUP_VIEW_SLICES (UINT32_MAX - 1)
typedef struct clup_view {
    clup_view_axis axis;     /* the axis that planes stand across: of z they have x to the right and
                                y downwards, of y x and z, of x y and z. In the plane Z */
    uint32_t plane;          /* its number, or CLUP_VIEW_MIDDLE or CLUP_VIEW_SLICES */
    uint32_t first, systems; /* the systems that are drawn side by side, systems 0 for all from
                                first on, 16 of them at most; or of slices 16 of the first system,
                                evenly spaced */
    uint32_t least;          /* sites become squares of so many pixels that the longer side of the
                                picture is so long; 0 for a pixel a site */
    uint64_t reserved[4];
} clup_view;

/* Draws the spins: 3 channels, u8, and planes with gray lines between them. State k has the same
 * colour for every q; colours are chosen to be told apart, also by people who lack a kind of cones.
 * Clock states and angles have hues, vectors in space also a brightness, which grows with their z.
 * Vacant sites are white. view NULL is the middle plane of all systems, a pixel a site. Release
 * *picture by clup_image_clear; it is all zeros after a failure. CLUP_ERROR_USAGE for a graph, and
 * for a plane or system that does not exist. */
CLUP_API clup_status clup_simulation_picture(clup_simulation *simulation, const clup_view *view,
                                             clup_image *picture);

/* Writes to rgb[3*count] the colours of count sites in pictures, from their spins as
 * clup_simulation_spins gives them: red, green and blue of one site after the other. Of the problem
 * model and q count. Vacant sites of states, CLUP_VACANT_STATE, are white; CLUP_ERROR_USAGE for
 * other states that the model does not have. */
CLUP_API clup_status clup_spin_colours(const clup_problem *problem, const uint8_t *spins,
                                       uint64_t count, uint8_t *rgb);

/* Writes such a picture as a PNG; path must end in .png. A file is whole or untouched. */
CLUP_API clup_status clup_simulation_draw(clup_simulation *simulation, const clup_view *view,
                                          const char *path);

/* Sets the spins, and the number of sweeps that were done. From there on the simulation is as one
 * that came to these spins by so many sweeps of its own. With the values of clup_simulation_sweeps
 * and clup_simulation_spins, a simulation of the same problem, method and seed goes on, bit for
 * bit, with any context and plan, in another process too. Measured values stay.
 *
 * Returns CLUP_ERROR_USAGE for a spin that is not below q or no vector of length 1, for 2^48 sweeps
 * or more, and for a generator other than philox, whose state is not in the spins. */
CLUP_API clup_status clup_simulation_set_state(clup_simulation *simulation, uint64_t sweep,
                                               const uint8_t *spins);

/* ---- measuring ------------------------------------------------------------------------------- */

/* Says what later sweeps measure. Without this call every measured sweep gives the group "spins".
 *
 *   observables  [count]; all observables of their groups (clup_observable_group) are measured,
 *                and the group "spins". Of others the mean, and each value of the series, is NAN
 *   every        measures each every-th sweep, 1 to 2^31 - 1
 *
 * Group "clusters" is measured with Swendsen-Wang alone. The groups fk_* use the clusters of the
 * spins before a sweep with the bonds that Swendsen-Wang with Philox draws in it, whatever
 * algorithm and generator the sweep has. Groups other than "spins" and "clusters" take buffers on
 * the device besides those of clup_simulation_memory: "modes" 8 bytes for each coordinate of each
 * axis, fk_* about 5 bytes a site, fk_modes 16 bytes a site more.
 *
 * Returns CLUP_ERROR_MEMORY where these buffers do not fit; CLUP_ERROR_USAGE for an unknown
 * observable, for fk_* with 2^32 sites or more, for an every out of range, and after sweeps were
 * measured. After an error the simulation measures as before, or the group "spins" alone. */
CLUP_API clup_status clup_simulation_observe(clup_simulation *simulation,
                                             const clup_observable *observables, size_t count,
                                             uint64_t every);

/* How long the measured sweeps took to equilibrium. */
typedef struct clup_equilibration {
    uint64_t left_out;          /* of the measured sweeps, the first so many are to be left out */
    int settled;                /* 0 where half of the sweeps are to be left out, and equilibrium is
                                   not seen to begin there; and where left_out is 0 because fewer
                                   than 20 were measured, which do not tell */
    clup_observable observable; /* that asks for so many */
    uint32_t replica;           /* the first one of the temperature that does */
    uint64_t reserved[3];
} clup_equilibration;

/* Finds out how many of the measured sweeps to leave out, by the marginal standard error rule:
 * those for which the naive error of the mean of the others is least, at most half (K. P. White,
 * Simulation 69, 323 (1997); of means of five values, MSER-5). It is applied to the energy and to
 * abs_m, averaged over the replicas of one temperature; the largest number counts, for all
 * replicas. The answer is a function of the measured values, which are the same with every context
 * and plan. Returns CLUP_ERROR_USAGE when nothing was measured. */
CLUP_API clup_status clup_simulation_equilibration(const clup_simulation *simulation,
                                                   clup_equilibration *equilibration);

/* Leaves the first count measured sweeps out of estimates, averages and series, and of
 * clup_simulation_measured, until it is called again; 0 leaves none out. Checkpoints keep all
 * sweeps. Returns CLUP_ERROR_USAGE where fewer were measured, or as many. */
CLUP_API clup_status clup_simulation_leave_out(clup_simulation *simulation, uint64_t count);

/* Fewer samples of disorder at a temperature do not tell whether an error is reached. */
#define CLUP_SAMPLES_LEAST 8

/* An error that is asked for. */
typedef struct clup_target {
    clup_observable observable; /* with one value */
    double error;               /* above 0 */
    int relative;               /* error is in units of the size of the mean */
    uint64_t reserved[2];
} clup_target;

/* Runs sweeps that are measured, at most so many, until the errors of targets[count] are reached at
 * each temperature: those of the averages over its replicas, or of its only system. They are looked
 * at after 128, 181, 256, 362, .. measured sweeps of all runs, and after the last sweep: so the
 * number of sweeps is a function of the measured values, and that of a simulation that goes on from
 * a checkpoint is that of one that was never stopped. An error counts if clup_average_note or
 * clup_estimate_note is CLUP_NOTE_NONE or _FEW_EVENTS: not where the run is short, values never
 * changed, or replicas disagree. With several samples of disorder this must be so of the estimate
 * of each system, too, as the scatter of samples does not tell how long a run is.
 *
 *   settle   non-zero leaves out the sweeps that lead to equilibrium for each look, see
 *            clup_simulation_equilibration; errors are not reached where equilibrium is not.
 *            All sweeps count when the function returns
 *   reached  whether they are
 *
 * A run is more likely to end when its errors happen to be too small, and its mean goes with them.
 * Of runs with 4 x 4 sites that ended so after 470 sweeps on average, 100 tau_int, the exact energy
 * was within two errors in 91 %, of those that took 3000 in 96 % (tests/t_until.c).
 *
 * Returns CLUP_ERROR_USAGE for an error that is not above 0 or not finite, for an observable with
 * several values, and for an average whose error can never be reached: by fewer than
 * CLUP_SAMPLES_LEAST samples of disorder, or not known (clup_simulation_averages); else as
 * clup_simulation_run. */
CLUP_API clup_status clup_simulation_run_until(clup_simulation *simulation,
                                               const clup_target *targets, size_t count, int settle,
                                               uint64_t sweeps, clup_progress *progress, void *user,
                                               int *reached);

/* Estimates estimates[CLUP_OBSERVABLES] of a replica, from all sweeps measured so far.
 *
 * An observable is a function of means. Its error and the other fields are those of the series of
 * its jackknife pseudo-values, which for a plain mean are the values themselves. tau_int is summed
 * up to the first W >= 6 tau_int (N. Madras and A. D. Sokal, J. Stat. Phys. 50, 109 (1988)) and
 * multiplied by 1 + (2W+1)/sweeps, since deviations are from the mean of the same run (U. Wolff,
 * Comput. Phys. Commun. 156, 143 (2004)). Where W would be 1024 or more, means of pairs of values
 * are used, then of four, and so on, so that slow series take no longer.
 *
 * Returns CLUP_ERROR_USAGE when nothing was measured. */
CLUP_API clup_status clup_simulation_estimate(const clup_simulation *simulation, uint32_t replica,
                                              clup_estimate *estimates);

/* Does that for replicas first to first + count - 1, to estimates[count][CLUP_OBSERVABLES], with
 * one thread for each processor. */
CLUP_API clup_status clup_simulation_estimates(const clup_simulation *simulation, uint32_t first,
                                               uint32_t count, clup_estimate *estimates);

/* Does that for observables[observable_count] alone, to estimates[count][observable_count]. Each
 * must have one value, and can have any number, also one from CLUP_OBSERVABLES_ALL on. Returns
 * CLUP_ERROR_USAGE for others. */
CLUP_API clup_status clup_simulation_estimates_of(const clup_simulation *simulation,
                                                  const clup_observable *observables,
                                                  size_t observable_count, uint32_t first,
                                                  uint32_t count, clup_estimate *estimates);

/* Averages observables over all systems that have the inverse temperature of a replica, from all
 * sweeps measured so far.
 *
 *   observables  [observable_count], each with one value
 *   averages     [observable_count]
 *   systems, samples  how many there are; may be NULL. Without disorder samples is systems
 *
 * Equal systems, without disorder or with one sample of it: a function of means is that of the
 * means over all systems, a variance too, whose bias is removed by the error of its mean. From
 * CLUP_SCATTER_LEAST systems on, errors are those of the jackknife over systems. With fewer they
 * are those of the single systems together: the root of the sum of their squares, divided by the
 * number of systems; each is that of the system's series of pseudo-values about the means over all
 * (clup_simulation_estimate). Of 4 and more systems with fewer than 4 values errors are by the
 * jackknife.
 *
 * Several samples of disorder: systems with the same sample are averaged first, means are averaged
 * over samples, and a function of means is that of the averages, such as
 * 1 - [<overlap4>]/(3 [<overlap2>]^2), [..] over samples; specific_heat, susceptibility and
 * m_susceptibility are averages of the samples' own values. Errors are those of the jackknife over
 * samples, so that they contain those of the sweeps.
 *
 * What was not measured is NAN. Errors of equal systems are NAN for overlaps, as those of several
 * pairs depend on each other, and with Houdayer's moves, which mix systems. Returns
 * CLUP_ERROR_USAGE when nothing was measured. */
CLUP_API clup_status clup_simulation_averages(const clup_simulation *simulation, uint32_t replica,
                                              const clup_observable *observables,
                                              size_t observable_count, clup_average *averages,
                                              uint32_t *systems, uint32_t *samples);

/* Returns the number of sweeps measured so far, in all runs; 0 for NULL. */
CLUP_API uint64_t clup_simulation_measured(const clup_simulation *simulation);

/* Copies the series of an observable of a replica to values[count]: measured sweeps number first to
 * first + count - 1, counted from 0.
 *
 * Of a mean these are its values in the sweeps. Of a function of means (binder, specific_heat,
 * susceptibility) they are the jackknife pseudo-values with all n sweeps measured so far: n times
 * the value of all sweeps (with the bias of a variance), less n - 1 times the value without the
 * sweep. They change with each further sweep, and are NAN where n is 1. The error of
 * clup_simulation_estimate is that of either series.
 *
 * Returns CLUP_ERROR_USAGE for a replica, an observable or sweeps that do not exist. */
CLUP_API clup_status clup_simulation_series(const clup_simulation *simulation, uint32_t replica,
                                            clup_observable observable, uint64_t first,
                                            uint64_t count, double *values);

/* Returns how many values an observable with several values (clup_observable_has_values) has; 0 for
 * one that is not measured or has one value, and for NULL. */
CLUP_API size_t clup_simulation_vector_length(const clup_simulation *simulation,
                                              clup_observable observable);

/* Estimates an observable with several values, of a replica, as clup_simulation_estimate does.
 *
 *   at         [length], what each value belongs to: a distance in sites, or the least size of a
 *              class of clusters
 *   estimates  [length], see clup_simulation_vector_length
 *
 * Returns CLUP_ERROR_USAGE when it was not measured. */
CLUP_API clup_status clup_simulation_vector(const clup_simulation *simulation, uint32_t replica,
                                            clup_observable observable, double *at,
                                            clup_estimate *estimates);

/* Averages an observable with several values as clup_simulation_averages does: at[length] and
 * averages[length], see clup_simulation_vector. Returns CLUP_ERROR_USAGE when it was not
 * measured. */
CLUP_API clup_status clup_simulation_average_vector(const clup_simulation *simulation,
                                                    uint32_t replica, clup_observable observable,
                                                    double *at, clup_average *averages);

/* ---- times ----------------------------------------------------------------------------------- */

/* Times of the measured runs. stage_ps are picoseconds a site and sweep by device events, of one
 * sweep in 32; by the host's clock for the serial reference; NAN where device events have no times.
 * update_ps is their sum without CLUP_MEASURE. iterations are those of iterative kernels in the
 * last sweep, with the one that changed nothing: passes of local labelling, the mean over tiles,
 * and iterations of label relaxation. They are NAN for other stages and kernels. */
typedef struct clup_timing {
    uint64_t sweeps;
    double wall_s, update_ps, stage_ps[CLUP_STAGES];
    double iterations[CLUP_STAGES];
    /* Of processes that have parts of a lattice: rounds of transfers in these sweeps, and bytes
     * that this process received. */
    uint64_t rounds, bytes;
    uint64_t reserved[6];
} clup_timing;

/* Writes the times; all zeros for simulation NULL. */
CLUP_API void clup_simulation_timing(const clup_simulation *simulation, clup_timing *timing);

#ifdef __cplusplus
}
#endif

#endif
