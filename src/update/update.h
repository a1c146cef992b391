/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of a method's Markov chain: the stages of a plan one after the other on a device, and the
 * serial reference. */
#ifndef CLUP_UPDATE_UPDATE_H
#define CLUP_UPDATE_UPDATE_H
#include "family/interface.h"

/* One system on one device; the passes are the stages of the model, without a row where the method
 * has no such stage. What is measured when somebody asks is none of them. */
typedef struct clup_update {
    clup_state state;
    clup_prepared prepared[CLUP_STAGES];
    clup_interface seams; /* of a part of a lattice */
} clup_update;

/* The state that an update would have, without its buffers. */
clup_status clup_update_describe(clup_context *context, const clup_problem *problem,
                                 const clup_method *method, const clup_plan *plan,
                                 clup_state *state);
clup_status clup_update_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan *plan, uint64_t seed,
                               clup_update *update);
void clup_update_clear(clup_update *update);
/* Enqueues one sweep and steps the sweep number. CLUP_INTERRUPTED leaves both the spins and the
 * number as they were, here and below. */
clup_status clup_update_sweep(clup_update *update);
/* Whether the plan's action does many sweeps at once and measures them; if so, enqueues them, *done
 * on failure, and steps the sweep number, see run_many of pass.h. */
bool clup_update_has_many(const clup_update *update);
clup_status clup_update_many(clup_update *update, unsigned count, cl_mem records, unsigned *done);

/* The same on the host, by the serial definitions of rows that the problem and the method have. */
typedef struct clup_reference {
    clup_host host;
    clup_serial *stages[CLUP_MEASURE]; /* NULL where a stage has nothing left to do */
    random_key start;                  /* of sweep 0 */
    double stage_s[CLUP_STAGES];       /* host time spent in each stage */
} clup_reference;

/* With the bonds of a source, or for NULL of the first that suits the problem. */
clup_status clup_reference_create(const clup_problem *problem, const clup_method *method,
                                  const char *source, uint64_t seed, clup_reference *reference);
void clup_reference_clear(clup_reference *reference);
clup_status clup_reference_sweep(clup_reference *reference);
/* Adds the time since *last_s, which becomes now, to a stage. */
void clup_reference_lap(clup_reference *reference, clup_stage stage, double *last_s);

#endif
