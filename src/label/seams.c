/* The table of seams, and how its rows are launched. */
#include "label/seams.h"

#include "border.clh"
#include "label/label.h"
#include "seams.clh"

/* Kernels, and scratch buffers. */
enum { TAKE, BEGIN, JOIN, GIVE };
enum { WORDS, ROOTS, ALL, FOREST };

static uint64_t entries_of(const clup_state *state)
{
    const clup_lattice *of = clup_lattice_of(&state->lattice);
    return 2ull * state->lattice.nx * (of->axes > 2 ? state->lattice.ny : 1);
}

uint64_t clup_seams_bytes(const clup_state *state)
{
    return state->replicas * entries_of(state) * (state->wide ? sizeof(cl_ulong) : sizeof(cl_uint));
}

static uint64_t seams_scratch(const clup_pass *pass, unsigned which)
{
    const clup_state *state = pass->state;
    const uint64_t entries = state->replicas * entries_of(state) * sizeof(cl_uint);
    const uint64_t bytes[CLUP_PASS_SCRATCH] = {
        [WORDS] = clup_seams_bytes(state),
        [ROOTS] = entries,
        [ALL] = state->part.count * clup_seams_bytes(state),
        [FOREST] = state->part.count * entries,
    };
    return bytes[which];
}

static const clup_row rows[] = {
/* clang-format off */
#define SEAMS(NAME, ABOUT, ...) \
    {.name = #NAME, .about = ABOUT, .stage = CLUP_CONSOLIDATE, .replicas = true, \
     .scratch = seams_scratch, .buffers = "the seams of parts", __VA_ARGS__},
/* clang-format on */
#include "label/seams.def"
};

const clup_row *clup_seams_row(const clup_layout *layout)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (clup_row_suits(&rows[k], layout))
            return &rows[k];
    return NULL;
}

/* Launches a kernel for so many work-items a replica. */
static clup_status launch(clup_pass *pass, unsigned kernel, uint64_t count, const clup_arg *given)
{
    const size_t items = clup_word_items(pass->state->context);
    return clup_pass_launch_groups(pass, kernel, (count - 1) / items + 1, items, given);
}

clup_status clup_seams_take(clup_pass *pass, void *words)
{
    const clup_state *state = pass->state;
    const cl_uint sides = (state->part.below ? 1u : 0) | (state->part.above ? 2u : 0);
    const clup_status status = launch(pass, TAKE, entries_of(state), CLUP_WITH(CLUP_ARG(sides)));
    return status == CLUP_OK ? clup_buffer_read(state->context, pass->scratch[WORDS],
                                                clup_seams_bytes(state), words)
                             : status;
}

clup_status clup_seams_give(clup_pass *pass, const void *all)
{
    const clup_state *state = pass->state;
    const cl_uint part = state->part.index, parts = state->part.count, wraps = state->part.wraps;
    const uint64_t entries = entries_of(state);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_buffer_write(state->context, pass->scratch[ALL], 0,
                               parts * clup_seams_bytes(state), all));
    CLUP_TRY(launch(pass, BEGIN, parts * entries, CLUP_WITH(CLUP_ARG(parts))));
    CLUP_TRY(launch(pass, JOIN, parts * entries / 2, CLUP_WITH(CLUP_ARG(parts), CLUP_ARG(wraps))));
    CLUP_TRY(launch(pass, GIVE, entries, CLUP_WITH(CLUP_ARG(part), CLUP_ARG(parts))));
done:
    return status;
}
