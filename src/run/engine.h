/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs the sweeps of a simulation, and the samples of percolation: a device, or the serial
 * reference. */
#ifndef CLUP_RUN_ENGINE_H
#define CLUP_RUN_ENGINE_H
#include "base/status.h"
#include "family/measure.h"
#include "family/interface.h"
#include "plan/validate.h"
#include "update/percolation.h"

typedef struct clup_engine clup_engine;

/* One kind of engine; a struct of its own starts with the clup_engine. */
typedef struct clup_engine_kind {
    /* count <= most sweeps, finished on return, which should take expected_s. records gets those of
     * the sweeps that measuring says, of all replicas each, one after the other; NULL when none is
     * to be measured. A record is as record.clh says; or of percolation, whose replicas are
     * samples and whose sweeps are all measured, a clup_percolation_sample. After CLUP_INTERRUPTED,
     * the first *done sweeps are complete in all replicas, with their records, and nothing is left
     * of the others */
    clup_status (*batch)(clup_engine *engine, unsigned count, double expected_s, void *records,
                         unsigned *done);
    /* the number of the next sweep, or of the first sample, and of percolation the probability from
     * then on */
    void (*go_to)(clup_engine *engine, uint64_t sweep, double p);
    /* spins[count*nx], one byte each in raster order: count rows of all systems, one system after
     * the other, from row first on; NULL of percolation */
    clup_status (*read_rows)(clup_engine *engine, uint64_t first, uint64_t count, uint8_t *spins);
    clup_status (*write_rows)(clup_engine *engine, uint64_t first, uint64_t count,
                              const uint8_t *spins);
    /* seconds spent in a stage since forget_times, NAN where not known */
    double (*stage_s)(const clup_engine *engine, clup_stage stage);
    /* how many iterations a stage took in the last sweep, see clup_timing; NAN where it has none or
     * they are not known */
    double (*iterations)(clup_engine *engine, clup_stage stage);
    void (*forget_times)(clup_engine *engine);
    void (*free)(clup_engine *engine);
    /* what records of the batches to come have, which is measuring then; NULL of percolation. After
     * CLUP_ERROR_USAGE for what cannot be measured, or another error, it is as it was, or what is
     * known from the spins alone */
    clup_status (*observe)(clup_engine *engine, const clup_measuring *measuring);
    /* betas[replicas] of the sweeps to come, between batches; NULL of percolation */
    clup_status (*set_betas)(clup_engine *engine, const double *betas);
} clup_engine_kind;

struct clup_engine {
    const clup_engine_kind *kind;
    unsigned most;               /* sweeps of a batch */
    const clup_ranks *ranks;     /* the other processes that have parts of the lattice; or NULL */
    const clup_interface *seams; /* and what is done with them in a sweep */
    clup_measuring measuring;    /* of a simulation: by observe, and before by who has the engine,
                                    between batches */
};

/* An engine for a problem of a model that is simulated, or of percolation, which has been checked:
 * on a device by the plan that is given, NULL for one that is chosen, or for context NULL on the
 * host, with the bonds of the plan's source, NULL for the problem's own. Here alone a plan that is
 * given is validated, and proved by a known-answer test of its kernels; *plan, which may be the
 * given one, becomes the plan that the engine has: another one where clup_plan_validate finds that,
 * and on the host the source alone. Spins are all 0. Freed by its kind. */
clup_status clup_engine_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan *given, uint64_t seed,
                               clup_plan *plan, clup_engine **engine);
/* Each kind by itself. */
typedef clup_status clup_engine_maker(clup_context *context, const clup_problem *problem,
                                      const clup_method *method, const clup_plan *plan,
                                      uint64_t seed, clup_engine **engine);
clup_engine_maker clup_engine_simulation_device, clup_engine_simulation_host,
    clup_engine_simulation_spread, /* for several processes, each with some of the systems */
    clup_engine_percolation_device, clup_engine_percolation_host, clup_engine_percolation_spread;

/* Before a batch of processes, none of which may end before the others: the sweeps that all of them
 * want, at most count. CLUP_INTERRUPTED where the watch of one ends it, with *done = 0. */
clup_status clup_engine_agree(const clup_engine *engine, unsigned count, unsigned *sweeps,
                              unsigned *done);
/* Whether something is so for this process, or for another one that has a part of the lattice. */
clup_status clup_engine_any(const clup_engine *engine, bool here, bool *any);

/* The rows that two ranges have in common: how many, 0 for none, and how far the first of them is
 * from the start of each. */
typedef struct clup_common {
    uint64_t count, in_a, in_b;
} clup_common;
clup_common clup_rows_in_common(uint64_t a, uint64_t a_count, uint64_t b, uint64_t b_count);
/* What all processes go on with, of whom each has come to a status: CLUP_OK if all have, else each
 * that has not failed itself has the least of the others. */
clup_status clup_engine_agree_on(const clup_engine *engine, clup_status status);
/* Of bytes[count], of which each process has some, and zeros in the place of the others, each gets
 * all, if none has failed: status is what this one came to. */
clup_status clup_engine_put_together(const clup_engine *engine, clup_status status, uint8_t *bytes,
                                     uint64_t count);

/* Known-answer tests, by which a device or driver that gets kernels wrong is found before its
 * results are trusted: two sweeps, or some samples, of a small lattice with a plan's kernels as
 * they are compiled for this problem, against the serial reference; images have one of their own.
 * CLUP_ERROR_VERIFY when they differ. The first is the problem's model's. */
clup_known_answer clup_verify, clup_simulation_verify, clup_percolation_verify;

#endif
