/* The table of actions, and how those of its rows are launched that are given something. */
#include "base/watch.h"
#include "border/border.clh"
#include "family/label.h"
#include "core/method.h"
#include "core/source.h"
#include "resident/resident.clh"

/* Random blocks that have the fields of all clusters of a system; 0 where a block has so few that
 * they are not drawn beforehand. */
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
    return which == 0 ? pass->state->replicas * field_blocks(pass->state) * sizeof(philox_block)
                      : 0;
}

static clup_status run_flip(clup_pass *pass)
{
    enum { FIELDS, FLIP };
    const size_t items = clup_word_items(pass->state->context);
    const uint64_t blocks = field_blocks(pass->state);
    clup_status status = CLUP_OK;
    if (blocks > 0)
        CLUP_TRY(clup_pass_launch_groups(pass, FIELDS, (blocks + items - 1) / items, items, NULL));
    CLUP_TRY(clup_pass_launch(pass, FLIP, NULL));
done:
    return status;
}

static size_t flip_border_items(const unsigned tile[3])
{
    return 4 * tile[0];
}

/* That of action_flip_border, the spins of names and the table. */
static uint64_t flip_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile;
    return 4ull * (BORDER_NODES_OF(2) + q) * BORDER_NAME_BYTES(2, q) + 8 * FLIP_PLACES;
}

static uint64_t flip_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile;
    return (uint64_t)(BORDER_NODES_OF(3) + q) * BORDER_NAME_BYTES(3, q) + 8 * FLIP_PLACES;
}

static clup_status run_flip_border(clup_pass *pass)
{
    const cl_uint count = pass->state->counting;
    return clup_pass_launch(pass, 0, CLUP_WITH(CLUP_ARG(count)));
}

static clup_status run_flip_one(clup_pass *pass)
{
    const clup_state *state = pass->state;
    const clup_wolff_choice choice = clup_wolff_choose(&state->lattice, state->key, state->q);
    return clup_pass_launch(pass, 0, CLUP_WITH(CLUP_ARG(choice.site), CLUP_ARG(choice.shift)));
}

/* The labels are as they were once all kernels are done. */
static clup_status run_flip_piggyback(clup_pass *pass)
{
    clup_status status = clup_watch_ask();
    if (status != CLUP_OK)
        return status;
    clup_watch_hold();
    for (unsigned k = 0; k < 3 && status == CLUP_OK; k++)
        status = clup_pass_launch(pass, k, NULL);
    clup_watch_release();
    return status;
}

static const clup_row rows[] = {
/* clang-format off */
#define ACTION(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_ACTION, __VA_ARGS__},
/* clang-format on */
#include "family/action.def"
};

const clup_table clup_actions = {rows, sizeof rows / sizeof *rows};
