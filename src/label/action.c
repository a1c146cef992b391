/* The table of actions and how its rows are launched. */
#include "base/watch.h"
#include "border.clh"
#include "label/label.h"
#include "model/method.h"
#include "model/source.h"
#include "resident.clh"

/* Work-groups with one work-item a site. */
static uint64_t site_groups(const clup_state *state)
{
    return (clup_lattice_sites(&state->lattice) + clup_site_items(state->context) - 1) / clup_site_items(state->context);
}

uint64_t clup_word_site_groups(const clup_state *state)
{
    return (32 * clup_lattice_words(&state->lattice) + clup_site_items(state->context) - 1) / clup_site_items(state->context);
}

uint64_t clup_word_column_groups(const clup_state *state)
{
    return (uint64_t)state->lattice.words * ((lattice_rows(state->lattice) - 1) / 32 + 1);
}

/* Random blocks that have the fields of all clusters of a system; 0 where a block has so few that they are not drawn beforehand. */
static uint64_t field_blocks(const clup_state *state)
{
    const unsigned field = clup_spin_field(state->q);
    return field < 32 ? field_block(clup_lattice_sites(&state->lattice) - 1, field) + 1 : 0;
}

/* Local memory of word_sites.clh. */
static uint64_t site_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 32 * 32;
}

static uint64_t flip_scratch(const clup_pass *pass, unsigned which)
{
    return which == 0 ? pass->state->replicas * field_blocks(pass->state) * sizeof(philox_block) : 0;
}

static clup_status run_flip(clup_pass *pass)
{
    enum { FIELDS, FLIP };
    const clup_state *state = pass->state;
    const uint64_t blocks = field_blocks(state);
    clup_status status = CLUP_OK;
    if (blocks > 0)
        CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[FIELDS], CLUP_ACTION, (blocks + clup_word_items(state->context) - 1) / clup_word_items(state->context), clup_word_items(state->context),
                             CLUP_ARG(state->lattice), CLUP_ARG(state->key), CLUP_ARG(pass->scratch[0])));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[FLIP], CLUP_ACTION, clup_word_column_groups(state), clup_site_items(state->context), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->key), CLUP_ARG(pass->scratch[0]), CLUP_ARG(state->labels), CLUP_ARG(state->spins)));
done:
    return status;
}

static size_t flip_border_items(const unsigned tile[3])
{
    return 4 * tile[0];
}

/* That of action_flip_border, the spins of names. */
static uint64_t flip_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile;
    return 4ull * (BORDER_INNER + q) * (q > 128 ? 2 : 1);
}

static clup_status run_flip_border(clup_pass *pass)
{
    const clup_state *state = pass->state;
    const cl_uint flatten = state->counting, tiles = (cl_uint)pass->tiles;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_ACTION, clup_pass_groups(pass), clup_pass_items(pass), CLUP_ARG(state->lattice),
                       CLUP_ARG(tiles), CLUP_ARG(state->key), CLUP_ARG(state->labels), CLUP_ARG(state->bonds), CLUP_ARG(state->nodes), CLUP_ARG(state->spins),
                       CLUP_ARG(flatten));
}

static clup_status run_flip_one(clup_pass *pass)
{
    const clup_state *state = pass->state;
    const clup_wolff_choice choice = clup_wolff_choose(&state->lattice, state->key, state->q);
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_ACTION, clup_word_site_groups(state), clup_site_items(state->context), CLUP_ARG(state->lattice),
                       CLUP_ARG(choice.site), CLUP_ARG(choice.shift), CLUP_ARG(state->labels), CLUP_ARG(state->spins), CLUP_ARG(state->updated));
}

static clup_status run_prepare_flip(clup_pass *pass)
{
    enum { PREPARE, APPLY };
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[PREPARE], CLUP_ACTION, pass->tiles, clup_pass_items(pass), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->key), CLUP_ARG(state->streams), CLUP_ARG(state->stream_count), CLUP_ARG(state->bonds)));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[APPLY], CLUP_ACTION, site_groups(state), clup_site_items(state->context), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->labels), CLUP_ARG(state->bonds), CLUP_ARG(state->spins)));
done:
    return status;
}

static clup_status run_flip_piggyback(clup_pass *pass)
{
    enum { STAMP, APPLY, CLEAR };
    const clup_state *state = pass->state;
    clup_status status = clup_watch_ask();
    if (status != CLUP_OK)
        return status;
    clup_watch_hold();
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[STAMP], CLUP_ACTION, site_groups(state), clup_site_items(state->context), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->key), CLUP_ARG(state->labels)));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[APPLY], CLUP_ACTION, clup_word_column_groups(state), clup_site_items(state->context), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->labels), CLUP_ARG(state->spins)));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[CLEAR], CLUP_ACTION, site_groups(state), clup_site_items(state->context), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->labels)));
done:
    clup_watch_release();
    return status;
}

static const clup_row rows[] = {
#define ACTION(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_ACTION, __VA_ARGS__},
#include "label/action.def"
};

const clup_table clup_actions = {rows, sizeof rows / sizeof *rows};
