/* The table of seams, and how its rows are launched. */
#include "label/seams.h"

#include "border.clh"
#include "label/label.h"
#include "seams.clh"

/* Kernels, and scratch buffers. */
enum { TAKE, BEGIN, JOIN, GIVE };
enum { WORDS, ROOTS, ALL, FOREST };
/* The same of sizes; the last kernel is there where they are counted in labels. */
enum { SIZES, ADD, COUNT, SIZES_BEGIN };
enum { OWN, OF_ALL, TOTALS };

static uint64_t entries_of(const clup_state *state)
{
    const clup_lattice *of = clup_lattice_of(&state->lattice);
    return 2ull * state->lattice.nx * (of->axes > 2 ? state->lattice.ny : 1);
}

clup_status clup_seams_check(const clup_state *state)
{
    unsigned tile[3];
    clup_border_tile(&state->lattice, tile);
    const uint64_t entries = entries_of(state),
                   forest = clup_layout_of_sites(state->layout)
                                ? 2 * clup_lattice_sites(&state->lattice)
                                : BORDER_NODES * clup_lattice_tiles(&state->lattice, tile);
    if (forest + entries > UINT32_MAX || state->part.count * entries > UINT32_MAX)
        return clup_fail(CLUP_ERROR_USAGE,
                         "a part of %llu sites, %llu in a layer, is too large for %s bonds",
                         (unsigned long long)clup_lattice_sites(&state->lattice),
                         (unsigned long long)entries / 2, state->layout->name);
    return CLUP_OK;
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

uint64_t clup_seams_sizes_bytes(const clup_state *state)
{
    return state->replicas * entries_of(state) * sizeof(cl_ulong);
}

static uint64_t sizes_scratch(const clup_pass *pass, unsigned which)
{
    const clup_state *state = pass->state;
    const uint64_t own = clup_seams_sizes_bytes(state), all = state->part.count * own;
    const uint64_t bytes[CLUP_PASS_SCRATCH] = {[OWN] = own, [OF_ALL] = all, [TOTALS] = all};
    return bytes[which];
}

static const clup_row rows[] = {
/* clang-format off */
#define SEAM_SIZES(...)
#define SEAMS(NAME, ABOUT, ...) \
    {.name = #NAME, .about = ABOUT, .stage = CLUP_CONSOLIDATE, .replicas = true, \
     .scratch = seams_scratch, .buffers = "the seams of parts", __VA_ARGS__},
/* clang-format on */
#include "label/seams.def"
};

static const clup_row sizes_rows[] = {
/* clang-format off */
#define SEAMS(...)
#define SEAM_SIZES(NAME, ABOUT, ...) \
    {.name = #NAME, .about = ABOUT, .stage = CLUP_MEASURE, .replicas = true, \
     .scratch = sizes_scratch, .buffers = "the seams of parts", __VA_ARGS__},
/* clang-format on */
#include "label/seams.def"
};

static const clup_row *suiting(const clup_row *table, size_t count, const clup_layout *layout)
{
    for (size_t k = 0; k < count; k++)
        if (clup_row_suits(&table[k], layout))
            return &table[k];
    return NULL;
}

const clup_row *clup_seams_row(const clup_layout *layout)
{
    return suiting(rows, sizeof rows / sizeof *rows, layout);
}

const clup_row *clup_seams_sizes_row(const clup_layout *layout)
{
    return suiting(sizes_rows, sizeof sizes_rows / sizeof *sizes_rows, layout);
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

clup_status clup_seams_sizes_begin(clup_pass *sizes, const clup_pass *seams)
{
    return sizes->kernels[SIZES_BEGIN].handle != NULL
               ? launch(sizes, SIZES_BEGIN, entries_of(sizes->state),
                        CLUP_WITH(CLUP_ARG(seams->scratch[WORDS])))
               : CLUP_OK;
}

clup_status clup_seams_sizes_read(clup_pass *sizes, const clup_pass *seams, void *own)
{
    const clup_state *state = sizes->state;
    const clup_status status = launch(
        sizes, SIZES, entries_of(state),
        CLUP_WITH(CLUP_ARG(seams->scratch[WORDS]), CLUP_ARG(seams->scratch[ROOTS])));
    return status == CLUP_OK ? clup_buffer_read(state->context, sizes->scratch[OWN],
                                                clup_seams_sizes_bytes(state), own)
                             : status;
}

clup_status clup_seams_sizes_count(clup_pass *sizes, const clup_pass *seams, const void *all,
                                   cl_uint slot, cl_mem sums)
{
    const clup_state *state = sizes->state;
    const cl_uint part = state->part.index, parts = state->part.count;
    const uint64_t bytes = parts * clup_seams_sizes_bytes(state);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_buffer_write(state->context, sizes->scratch[OF_ALL], 0, bytes, all));
    CLUP_TRY(clup_buffer_zero(state->context, CLUP_MEASURE, sizes->scratch[TOTALS], bytes));
    CLUP_TRY(launch(sizes, ADD, parts * entries_of(state),
                    CLUP_WITH(CLUP_ARG(parts), CLUP_ARG(seams->scratch[FOREST]))));
    CLUP_TRY(clup_pass_launch(sizes, COUNT,
                              CLUP_WITH(CLUP_ARG(part), CLUP_ARG(parts),
                                        CLUP_ARG(seams->scratch[FOREST]), CLUP_ARG(slot),
                                        CLUP_ARG(sums))));
done:
    return status;
}
