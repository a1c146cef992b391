/* The table of sources and how its rows are launched. */
#include "model/source.h"

/* Work-groups with a work-item a word. */
static uint64_t word_groups(const clup_state *state)
{
    return (clup_lattice_words(&state->lattice) + clup_word_items(state->context) - 1) / clup_word_items(state->context);
}

static clup_status run_fk(clup_pass *pass)
{
    const clup_state *state = pass->state;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_SOURCE, word_groups(state), clup_word_items(state->context), CLUP_ARG(state->lattice),
                       CLUP_ARG(state->key), CLUP_ARG(state->laws),
                       CLUP_ARG(state->spins), CLUP_ARG(state->bonds));
}

static clup_status run_bond(clup_pass *pass)
{
    const clup_state *state = pass->state;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_SOURCE, word_groups(state), clup_word_items(state->context), CLUP_ARG(state->lattice),
                       CLUP_ARG(state->key), CLUP_ARG(state->law), CLUP_ARG(state->bonds));
}

static clup_status run_site(clup_pass *pass)
{
    enum { SITES, BONDS };
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[SITES], CLUP_SOURCE, word_groups(state), clup_word_items(state->context), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->key), CLUP_ARG(state->law), CLUP_ARG(state->spins)));
    CLUP_TRY(CLUP_LAUNCH(state->context, &pass->kernels[BONDS], CLUP_SOURCE, word_groups(state), clup_word_items(state->context), CLUP_ARG(state->lattice),
                         CLUP_ARG(state->spins), CLUP_ARG(state->bonds)));
done:
    return status;
}

/* The rows that keep a random stream for each work-item. */
static clup_status run_streams(clup_pass *pass)
{
    const clup_state *state = pass->state;
    return CLUP_LAUNCH(state->context, &pass->kernels[0], CLUP_SOURCE, pass->tiles, clup_pass_items(pass), CLUP_ARG(state->lattice),
                       CLUP_ARG(state->key), CLUP_ARG(state->law), CLUP_ARG(state->streams), CLUP_ARG(state->stream_count),
                       CLUP_ARG(state->spins), CLUP_ARG(state->bonds), CLUP_ARG(state->labels));
}

void clup_activation_tile(const lattice_args *lattice, unsigned tile[3])
{
    for (tile[0] = 2; tile[0] < lattice->nx && tile[0] < 256; tile[0] *= 2)
        ;
    tile[1] = 4;
    tile[2] = 1;
}

/* Work-items of a group. */
static size_t a_site(const unsigned tile[3])
{
    return (size_t)tile[0] * tile[1];
}

static size_t a_square(const unsigned tile[3])
{
    return a_site(tile) / 4;
}

static size_t a_column(const unsigned tile[3])
{
    return tile[0];
}

static uint64_t streams(const lattice_args *lattice, size_t (*items)(const unsigned tile[3]))
{
    unsigned tile[3];
    clup_activation_tile(lattice, tile);
    return clup_lattice_tiles(lattice, tile) * items(tile);
}

static uint64_t site_streams(const lattice_args *lattice)
{
    return streams(lattice, a_site);
}

static uint64_t square_streams(const lattice_args *lattice)
{
    return streams(lattice, a_square);
}

uint64_t clup_column_streams(const lattice_args *lattice)
{
    return streams(lattice, a_column);
}

static const clup_row rows[] = {
#define SOURCE(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_SOURCE, __VA_ARGS__},
#include "model/source.def"
};

const clup_table clup_sources = {rows, sizeof rows / sizeof *rows};
