/* The table of actions and how its rows are launched. */
#include "label/label.h"
#include "model/method.h"
#include "model/source.h"
#include "resident.clh"

/* Work-groups with one work-item a site. */
static uint64_t site_groups(const clup_state *state)
{
    return (clup_lattice_sites(&state->lattice) + CLUP_SITE_ITEMS - 1) / CLUP_SITE_ITEMS;
}

uint64_t clup_word_site_groups(const clup_state *state)
{
    return (32 * clup_lattice_words(&state->lattice) + CLUP_SITE_ITEMS - 1) / CLUP_SITE_ITEMS;
}

static clup_status run_flip(clup_pass *pass)
{
    const clup_state *state = pass->state;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_ACTION, clup_word_site_groups(state), CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                       CLUP_ARG(state->key), CLUP_ARG(state->systems), CLUP_ARG(state->labels), CLUP_ARG(state->spins));
}

static size_t flip_border_items(const unsigned tile[3])
{
    return 4 * tile[0];
}

static clup_status run_flip_border(clup_pass *pass)
{
    const clup_state *state = pass->state;
    const cl_uint flatten = state->counting, tiles = (cl_uint)pass->tiles;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_ACTION, clup_pass_groups(pass), pass->row->items(pass->tile), CLUP_ARG(state->lattice),
                       CLUP_ARG(tiles), CLUP_ARG(state->key), CLUP_ARG(state->systems), CLUP_ARG(state->labels), CLUP_ARG(state->bonds), CLUP_ARG(state->nodes), CLUP_ARG(state->spins),
                       CLUP_ARG(flatten));
}

static clup_status run_flip_one(clup_pass *pass)
{
    const clup_state *state = pass->state;
    const clup_wolff_choice choice = clup_wolff_choose(&state->lattice, state->key, state->q);
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_ACTION, clup_word_site_groups(state), CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                       CLUP_ARG(choice.site), CLUP_ARG(choice.shift), CLUP_ARG(state->labels), CLUP_ARG(state->spins), CLUP_ARG(state->updated));
}

static clup_status run_prepare_flip(clup_pass *pass)
{
    enum { PREPARE, APPLY };
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[PREPARE], CLUP_ACTION, pass->tiles, pass->row->items(pass->tile), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->key), CLUP_ARG(state->streams), CLUP_ARG(state->stream_count), CLUP_ARG(state->bonds)));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[APPLY], CLUP_ACTION, site_groups(state), CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                         CLUP_ARG(state->labels), CLUP_ARG(state->bonds), CLUP_ARG(state->spins)));
done:
    return status;
}

static clup_status run_flip_piggyback(clup_pass *pass)
{
    enum { STAMP, APPLY, CLEAR };
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[STAMP], CLUP_ACTION, site_groups(state), CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                         CLUP_ARG(state->key), CLUP_ARG(state->labels)));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[APPLY], CLUP_ACTION, clup_word_site_groups(state), CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                         CLUP_ARG(state->labels), CLUP_ARG(state->spins)));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[CLEAR], CLUP_ACTION, site_groups(state), CLUP_SITE_ITEMS, CLUP_ARG(state->lattice),
                         CLUP_ARG(state->labels)));
done:
    return status;
}

static const clup_row rows[] = {
#define ACTION(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_ACTION, __VA_ARGS__},
#include "label/action.def"
};

const clup_table clup_actions = {rows, sizeof rows / sizeof *rows};
