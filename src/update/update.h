/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of a method's Markov chain: the stages of a plan, one after the other on a device, and the
 * reference on the host. */
#ifndef CLUP_UPDATE_UPDATE_H
#define CLUP_UPDATE_UPDATE_H
#include "family/houdayer.h"
#include "family/interface.h"
#include "family/strip.h"

/* One problem on one device, with a prepared stage for each stage of the model; a stage that the
 * method does not have has no kernel variant. Measuring that the caller asks for apart is no stage
 * here. */
typedef struct clup_update {
    clup_state state;
    clup_prepared prepared[CLUP_STAGES];
    clup_houdayer houdayer;   /* Houdayer's moves of a method that has them */
    clup_prepared overrelax;  /* overrelaxation, likewise */
    clup_prepared heat;       /* the heat bath of a method that has it beside clusters */
    clup_interface interface; /* of a subdomain: its interfaces, if the method finds clusters; */
    clup_strip strip;         /* and its strip, if the method has local updates */
} clup_update;

/* Fills in the state that clup_update_create would make, but creates no device buffers. */
clup_status clup_update_describe(clup_context *context, const clup_problem *problem,
                                 const clup_method *method, const clup_plan *plan,
                                 clup_state *state);
clup_status clup_update_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan *plan, uint64_t seed,
                               clup_update *update);
void clup_update_clear(clup_update *update);
/* Gives the systems the inverse temperatures of the problem's replicas. */
clup_status clup_update_set_betas(clup_update *update, const clup_problem *problem);
/* Enqueues Houdayer's moves, if the method has them, for a caller that holds the watch and enqueues
 * the sweep after them. */
clup_status clup_update_move(clup_update *update);
/* Enqueues one sweep, and increments the sweep number. CLUP_INTERRUPTED leaves spins and sweep
 * number as they were, here and below. */
clup_status clup_update_sweep(clup_update *update);
/* clup_update_has_many: whether the plan's action does many sweeps at once and measures them. If
 * so, clup_update_many enqueues count sweeps, sets *done to the number enqueued, fewer than count
 * on failure, and advances the sweep number; see run_many in prepared.h. */
bool clup_update_has_many(const clup_update *update);
clup_status clup_update_many(clup_update *update, unsigned count, cl_mem records, unsigned *done);

/* Sweeps on the host, by the references of the problem and the method. */
typedef struct clup_reference {
    clup_host host;
    clup_serial *stages[CLUP_MEASURE]; /* NULL where a stage has nothing left to do */
    random_key start;                  /* of sweep 0 */
    double stage_s[CLUP_STAGES];       /* host time spent in each stage */
} clup_reference;

/* Creates a reference that draws bonds as the named source does; for source NULL, as the first
 * source for the problem does. */
clup_status clup_reference_create(const clup_problem *problem, const clup_method *method,
                                  const char *source, uint64_t seed, clup_reference *reference);
/* Sets the inverse temperature. */
void clup_reference_set_beta(clup_reference *reference, const clup_problem *problem, double beta);
void clup_reference_clear(clup_reference *reference);
clup_status clup_reference_sweep(clup_reference *reference);
/* Adds the time since *last_s to a stage, and sets *last_s to the present time. */
void clup_reference_lap(clup_reference *reference, clup_stage stage, double *last_s);

#endif
