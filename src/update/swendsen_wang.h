/* The Swendsen-Wang update (Swendsen and Wang, Phys. Rev. Lett. 58, 86 (1987)): on a device, and the serial reference. */
#ifndef CLUP_UPDATE_SWENDSEN_WANG_H
#define CLUP_UPDATE_SWENDSEN_WANG_H
#include <time.h>

#include "model/pass.h"

/* One system on one device; the passes are the stages source to action. */
typedef struct clup_sw {
    clup_state state;
    clup_pass passes[CLUP_MEASURE];
} clup_sw;

clup_status clup_sw_create(clup_context *context, const clup_problem *problem, const clup_plan *plan, uint64_t seed, clup_sw *sw);
void clup_sw_clear(clup_sw *sw);
/* Enqueues one sweep and steps the sweep number. */
clup_status clup_sw_sweep(clup_sw *sw);

/* The same on the host, one byte a spin and bond. */
typedef struct clup_sw_reference {
    lattice_args lattice;
    unsigned q;
    clup_bond_law law;
    random_key key;
    uint8_t *spins, *bonds;
    uint32_t *labels, *sizes;
    double stage_s[CLUP_STAGES]; /* host time spent in each stage */
} clup_sw_reference;

clup_status clup_sw_reference_create(const clup_problem *problem, uint64_t seed, clup_sw_reference *sw);
void clup_sw_reference_clear(clup_sw_reference *sw);
void clup_sw_reference_sweep(clup_sw_reference *sw);
/* Adds the time since *last, which becomes now, to a stage. */
void clup_sw_reference_lap(clup_sw_reference *sw, clup_stage stage, struct timespec *last);

#endif
