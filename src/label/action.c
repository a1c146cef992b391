/* The table of actions and how its rows are launched. */
#include "label/label.h"

static clup_status run_flip(clup_pass *pass)
{
    const clup_state *state = pass->state;
    uint64_t groups = (32 * clup_lattice_words(&state->lattice) + CLUP_SITE_ITEMS - 1) / CLUP_SITE_ITEMS;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_ACTION, groups, CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                       CLUP_ARG(state->key), CLUP_ARG(state->labels), CLUP_ARG(state->spins));
}

static const clup_row rows[] = {
#define ACTION(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_ACTION, __VA_ARGS__},
#include "label/action.def"
};

const clup_table clup_actions = {rows, sizeof rows / sizeof *rows};
