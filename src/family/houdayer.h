/* SPDX-License-Identifier: BSD-3-Clause */
/* Houdayer's cluster moves, cl/houdayer. */
#ifndef CLUP_FAMILY_HOUDAYER_H
#define CLUP_FAMILY_HOUDAYER_H
#include "core/prepared.h"

/* The stages of the moves; all zero for a method without moves. */
typedef struct clup_houdayer {
    clup_prepared ends;       /* the bonds of a move, and its action */
    clup_prepared own[2];     /* where the plan has no labels of sites: stages that find them */
    clup_prepared *labels[2]; /* local labelling and consolidation: of the plan, or own */
} clup_houdayer;

/* Returns the kernel variant of the moves' bonds and action. */
const clup_variant *clup_houdayer_variant(void);
/* Prepares the moves of a state whose method has them; at first no system has a mate. of_plan is
 * the prepared stages of the state's plan, by stage, and tile is the plan's tile. Moves are
 * labelled by the plan's stages where they label sites, and else by the first kernel variants that
 * can. */
clup_status clup_houdayer_create(clup_state *state, clup_prepared *of_plan, const unsigned tile[3],
                                 clup_houdayer *moves);
/* Adds to need what clup_houdayer_create takes on the device. The state must come from
 * clup_state_describe. */
void clup_houdayer_need(clup_state *state, const unsigned tile[3], clup_need *need);
void clup_houdayer_clear(clup_houdayer *moves);
/* Enqueues the moves that come before a sweep: state->method.houdayer of each pair. */
clup_status clup_houdayer_run(clup_houdayer *moves);
/* Does move number round before a sweep on the host, of two systems, the first of which has the
 * lower number. */
clup_status clup_houdayer_reference(clup_host *first, clup_host *second, uint32_t round);

#endif
