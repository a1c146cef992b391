/* Labelling of images in the plane on devices whose work-items are threads, or that have too little for tiles: a band of rows each, see bands.clh. */
#include "bands.clh"
#include "label/label.h"
#include "update/labelling.h"

static void band_tile(const lattice_args *lattice, unsigned tile[3])
{
    tile[0] = lattice->nx;
    tile[1] = BAND_ROWS;
    tile[2] = 1;
}

/* A work-item for each seam of two bands. */
static clup_status run_union(clup_pass *pass)
{
    return pass->tiles > 1 ? clup_pass_launch_groups(pass, 0, pass->tiles - 1, 1, NULL) : CLUP_OK;
}

#define RUN_NUMBERS CLUP_KEY_OWN

static uint64_t number_scratch(const clup_pass *pass, unsigned which)
{
    const clup_store runs = clup_row_stores(pass->row) >> CLUP_STORE_RUNS & 1 ? CLUP_STORE_RUNS : CLUP_STORE_RUNS_APART;
    const uint64_t slots = clup_store_bytes(pass->state, runs) / 4;
    return which == RUN_NUMBERS ? 4 * slots : clup_key_scratch(pass->state->context, slots / 32, which);
}

/* With runs of any pixels and bonds, and with those of the foreground, which lie apart and where the foreground stands for the bonds. */
#define OF_BANDS(STAGE, NAME, ABOUT) .name = NAME, .about = ABOUT, .stage = STAGE, .models = CLUP_ON(CLUP_IMAGE), .layout = "word", .shape = band_tile, .items = clup_one_item
#define LOCAL(BONDS, RUNS) \
    {OF_BANDS(CLUP_LOCAL, "bands", "runs of pixels, a band of 32 rows a work-item"), \
     .kernels = {{.args = {VALUE(LATTICE), READS(SPINS), READS(BONDS), WRITES(RUNS), WRITES(RUN_COUNTS)}}}}
#define UNION(BONDS, RUNS) \
    {OF_BANDS(CLUP_CONSOLIDATE, "bands", "lock-free union across the seams of bands, one of them a work-item"), .run = run_union, \
     .kernels = {{.grid = CLUP_GRID_GIVEN, .args = {VALUE(LATTICE), READS(SPINS), READS(BONDS), CHANGES(RUNS), READS(RUN_COUNTS)}}}}
#define NUMBER(BONDS, RUNS) \
    {OF_BANDS(CLUP_ACTION, "number_bands", "clusters numbered in raster order, a band of rows a work-item"), .scratch = number_scratch, \
     .kernels = {CLUP_KEY_SCAN, \
                 {"action_number_bands", "action_number_bands", CLUP_GRID_TILES, \
                  {VALUE(LATTICE), READS(SPINS), READS(BONDS), READS(RUN_COUNTS), READS(RUNS), READS(SCRATCH_1), VALUE(CANONICAL), WRITES(SCRATCH_3), WRITES(NUMBERS)}}, \
                 {"action_number_bands", "action_number_runs", CLUP_GRID_TILES, {VALUE(LATTICE), READS(RUN_COUNTS), READS(RUNS), WRITES(SCRATCH_0)}}}}
static const clup_row locals[] = {LOCAL(BONDS, RUNS), LOCAL(SPINS, RUNS_APART)};
static const clup_row unions[] = {UNION(BONDS, RUNS), UNION(SPINS, RUNS_APART)};
static const clup_row numbers[] = {NUMBER(BONDS, RUNS), NUMBER(SPINS, RUNS_APART)};

int clup_label_bands = -1;

static bool fits(const clup_labelling *labelling)
{
    const lattice_args *lattice = &labelling->pixel_lattice;
    const uint64_t bands = (lattice->ny - 1) / BAND_ROWS + 1;
    return clup_lattice_of(lattice)->axes == 2 && lattice->periodic == 0 && band_slots(*lattice, false) <= UINT32_MAX / bands &&
           (clup_label_bands < 0 ? labelling->context->machine.threads || !clup_label_by_border.fits(labelling) : clup_label_bands);
}

static clup_status create(clup_labelling *labelling, const clup_problem *pixels)
{
    static const unsigned tile[3] = {32, BAND_ROWS, 1};
    const bool apart = clup_match_by_foreground(labelling->problem.match);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_label_state_create(labelling, pixels, "word", 1));
    CLUP_TRY(clup_label_source_create(labelling, tile));
    CLUP_TRY(clup_pass_create(&locals[apart], &labelling->state, tile, &labelling->local));
    CLUP_TRY(clup_pass_create(&unions[apart], &labelling->state, tile, &labelling->consolidate));
    CLUP_TRY(clup_pass_create(&numbers[apart], &labelling->state, tile, &labelling->number));
done:
    return status;
}

const clup_label_way clup_label_by_bands = {fits, create, NULL};
