/* Labelling of images with a label a site, by the stages that find clusters of a Potts model, whose spins are the foreground: periodic axes, volumes. */
#include "label/label.h"
#include "plan/tables.h"
#include "update/labelling.h"

#define KEYS CLUP_KEY_OWN /* those of roots, where sites are blocks */
enum { ROOT_KEYS = CLUP_KEY_MORE, FIRST };

static uint64_t scratch(const clup_pass *pass, unsigned which)
{
    const clup_state *state = pass->state;
    if (which == KEYS)
        return state->planes > 1 ? 4 * clup_lattice_sites(&state->lattice) : 0;
    return clup_key_scratch(state->context, clup_key_words(state), which);
}

#define LABELS CLUP_KEY_SCAN, {"action_number_labels", "action_number_labels"}, {"action_number_labels", "action_number_roots"}
static const clup_row number_row = {
    .name = "number",
    .about = "clusters numbered in raster order",
    .stage = CLUP_ACTION,
    .scratch = scratch,
    .kernels = {LABELS},
};
static const clup_row number_blocks_row = {
    .name = "number_blocks",
    .about = "the same where sites are blocks of pixels",
    .stage = CLUP_ACTION,
    .scratch = scratch,
    .kernels = {LABELS, {"action_number_labels", "action_number_keys"}, {"action_number_labels", "action_number_first"}},
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
    CLUP_TRY(clup_state_create(labelling->context, &sites, NULL, clup_layout_named(plan.bonds), 0, 0, state));
    labelling->bonds = state->bonds;
    CLUP_TRY(clup_table_row(CLUP_LOCAL, plan.local, &local));
    CLUP_TRY(clup_table_row(CLUP_CONSOLIDATE, plan.consolidate, &consolidate));
    CLUP_TRY(clup_pass_create(local, state, plan.tile, &labelling->local));
    CLUP_TRY(clup_pass_create(consolidate, state, plan.tile, &labelling->consolidate));
    clup_label_define(labelling, state->planes > 1 ? 2 : 1);
    CLUP_TRY(clup_label_source_create(labelling, plan.tile));
    CLUP_TRY(clup_pass_create(state->planes > 1 ? &number_blocks_row : &number_row, state, plan.tile, &labelling->number));
done:
    return status;
}

/* One of the kernels that look at sites for their keys. */
static clup_status look(clup_labelling *labelling, unsigned kernel)
{
    const clup_state *state = &labelling->state;
    clup_pass *pass = &labelling->number;
    return CLUP_LABEL_LAUNCH(pass, kernel, clup_word_column_groups(state), clup_site_items(state->context), CLUP_ARG(state->lattice), CLUP_ARG(state->spins),
                             CLUP_ARG(state->labels), CLUP_ARG(pass->scratch[KEYS]));
}

static clup_status find(clup_labelling *labelling)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(labelling->local.row->run(&labelling->local));
    CLUP_TRY(labelling->consolidate.row->run(&labelling->consolidate));
    if (labelling->number.scratch[KEYS] != NULL) {
        CLUP_TRY(look(labelling, ROOT_KEYS));
        CLUP_TRY(look(labelling, FIRST));
    }
done:
    return status;
}

static clup_status mark(clup_labelling *labelling)
{
    const clup_state *state = &labelling->state;
    clup_pass *pass = &labelling->number;
    const uint64_t groups = clup_word_column_groups(state);
    clup_status status = CLUP_OK;
    if (pass->scratch[KEYS] == NULL)
        return CLUP_LABEL_LAUNCH(pass, CLUP_KEY_MARK, groups, clup_site_items(state->context), CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(state->labels),
                                 CLUP_ARG(pass->scratch[CLUP_KEY_BITS]));
    CLUP_TRY(clup_buffer_zero(state->context, CLUP_ACTION, pass->scratch[CLUP_KEY_BITS], pass->scratch_bytes[CLUP_KEY_BITS]));
    CLUP_TRY(CLUP_LABEL_LAUNCH(pass, CLUP_KEY_MARK, groups, clup_site_items(state->context), CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(state->labels),
                               CLUP_ARG(pass->scratch[KEYS]), CLUP_ARG(pass->scratch[CLUP_KEY_BITS])));
done:
    return status;
}

static clup_status write(clup_labelling *labelling, cl_uint canonical, cl_mem labels)
{
    const clup_state *state = &labelling->state;
    clup_pass *pass = &labelling->number;
    return CLUP_LABEL_LAUNCH(pass, CLUP_KEY_WRITE, clup_word_column_groups(state), clup_site_items(state->context), CLUP_ARG(state->lattice), CLUP_ARG(labelling->image),
                             CLUP_ARG(state->spins), CLUP_ARG(state->labels), CLUP_ARG(pass->scratch[KEYS]), CLUP_ARG(pass->scratch[CLUP_KEY_RANKS]),
                             CLUP_ARG(canonical), CLUP_ARG(labels));
}

const clup_label_way clup_label_by_sites = {fits, create, find, mark, write};
