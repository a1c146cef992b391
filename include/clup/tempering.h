/* Several temperatures: parallel tempering and population annealing. */
#ifndef CLUP_TEMPERING_H
#define CLUP_TEMPERING_H

#include "clup/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the replicas other temperatures from the next sweep on, betas[replicas], which are copied;
 * their spins stay. What was measured is forgotten, and sweeps are measured anew: as often as
 * clup_simulation_observe says, counted from here. With tempering there are as many ladders as
 * before. CLUP_ERROR_USAGE for a beta that is out of range. */
CLUP_API clup_status clup_simulation_set_betas(clup_simulation *simulation, const double *betas);

/* Parallel tempering (K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65, 1604 (1996)): every so
 * many sweeps, 1 or more, counted from number 0, the systems at neighbouring temperatures change
 * places with the probability min(1, exp((beta - beta')(E - E'))): those at rungs 0 and 1, 2 and 3
 * and so on, and the other time those at 1 and 2 and so on. The problem's betas increase, R of
 * each: its replicas are R ladders, which have nothing to do with each other, replica number k R +
 * l being rung k of ladder l. A replica keeps its beta, and everything that is asked of it, series,
 * estimates, spins, is that of the systems that came there; a system takes its spins and its random
 * numbers along. What is decided is the same, bit for bit, for every context and plan. To be said
 * before sweeps are measured. CLUP_ERROR_USAGE for betas that do not increase so, that are
 * infinite, or are all the same, and when it was said before. */
CLUP_API clup_status clup_simulation_temper(clup_simulation *simulation, uint64_t every);

/* Places the temperatures of a problem for parallel tempering, betas[replicas], which may be the
 * problem's own, between its first and its last: such that neighbours change places as often
 * everywhere, as far as the mean energies tell. They are measured by so many sweeps in all, 8 or
 * more, in 8 rounds, each with the temperatures that the one before has found; of a simulation as
 * clup_simulation_create makes, from an ordered start, with sweeps number 2^47 and later of the
 * seed. Betas are multiples of 1e-9, the same for every context and plan. After an error betas are
 * as they were. */
CLUP_API clup_status clup_tempering_tune(clup_context *context, const clup_problem *problem,
                                         const clup_method *method, const clup_plan *plan,
                                         uint64_t seed, uint64_t sweeps, double *betas);

/* What came of it, from the first sweep with tempering on, whether it was measured or not. */
typedef struct clup_tempering {
    uint32_t ladders, rungs; /* 0 where there is no tempering */
    uint64_t every;
    uint64_t round_trips; /* of all systems */
    uint64_t reserved[4];
} clup_tempering;
CLUP_API clup_status clup_simulation_tempering(const clup_simulation *simulation,
                                               clup_tempering *tempering);
/* A replica. */
typedef struct clup_rung {
    double beta;
    uint32_t ladder, rung;
    uint32_t system;             /* that is there now */
    uint64_t attempts, accepted; /* exchanges with the next rung; 0 at the last one */
    uint64_t reserved[4];
} clup_rung;
/* A system. */
typedef struct clup_walker {
    uint32_t replica;     /* where it is now */
    uint64_t round_trips; /* from its ladder's lowest beta to the highest and back */
    uint64_t reserved[4];
} clup_walker;
/* CLUP_ERROR_USAGE without tempering, here and below. A system has the number of the replica at
 * which it began. */
CLUP_API clup_status clup_simulation_rung(const clup_simulation *simulation, uint32_t replica,
                                          clup_rung *rung);
CLUP_API clup_status clup_simulation_walker(const clup_simulation *simulation, uint32_t system,
                                            clup_walker *walker);

/* A step of population annealing (K. Hukushima and Y. Iba, AIP Conf. Proc. 690, 200 (2003)): the
 * replicas, all at one temperature, are taken for systems at beta by the weights exp(-(beta - its
 * own) E), and as many are drawn anew from them, each about as often as its weight says. sources[r]
 * is of which system replica r is a copy now, itself where it can be; *ln_ratio is the estimate of
 * ln(Z(beta)/Z(its own)), Z being the sum of exp(-beta E) over all states. Beyond that as
 * clup_simulation_set_betas. Decided by one Philox number, the same for every context and plan.
 * CLUP_ERROR_USAGE for replicas of several or infinite temperatures, an infinite beta, and with
 * tempering; CLUP_ERROR_MEMORY when the host has no room for all spins twice, in bytes. */
CLUP_API clup_status clup_simulation_resample(clup_simulation *simulation, double beta,
                                              uint32_t *sources, double *ln_ratio);

#ifdef __cplusplus
}
#endif

#endif
