/* SPDX-License-Identifier: BSD-3-Clause */
/* The models: what is decided on a lattice, and how. */
#ifndef CLUP_CORE_MODEL_H
#define CLUP_CORE_MODEL_H
#include "core/state.h"

/* Sets of models: one model, the spin models whose spins have states and those whose spins are
 * vectors, both kinds of percolation, and all models. */
#define CLUP_ON(model) (1u << (model))
#define CLUP_ON_SPINS \
    (CLUP_ON(CLUP_POTTS) | CLUP_ON(CLUP_ISING) | CLUP_ON(CLUP_CLOCK) | CLUP_ON(CLUP_TABLE))
#define CLUP_ON_VECTORS (CLUP_ON(CLUP_XY) | CLUP_ON(CLUP_HEISENBERG))
#define CLUP_ON_PERCOLATION (CLUP_ON(CLUP_BOND_PERCOLATION) | CLUP_ON(CLUP_SITE_PERCOLATION))
#define CLUP_ON_ALL (CLUP_ON(CLUP_MODELS) - 1)

/* The function of clup that runs a model's stages, see model.def. */
typedef enum clup_runner {
    CLUP_RUNNER_simulation,
    CLUP_RUNNER_percolation,
    CLUP_RUNNER_labelling
} clup_runner;

typedef struct clup_model_row {
    const char *called; /* what messages call it */
    clup_runner runner;
    /* Validates the lattice and all else that the problem has. CLUP_ERROR_USAGE names a value out
     * of range. */
    clup_status (*check)(const clup_problem *problem);
    int equal, unequal; /* of a model with an energy: that of a bond of coupling 1 between equal
                         * spins, which is lower, and that of another bond */
    bool wide;          /* in the plane, may have more sites than 32 bits can count */
    bool algorithms;  /* its actions belong to algorithms, and it uses q and beta of the problem */
    unsigned states;  /* states of a site; 0: q of the problem */
    unsigned numbers; /* of a vector, see vector.h; 0: spins are no vectors */
    uint32_t there;   /* device buffers that are filled before the first stage, CLUP_HAS(..) */
    /* The stages of a sweep, in order; CLUP_STAGES ends the list. MEASURE is the first kernel
     * variant for the model and the layout. */
    clup_stage order[CLUP_STAGES + 1];
    uint32_t open;       /* bit s: stage s gets the lattice with all axes open */
    clup_stage counting; /* the stage that counts clusters by the tiles in which they were found;
                            CLUP_STAGES for none */
    /* Returns the problem whose sites the layout stores. NULL where it is the problem itself. */
    clup_problem (*sites)(const clup_layout *layout, const clup_problem *problem);
    /* Sets what a state of the model has besides. NULL where there is nothing. */
    void (*describe)(const clup_problem *problem, clup_state *state);
} clup_model_row;

/* Returns the row of a model. */
const clup_model_row *clup_model_of(clup_model model);
/* Returns the numbers of a spin that is a vector (vector.h), 1 or 3; 0 for other models. */
unsigned clup_spin_numbers(const clup_problem *problem);
/* Validates that a problem which passed clup_problem_check can run on a device. CLUP_ERROR_USAGE
 * where it has more sites than labels there have values. */
clup_status clup_problem_check_device(const clup_problem *problem);
/* Whether the model of a problem, which must be a known one, is bond or site percolation. */
bool clup_problem_is_percolation(const clup_problem *problem);
/* CLUP_ERROR_USAGE unless runner runs the model of the problem. */
clup_status clup_model_check_runner(const clup_problem *problem, clup_runner runner);

#endif
