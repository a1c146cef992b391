/* Lock-free union of the seams: two launches. */
#include "label/label.h"

#include "border.clh"

enum { UNITE, FLATTEN };

void clup_border_tile(const lattice_args *lattice, unsigned tile[2])
{
    (void)lattice;
    tile[0] = 32;
    tile[1] = BORDER_Y;
}

clup_status clup_run_union_border(clup_pass *pass)
{
    const clup_state *state = pass->state;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_CONSOLIDATE, pass->tiles, pass->row->items(pass->tile), CLUP_ARG(state->lattice),
                       CLUP_ARG(state->labels), CLUP_ARG(state->bonds), CLUP_ARG(state->nodes));
}


clup_status clup_run_union(clup_pass *pass)
{
    const clup_state *state = pass->state;
    const lattice_args *lattice = &state->lattice;
    clup_status status = CLUP_OK;
    uint64_t seams = (uint64_t)((lattice->ny - 1) / pass->tile[1] + 1) * lattice->nx + (uint64_t)((lattice->nx - 1) / pass->tile[0] + 1) * lattice->ny;
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[UNITE], CLUP_CONSOLIDATE, (seams + CLUP_WORD_ITEMS - 1) / CLUP_WORD_ITEMS, CLUP_WORD_ITEMS,
                         CLUP_ARG(state->lattice), CLUP_ARG(state->bonds), CLUP_ARG(state->labels)));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[FLATTEN], CLUP_CONSOLIDATE,
                         (clup_lattice_sites(lattice) + CLUP_SITE_ITEMS - 1) / CLUP_SITE_ITEMS, CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                         CLUP_ARG(state->labels)));
done:
    return status;
}
