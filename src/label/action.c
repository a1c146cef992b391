/* The table of actions and how its rows are launched. */
#include "label/label.h"
#include "model/method.h"

uint64_t clup_word_site_groups(const clup_state *state)
{
    return (32 * clup_lattice_words(&state->lattice) + CLUP_SITE_ITEMS - 1) / CLUP_SITE_ITEMS;
}

static clup_status run_flip(clup_pass *pass)
{
    const clup_state *state = pass->state;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_ACTION, clup_word_site_groups(state), CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                       CLUP_ARG(state->key), CLUP_ARG(state->labels), CLUP_ARG(state->spins));
}

static clup_status run_flip_one(clup_pass *pass)
{
    const clup_state *state = pass->state;
    const clup_wolff_choice choice = clup_wolff_choose(&state->lattice, state->key, state->q);
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_ACTION, clup_word_site_groups(state), CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                       CLUP_ARG(choice.site), CLUP_ARG(choice.shift), CLUP_ARG(state->labels), CLUP_ARG(state->spins), CLUP_ARG(state->updated));
}

static const clup_row rows[] = {
#define ACTION(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_ACTION, __VA_ARGS__},
#include "label/action.def"
};

const clup_table clup_actions = {rows, sizeof rows / sizeof *rows};
