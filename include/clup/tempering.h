/* SPDX-License-Identifier: BSD-3-Clause */
/* Several temperatures: parallel tempering and population annealing. */
#ifndef CLUP_TEMPERING_H
#define CLUP_TEMPERING_H

#include "clup/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the inverse temperatures of all replicas to betas[replicas], which are copied, from the next
 * sweep on. Spins stay. Measured values are dropped; later sweeps are measured as
 * clup_simulation_observe says, counted from here. With tempering the number of ladders must stay.
 * Returns CLUP_ERROR_USAGE for a beta that is out of range. */
CLUP_API clup_status clup_simulation_set_betas(clup_simulation *simulation, const double *betas);

/* ---- parallel tempering ---------------------------------------------------------------------- */

/* Starts parallel tempering (K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65, 1604 (1996)). Call
 * it before sweeps are measured.
 *
 * Every every sweeps, 1 or more, counted from sweep 0, systems at neighbouring temperatures are
 * exchanged with the probability min(1, exp((beta - beta')(E - E'))): alternately those at rungs 0
 * and 1, 2 and 3, ..., and those at rungs 1 and 2, 3 and 4, ...
 *
 * The problem's betas must increase, with R replicas at each beta. They form R ladders, which are
 * independent of each other: replica k R + l is rung k of ladder l. A replica keeps its beta. Its
 * series, estimates and spins are those of the systems that come to it; a system takes its spins
 * and its random numbers along. Exchanges are the same, bit for bit, with every context and plan.
 *
 * Returns CLUP_ERROR_USAGE for betas that do not increase in this way, are infinite or are all
 * equal, and when tempering was started before. */
CLUP_API clup_status clup_simulation_temper(clup_simulation *simulation, uint64_t every);

/* Finds temperatures for parallel tempering: places them between the first and the last beta of the
 * problem so that, as far as the mean energies tell, all neighbours are exchanged equally often.
 *
 *   sweeps  in all, 8 or more, in 8 rounds; each uses the temperatures that the one before has
 *           found. The simulation is that of clup_simulation_create from an ordered start, with
 *           sweeps number 2^47 and later of the seed
 *   betas   [replicas], becomes multiples of 1e-9, the same with every context and plan. It may be
 *           the problem's own array. After an error it is as it was */
CLUP_API clup_status clup_tempering_tune(clup_context *context, const clup_problem *problem,
                                         const clup_method *method, const clup_plan *plan,
                                         uint64_t seed, uint64_t sweeps, double *betas);

/* What tempering has done since its first sweep, measured or not. */
typedef struct clup_tempering {
    uint32_t ladders, rungs; /* 0 without tempering */
    uint64_t every;
    uint64_t round_trips; /* of all systems together */
    uint64_t reserved[4];
} clup_tempering;
CLUP_API clup_status clup_simulation_tempering(const clup_simulation *simulation,
                                               clup_tempering *tempering);

/* A replica: a temperature of a ladder. */
typedef struct clup_rung {
    double beta;
    uint32_t ladder, rung;
    uint32_t system;             /* the system that is there now */
    uint64_t attempts, accepted; /* exchanges with the next rung; 0 at the last rung */
    uint64_t reserved[4];
} clup_rung;

/* A system: spins that move between temperatures. Its number is that of the replica at which it
 * began. */
typedef struct clup_walker {
    uint32_t replica;     /* where it is now */
    uint64_t round_trips; /* from the lowest beta of its ladder to the highest and back */
    uint64_t reserved[4];
} clup_walker;

/* Write the state of a replica, and of a system. Return CLUP_ERROR_USAGE without tempering. */
CLUP_API clup_status clup_simulation_rung(const clup_simulation *simulation, uint32_t replica,
                                          clup_rung *rung);
CLUP_API clup_status clup_simulation_walker(const clup_simulation *simulation, uint32_t system,
                                            clup_walker *walker);

/* ---- population annealing -------------------------------------------------------------------- */

/* Does one step of population annealing (K. Hukushima and Y. Iba, AIP Conf. Proc. 690, 200
 * (2003)). All replicas must have one temperature. They are weighted as systems at beta, by
 * exp(-(beta - their beta) E), and as many are drawn anew from them, each about as often as its
 * weight says. Then all have beta, as after clup_simulation_set_betas. One Philox number decides
 * all draws, so that they are the same with every context and plan.
 *
 *   sources   [replicas], sources[r] becomes the number of the system of which replica r is now a
 *             copy: r itself where possible
 *   ln_ratio  becomes the estimate of ln(Z(beta)/Z(their beta)), Z the sum of exp(-beta E) over all
 *             states
 *
 * Returns CLUP_ERROR_USAGE for replicas of several temperatures, infinite ones, an infinite beta,
 * and with tempering; CLUP_ERROR_MEMORY when the host has no room for two copies of all spins, a
 * byte each. */
CLUP_API clup_status clup_simulation_resample(clup_simulation *simulation, double beta,
                                              uint32_t *sources, double *ln_ratio);

/* What population annealing knows of its replicas: from which of the first systems each descends.
 * Systems that descend from one are a family, and are not independent. */
typedef struct clup_population clup_population;

/* Begins with the replicas of a simulation as they are, each a family of its own, where ln Z counts
 * from. The simulation must outlive *out, which clup_population_free releases. */
CLUP_API clup_status clup_population_create(clup_simulation *simulation, clup_population **out);
CLUP_API void clup_population_free(clup_population *population);

/* Does one step: clup_simulation_resample, with its statuses, of which the population keeps note.
 * Between steps the caller runs sweeps, some of which should be measured. */
CLUP_API clup_status clup_population_resample(clup_population *population, double beta);

/* With fewer families (effective) a population has collapsed: ln Z may be off by more than its
 * error. */
#define CLUP_FAMILIES_LEAST 5

/* What a population has at its present temperature. */
typedef struct clup_population_step {
    double beta;
    double energy, error;    /* the mean energy of all measured sweeps and systems, with its error,
                                which counts what systems of one family have in common; NAN where
                                nothing was measured */
    double ln_z, ln_z_error; /* ln Z less ln Z of the first temperature. The error follows from the
                                families, and from how far estimates of the ratios from the other
                                end of each step are off; NAN where nothing was measured */
    double rho;              /* the mean size of the family of a system */
    double effective;        /* replicas/rho: the number of families of that size */
    uint32_t families;       /* that are left */
    int32_t collapsed;       /* whether effective is below CLUP_FAMILIES_LEAST */
    uint64_t reserved[4];
} clup_population_step;
CLUP_API clup_status clup_population_take(clup_population *population, clup_population_step *step);

#ifdef __cplusplus
}
#endif

#endif
