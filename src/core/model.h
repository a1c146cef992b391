/* SPDX-License-Identifier: BSD-3-Clause */
/* The models: what is decided on a lattice, and how. */
#ifndef CLUP_CORE_MODEL_H
#define CLUP_CORE_MODEL_H
#include "core/state.h"

/* What runs a model's stages, see model.def. */
typedef enum clup_runner {
    CLUP_RUNNER_simulation,
    CLUP_RUNNER_percolation,
    CLUP_RUNNER_labelling
} clup_runner;

typedef struct clup_model_row {
    const char *called; /* what it is called in a sentence */
    clup_runner runner;
    /* CLUP_ERROR_USAGE names what is out of range, the lattice or what else the problem has */
    clup_status (*check)(const clup_problem *problem);
    bool wide;       /* in the plane it may have more sites than 32 bits count */
    bool algorithms; /* its actions belong to algorithms, and it has the problem's q and beta */
    unsigned states; /* of a site; 0 for as many as the problem says, q */
    uint32_t there;  /* stores that are there before the first stage, CLUP_HAS(..) */
    /* the stages of a sweep, in order, up to CLUP_STAGES; MEASURE is the first row of
     * that stage for the model and layout */
    clup_stage order[CLUP_STAGES + 1];
    uint32_t open;       /* bit s: stage s has the lattice with all axes open */
    clup_stage counting; /* the stage that counts clusters by the tiles that they were found in;
                            CLUP_STAGES for none */
    /* the problem whose sites a layout has; NULL for the problem itself */
    clup_problem (*sites)(const clup_layout *layout, const clup_problem *problem);
    /* what a state has besides; NULL for nothing */
    void (*describe)(const clup_problem *problem, clup_state *state);
    double critical_p[CLUP_LATTICES]; /* 0 where it is not known */
} clup_model_row;

/* The row of a model of clup_model. */
const clup_model_row *clup_model_of(clup_model model);
/* CLUP_ERROR_USAGE where a problem that has passed clup_problem_check has more sites than a device
 * can have. */
clup_status clup_problem_check_device(const clup_problem *problem);
/* CLUP_ERROR_USAGE unless the problem is one of a model that is run so. */
clup_status clup_model_check_runner(const clup_problem *problem, clup_runner runner);

#endif
