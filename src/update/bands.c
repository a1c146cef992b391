/* Labelling of images in the plane on devices whose work-items are threads: a band of rows each, see bands.clh. */
#include <string.h>

#include "bands.clh"
#include "label/label.h"
#include "update/labelling.h"

static void band_tile(const lattice_args *lattice, unsigned tile[3])
{
    tile[0] = lattice->nx;
    tile[1] = BAND_ROWS;
    tile[2] = 1;
}

/* What there is of each row of pixels and bonds in chunks. */
static uint64_t count_scratch(const clup_pass *pass, unsigned which)
{
    const lattice_args *lattice = &pass->state->lattice;
    return which == 0 ? 4 * (uint64_t)lattice->ny * (band_chunks(*lattice) + 1) : 0;
}

static uint64_t bands(const lattice_args *lattice)
{
    return (lattice->ny - 1) / BAND_ROWS + 1;
}

static uint64_t slot_bytes(const lattice_args *lattice, bool apart)
{
    return 4 * bands(lattice) * band_slots(*lattice, apart);
}

static uint64_t bytes_apart(const lattice_args *lattice, unsigned q)
{
    (void)q;
    return slot_bytes(lattice, true);
}

static uint64_t bytes_of_all(const lattice_args *lattice, unsigned q)
{
    (void)q;
    return slot_bytes(lattice, false);
}

static uint64_t no_bonds(const lattice_args *lattice)
{
    (void)lattice;
    return 0;
}

static const clup_row bits_row = {
    .name = "bits",
    .about = "neighbouring pixels that match, bytes sixteen at once",
    .stage = CLUP_SOURCE,
};
static const clup_row local_row = {
    .name = "bands",
    .about = "runs of pixels, a band of 32 rows a work-item",
    .stage = CLUP_LOCAL,
    .layout = "word",
    .shape = band_tile,
    .items = clup_one_item,
    .scratch = count_scratch,
};
static const clup_row union_row = {
    .name = "bands",
    .about = "lock-free union across the seams of bands, one of them a work-item",
    .stage = CLUP_CONSOLIDATE,
    .layout = "word",
    .shape = band_tile,
    .items = clup_one_item,
};

static bool has_bits(const clup_label_problem *problem)
{
    return problem->channels * clup_dtype_bytes(problem->dtype) == 1 &&
           (problem->match == CLUP_MATCH_EQUAL || problem->match == CLUP_MATCH_NONZERO || (problem->match == CLUP_MATCH_THRESHOLD && problem->dtype == CLUP_DTYPE_U8));
}

int clup_label_bands = -1;

bool clup_bands_fit(const clup_labelling *labelling)
{
    const lattice_args *lattice = &labelling->pixel_lattice;
    return clup_lattice_of(lattice)->axes == 2 && lattice->periodic == 0 && band_slots(*lattice, false) <= UINT32_MAX / bands(lattice) &&
           (clup_label_bands < 0 ? strcmp(labelling->context->device.info.type, "cpu") == 0 : clup_label_bands);
}

uint64_t clup_bands_slots(const clup_state *state)
{
    return state->layout->label_bytes(&state->lattice, state->q) / 4;
}

clup_status clup_bands_create(clup_labelling *labelling, const clup_problem *pixels, const clup_row *source, const clup_row *number)
{
    static const unsigned tile[3] = {32, BAND_ROWS, 1};
    const clup_label_problem *problem = &labelling->problem;
    const bool apart = clup_match_by_foreground(problem->match);
    clup_state *state = &labelling->state;
    clup_status status = CLUP_OK;
    labelling->layout = *clup_layout_named("word");
    labelling->layout.label_bytes = apart ? bytes_apart : bytes_of_all;
    if (apart)
        labelling->layout.bond_bytes = no_bonds;
    CLUP_TRY(clup_state_create(labelling->context, pixels, NULL, &labelling->layout, 0, 0, state));
    state->definitions = labelling->definitions;
    labelling->bands = true;
    CLUP_TRY(clup_pass_create(has_bits(problem) ? &bits_row : source, state, tile, &labelling->source));
    CLUP_TRY(clup_pass_create(&local_row, state, tile, &labelling->local));
    CLUP_TRY(clup_pass_create(&union_row, state, tile, &labelling->consolidate));
    CLUP_TRY(clup_pass_create(number, state, tile, &labelling->number));
done:
    return status;
}

bool clup_bands_words(const clup_labelling *labelling)
{
    return labelling->source.row == &bits_row;
}

clup_status clup_bands_find(clup_labelling *labelling)
{
    const clup_state *state = &labelling->state;
    const clup_pass *local = &labelling->local, *consolidate = &labelling->consolidate;
    const cl_mem counts = local->scratch[0];
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_LAUNCH(state->context, &local->kernels[0], CLUP_LOCAL, local->tiles, 1, CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(state->bonds),
                         CLUP_ARG(state->labels), CLUP_ARG(counts)));
    if (local->tiles > 1)
        CLUP_TRY(CLUP_LAUNCH(state->context, &consolidate->kernels[0], CLUP_CONSOLIDATE, local->tiles - 1, 1, CLUP_ARG(state->lattice), CLUP_ARG(state->spins),
                             CLUP_ARG(state->bonds), CLUP_ARG(state->labels), CLUP_ARG(counts)));
done:
    return status;
}

clup_status clup_bands_roots(clup_labelling *labelling, const clup_kernel *kernel, cl_mem roots)
{
    const clup_state *state = &labelling->state;
    return CLUP_LAUNCH(state->context, kernel, CLUP_ACTION, labelling->local.tiles, 1, CLUP_ARG(state->lattice), CLUP_ARG(labelling->local.scratch[0]),
                       CLUP_ARG(state->labels), CLUP_ARG(roots));
}

clup_status clup_bands_write(clup_labelling *labelling, const clup_kernel *kernel, cl_mem ranks, cl_uint canonical, cl_mem run_numbers, cl_mem numbers)
{
    const clup_state *state = &labelling->state;
    return CLUP_LAUNCH(state->context, kernel, CLUP_ACTION, labelling->local.tiles, 1, CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(state->bonds),
                       CLUP_ARG(labelling->local.scratch[0]), CLUP_ARG(state->labels), CLUP_ARG(ranks), CLUP_ARG(canonical), CLUP_ARG(run_numbers), CLUP_ARG(numbers));
}
