/* Labelling of images with a label a site, by the stages that find clusters of a Potts model, whose spins are the foreground: periodic axes, volumes. */
#include "label/label.h"
#include "plan/tables.h"
#include "update/labelling.h"

#define KEYS CLUP_KEY_OWN /* those of roots, where sites are blocks */
enum { ROOT_KEYS = CLUP_KEY_MORE, FIRST };

static uint64_t scratch(const clup_pass *pass, unsigned which)
{
    return clup_key_scratch(pass->state->context, clup_key_words(pass->state), which);
}

static uint64_t block_scratch(const clup_pass *pass, unsigned which)
{
    return which == KEYS ? 4 * clup_lattice_sites(&pass->state->lattice) : scratch(pass, which);
}

/* A label is the key of its root, where sites are no blocks. */
#define NUMBERED(ROOT_KEY) \
    CLUP_KEY_SCAN, \
    {"action_number_labels", "action_number_labels", CLUP_GRID_WORD_COLUMNS, \
     {VALUE(LATTICE), VALUE(IMAGE), READS(SPINS), READS(LABELS), READS(ROOT_KEY), READS(SCRATCH_1), VALUE(CANONICAL), WRITES(NUMBERS)}}
#define ROOTS "action_number_labels", "action_number_roots", CLUP_GRID_WORD_COLUMNS
#define KEYED {VALUE(LATTICE), READS(SPINS), READS(LABELS), CHANGES(SCRATCH_3)}
static const clup_row number_row = {
    .name = "number",
    .about = "clusters numbered in raster order",
    .stage = CLUP_ACTION,
    .models = CLUP_ON(CLUP_IMAGE),
    .scratch = scratch,
    .kernels = {NUMBERED(LABELS), {ROOTS, {VALUE(LATTICE), READS(SPINS), READS(LABELS), WRITES(SCRATCH_0)}}},
};
static const clup_row number_blocks_row = {
    .name = "number_blocks",
    .about = "the same where sites are blocks of pixels",
    .stage = CLUP_ACTION,
    .models = CLUP_ON(CLUP_IMAGE),
    .scratch = block_scratch,
    .kernels = {NUMBERED(SCRATCH_3),
                {ROOTS, {VALUE(LATTICE), READS(SPINS), READS(LABELS), READS(SCRATCH_3), CHANGES(SCRATCH_0)}},
                {"action_number_labels", "action_number_keys", CLUP_GRID_WORD_COLUMNS, KEYED},
                {"action_number_labels", "action_number_first", CLUP_GRID_WORD_COLUMNS, KEYED}},
};

/* The lattice of sites, see blocks.clh; its states are what a site's pixels can be. */
clup_problem clup_label_sites(const clup_label_problem *problem, const clup_problem *pixels)
{
    const bool blocks = clup_match_by_foreground(problem->match) && (problem->connectivity == 8 || problem->connectivity == 26);
    const unsigned axes = problem->connectivity == 8 ? 2 : 3;
    clup_problem sites = *pixels;
    for (unsigned axis = 0; blocks && axis < axes; axis++)
        sites.size[axis] = (sites.size[axis] - 1) / 2 + 1;
    sites.q = !blocks ? 2 : axes == 2 ? 16 : 256;
    return sites;
}

uint64_t clup_key_words(const clup_state *state)
{
    return clup_lattice_words(&state->lattice) * (state->planes > 2 ? state->planes / 2 : 1);
}

static bool fits(const clup_labelling *labelling)
{
    (void)labelling;
    return true;
}

/* The plan that has the tiles: of runs, or where a row is for the device that is for few, of that one. */
static clup_status choose(const clup_labelling *labelling, const clup_problem *sites, clup_plan *plan)
{
    clup_context *context = labelling->context;
    clup_plan_request request = {.source = "fk", .bonds = "word", .local = "runs", .consolidate = "union", .action = "flip", .tile = labelling->tile};
    for (size_t k = 0; k < clup_locals.count; k++)
        if (clup_locals.rows[k].group_limit >= clup_group_limit(context))
            request.local = clup_locals.rows[k].name;
    return clup_plan_choose(context, sites, NULL, &request, plan);
}

static clup_status create(clup_labelling *labelling, const clup_problem *pixels)
{
    const clup_problem sites = clup_label_sites(&labelling->problem, pixels);
    clup_state *state = &labelling->state;
    const clup_row *local, *consolidate;
    clup_plan plan;
    clup_status status = CLUP_OK;
    CLUP_TRY(choose(labelling, &sites, &plan));
    CLUP_TRY(clup_table_row(CLUP_LOCAL, plan.local, &local));
    CLUP_TRY(clup_table_row(CLUP_CONSOLIDATE, plan.consolidate, &consolidate));
    CLUP_TRY(clup_label_state_create(labelling, &sites, plan.bonds, clup_spin_planes(sites.q) > 1 ? 2 : 1));
    CLUP_TRY(clup_pass_create(local, state, plan.tile, &labelling->local));
    CLUP_TRY(clup_pass_create(consolidate, state, plan.tile, &labelling->consolidate));
    CLUP_TRY(clup_label_source_create(labelling, plan.tile));
    CLUP_TRY(clup_pass_create(state->planes > 1 ? &number_blocks_row : &number_row, state, plan.tile, &labelling->number));
done:
    return status;
}

static clup_status find(clup_labelling *labelling)
{
    clup_pass *number = &labelling->number;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_pass_run(&labelling->local));
    CLUP_TRY(clup_pass_run(&labelling->consolidate));
    if (number->row == &number_blocks_row) {
        CLUP_TRY(clup_pass_launch(number, ROOT_KEYS, NULL));
        CLUP_TRY(clup_pass_launch(number, FIRST, NULL));
        CLUP_TRY(clup_buffer_zero(labelling->context, CLUP_ACTION, number->scratch[CLUP_KEY_BITS], number->scratch_bytes[CLUP_KEY_BITS]));
    }
done:
    return status;
}

const clup_label_way clup_label_by_sites = {fits, create, find};
