/* SPDX-License-Identifier: BSD-3-Clause */
/* Local updates of a subdomain (core/subdomain.h). The sites of its first layer have neighbours in
 * the layer below, which another process has. So the first layer is updated in a strip, a small
 * lattice of three layers: the last layer of the subdomain below, the first layer of this one, and
 * the layer after it. The subdomain updates its other layers. After each colour (heat.clh) the
 * processes exchange the layers that have changed, so that the strip, the subdomain and its halo
 * have the spins of the whole lattice. */
#ifndef CLUP_FAMILY_STRIP_H
#define CLUP_FAMILY_STRIP_H
#include "core/prepared.h"

typedef struct clup_strip {
    clup_context *context;
    clup_state state;              /* of the strip; not used where there is no subdomain below */
    clup_prepared heat, overrelax; /* the stages of the strip; not prepared likewise */
    bool exists;                   /* there is a subdomain below */
    /* Layers on their way: the first two to the subdomains below and above, the others from there.
     */
    clup_pinned pinned;
    char *memory;
    cl_uint *piece;         /* room for reordering a piece of a layer */
    uint64_t rounds, bytes; /* of exchange, and bytes received, since it was created */
} clup_strip;

/* Rows of a lattice from first to end - 1. */
typedef struct clup_rows {
    cl_uint first, end;
} clup_rows;

/* Prepares a strip for a state of a subdomain, and sets state->strip. heat and overrelax are the
 * subdomain's kernel variants, NULL for none. strip must be zero, and live as long as the state. */
clup_status clup_strip_create(clup_state *state, const clup_problem *problem,
                              const unsigned tile[3], const clup_variant *heat,
                              const clup_variant *overrelax, clup_strip *strip);
/* Adds to need what clup_strip_create takes on the device. The state must come from
 * clup_state_describe. */
clup_status clup_strip_need(const clup_state *state, const clup_problem *problem,
                            const unsigned tile[3], const clup_variant *heat,
                            const clup_variant *overrelax, clup_need *need);
void clup_strip_clear(clup_strip *strip);
/* Returns the stage of the strip that updates its sites as prepared does those of the subdomain;
 * NULL where there is no strip. */
clup_prepared *clup_strip_stage(const clup_prepared *prepared);
/* Return the rows that are updated in the subdomain and in the strip. */
clup_rows clup_strip_own_rows(const clup_state *state);
clup_rows clup_strip_rows(const clup_state *state);
/* Both must be called by all processes. clup_strip_begin copies the spins of the subdomain to the
 * strip. clup_strip_agree exchanges the layers that an update has changed: it wrote the spins of
 * the subdomain to the buffer spins, and those of the strip to the buffer of_strip. Both wait for
 * the device. */
clup_status clup_strip_begin(clup_state *state);
clup_status clup_strip_agree(clup_state *state, cl_mem spins, cl_mem of_strip);

#endif
