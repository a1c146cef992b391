/* Labelling of images in the plane on devices whose work-items are threads, or that have too little for tiles: a band of rows each, see bands.clh. */
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

static const clup_row local_row = {
    .name = "bands",
    .about = "runs of pixels, a band of 32 rows a work-item",
    .stage = CLUP_LOCAL,
    .layout = "word",
    .shape = band_tile,
    .items = clup_one_item,
    .scratch = count_scratch,
    .kernels = {{.args = {VALUE(LATTICE), READS(SPINS), READS(BONDS), WRITES(LABELS), WRITES(SCRATCH_0)}}},
};
static const clup_row union_row = {
    .name = "bands",
    .about = "lock-free union across the seams of bands, one of them a work-item",
    .stage = CLUP_CONSOLIDATE,
    .layout = "word",
    .shape = band_tile,
    .items = clup_one_item,
    .kernels = {{.grid = CLUP_GRID_GIVEN, .args = {VALUE(LATTICE), READS(SPINS), READS(BONDS), CHANGES(LABELS), GIVEN}}},
};

#define RUN_NUMBERS CLUP_KEY_OWN

static uint64_t number_scratch(const clup_pass *pass, unsigned which)
{
    const uint64_t slots = pass->state->layout->label_bytes(&pass->state->lattice, pass->state->q) / 4;
    return which == RUN_NUMBERS ? 4 * slots : clup_key_scratch(pass->state->context, slots / 32, which);
}

static const clup_row number_row = {
    .name = "number_bands",
    .about = "clusters numbered in raster order, a band of rows a work-item",
    .stage = CLUP_ACTION,
    .layout = "word",
    .scratch = number_scratch,
    .kernels = {CLUP_KEY_SCAN,
                {"action_number_bands", "action_number_bands", CLUP_GRID_GIVEN,
                 {VALUE(LATTICE), READS(SPINS), READS(BONDS), GIVEN, READS(LABELS), READS(SCRATCH_1), GIVEN, WRITES(SCRATCH_3), GIVEN}},
                {"action_number_bands", "action_number_runs", CLUP_GRID_GIVEN, {VALUE(LATTICE), GIVEN, READS(LABELS), WRITES(SCRATCH_0)}}},
};

int clup_label_bands = -1;

static bool fits(const clup_labelling *labelling)
{
    const lattice_args *lattice = &labelling->pixel_lattice;
    return clup_lattice_of(lattice)->axes == 2 && lattice->periodic == 0 && band_slots(*lattice, false) <= UINT32_MAX / bands(lattice) &&
           (clup_label_bands < 0 ? strcmp(labelling->context->device.info.type, "cpu") == 0 || !clup_label_by_border.fits(labelling) : clup_label_bands);
}

static clup_status create(clup_labelling *labelling, const clup_problem *pixels)
{
    static const unsigned tile[3] = {32, BAND_ROWS, 1};
    const bool apart = clup_match_by_foreground(labelling->problem.match);
    clup_state *state = &labelling->state;
    clup_status status = CLUP_OK;
    labelling->layout = *clup_layout_named("word");
    labelling->layout.label_bytes = apart ? bytes_apart : bytes_of_all;
    if (apart)
        labelling->layout.bond_bytes = no_bonds;
    CLUP_TRY(clup_state_create(labelling->context, pixels, NULL, &labelling->layout, 0, 0, state));
    labelling->bonds = state->bonds;
    clup_label_define(labelling, 1);
    CLUP_TRY(clup_label_source_create(labelling, tile));
    CLUP_TRY(clup_pass_create(&local_row, state, tile, &labelling->local));
    CLUP_TRY(clup_pass_create(&union_row, state, tile, &labelling->consolidate));
    CLUP_TRY(clup_pass_create(&number_row, state, tile, &labelling->number));
done:
    return status;
}

static clup_status find(clup_labelling *labelling)
{
    clup_pass *local = &labelling->local;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_pass_run(local));
    if (local->tiles > 1)
        CLUP_TRY(clup_pass_launch_groups(&labelling->consolidate, 0, local->tiles - 1, 1, CLUP_WITH(CLUP_ARG(local->scratch[0]))));
done:
    return status;
}

static clup_status mark(clup_labelling *labelling)
{
    const clup_pass *local = &labelling->local;
    return clup_pass_launch_groups(&labelling->number, CLUP_KEY_MARK, local->tiles, 1, CLUP_WITH(CLUP_ARG(local->scratch[0])));
}

static clup_status write(clup_labelling *labelling, cl_uint canonical, cl_mem labels)
{
    const clup_pass *local = &labelling->local;
    return clup_pass_launch_groups(&labelling->number, CLUP_KEY_WRITE, local->tiles, 1, CLUP_WITH(CLUP_ARG(local->scratch[0]), CLUP_ARG(canonical), CLUP_ARG(labels)));
}

const clup_label_way clup_label_by_bands = {fits, create, find, mark, write};
