/* The table of sources and how its rows are launched. */
#include "model/source.h"

static clup_status run_fk(clup_pass *pass)
{
    const clup_state *state = pass->state;
    uint64_t groups = (clup_lattice_words(&state->lattice) + CLUP_WORD_ITEMS - 1) / CLUP_WORD_ITEMS;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_SOURCE, groups, CLUP_WORD_ITEMS, CLUP_ARG(state->lattice),
                       CLUP_ARG(state->key), CLUP_ARG(state->law.threshold), CLUP_ARG(state->law.always),
                       CLUP_ARG(state->spins), CLUP_ARG(state->bonds));
}

static const clup_row rows[] = {
#define SOURCE(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_SOURCE, __VA_ARGS__},
#include "model/source.def"
};

const clup_table clup_sources = {rows, sizeof rows / sizeof *rows};
