/* Chains a source that looks at pixels, the stages that find clusters, and the numbering of these. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "border.clh"
#include "label/label.h"
#include "plan/tables.h"
#include "update/labelling.h"

/* Words whose roots a group of action_number_count adds up. */
#define SCAN_GROUP (8 * CLUP_SITE_ITEMS)

enum { ROOTS, RANKS, SUMS, KEYS };

static const clup_row number_bands_row;

/* Words of bits of keys, see blocks.clh; of runs in bands. */
static uint64_t key_words(const clup_pass *pass)
{
    const clup_state *state = pass->state;
    return pass->row == &number_bands_row ? clup_bands_slots(state) / 32 : clup_lattice_words(&state->lattice) * (state->planes > 2 ? state->planes / 2 : 1);
}

static uint64_t sum_groups(const clup_pass *pass)
{
    return (key_words(pass) - 1) / SCAN_GROUP + 1;
}

/* As word_sites.clh has them. */
static uint64_t sites_groups(const clup_state *state)
{
    return (uint64_t)state->lattice.words * ((lattice_rows(state->lattice) - 1) / 32 + 1);
}

static uint64_t number_scratch(const clup_pass *pass, unsigned which)
{
    const clup_state *state = pass->state;
    const uint64_t bytes[CLUP_PASS_SCRATCH] = {
        [ROOTS] = 4 * SCAN_GROUP * sum_groups(pass),
        [RANKS] = 8 * SCAN_GROUP * sum_groups(pass),
        [SUMS] = 4 * (sum_groups(pass) + 1),
        [KEYS] = pass->row == &number_bands_row ? 4 * clup_bands_slots(state) : state->layout->nodes == NULL && state->planes > 1 ? 4 * clup_lattice_sites(&state->lattice) : 0,
    };
    return bytes[which];
}

/* The bonds in words, where the layout has others. */
static uint64_t source_scratch(const clup_pass *pass, unsigned which)
{
    const clup_state *state = pass->state;
    return which == 0 && state->layout->nodes != NULL ? 4 * clup_lattice_of(&state->lattice)->directions * clup_lattice_words(&state->lattice) : 0;
}

#define SCAN {"action_number_count", "action_number_count"}, {"action_number_count", "action_number_sum"}, {"action_number_count", "action_number_before"}
static const clup_row source_row = {
    .name = "image",
    .about = "neighbouring pixels that match",
    .stage = CLUP_SOURCE,
    .scratch = source_scratch,
    .kernels = {{"source_image", "source_image"}},
};
static const clup_row foreground_row = {
    .name = "foreground",
    .about = "neighbouring pixels of the foreground",
    .stage = CLUP_SOURCE,
    .scratch = source_scratch,
    .kernels = {{"source_image", "source_image"}, {"source_foreground", "source_foreground"}},
};
static const clup_row bytes_row = {
    .name = "bytes",
    .about = "the same for equal bytes in rows of a multiple of four",
    .stage = CLUP_SOURCE,
    .scratch = source_scratch,
};
static const clup_row runs_row = {
    .name = "runs_image",
    .about = "runs of sites, a column of a 32 x 32 tile a work-item",
    .stage = CLUP_LOCAL,
    .layout = "border",
    .shape = clup_border_tile,
    .items = clup_two_edges_items,
    .group_tiles = 2,
};
static const clup_row number_row = {
    .name = "number",
    .about = "clusters numbered in raster order",
    .stage = CLUP_ACTION,
    .scratch = number_scratch,
    .kernels = {SCAN, {"action_number_labels", "action_number_labels"}, {"action_number_labels", "action_number_roots"}},
};
static const clup_row number_blocks_row = {
    .name = "number_blocks",
    .about = "the same where sites are blocks of pixels",
    .stage = CLUP_ACTION,
    .scratch = number_scratch,
    .kernels = {SCAN, {"action_number_labels", "action_number_labels"}, {"action_number_labels", "action_number_roots"}, {"action_number_labels", "action_number_keys"},
                {"action_number_labels", "action_number_first"}},
};
static const clup_row number_border_row = {
    .name = "number_border",
    .about = "the same for the border layout",
    .stage = CLUP_ACTION,
    .layout = "border",
    .scratch = number_scratch,
    .shape = clup_border_tile,
    .kernels = {SCAN, {"action_number_border", "action_number_border"}, {"action_number_border", "action_number_nodes"}},
};
static const clup_row number_bands_row = {
    .name = "number_bands",
    .about = "the same for bands of rows, one of them a work-item",
    .stage = CLUP_ACTION,
    .layout = "word",
    .scratch = number_scratch,
    .kernels = {SCAN, {"action_number_bands", "action_number_bands"}, {"action_number_bands", "action_number_runs"}},
};
enum { COUNT, SUM, BEFORE, WRITE, FIND, FIND_KEYS, FIND_FIRST };

static const struct {
    const char *type;
    int is_float;
    double least, most;
} dtypes[CLUP_DTYPES] = {
    [CLUP_DTYPE_U8] = {"uchar", 0, 0, UINT8_MAX},
    [CLUP_DTYPE_U16] = {"ushort", 0, 0, UINT16_MAX},
    [CLUP_DTYPE_U32] = {"uint", 0, 0, UINT32_MAX},
    [CLUP_DTYPE_I8] = {"char", 0, INT8_MIN, INT8_MAX},
    [CLUP_DTYPE_I16] = {"short", 0, INT16_MIN, INT16_MAX},
    [CLUP_DTYPE_I32] = {"int", 0, INT32_MIN, INT32_MAX},
    [CLUP_DTYPE_F32] = {"float", 1, -INFINITY, INFINITY},
};

/* A number of the pixels' type, as bits. */
static uint32_t bits_of(clup_dtype dtype, double value)
{
    float rounded = (float)value;
    uint32_t bits;
    if (!dtypes[dtype].is_float)
        return (uint32_t)(int64_t)floor(value);
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

clup_status clup_label_lattice(const clup_label_problem *problem, clup_lattice_kind *lattice)
{
    static const struct {
        unsigned connectivity;
        clup_lattice_kind lattice;
    } known[] = {{4, CLUP_LATTICE_SQUARE}, {8, CLUP_LATTICE_SQUARE_8}, {6, CLUP_LATTICE_CUBIC}, {18, CLUP_LATTICE_CUBIC_18}, {26, CLUP_LATTICE_CUBIC_26}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].connectivity == problem->connectivity) {
            *lattice = known[k].lattice;
            return CLUP_OK;
        }
    return clup_fail(CLUP_ERROR_USAGE, "connectivity %u is not 4 or 8, or 6, 18 or 26 in a volume", problem->connectivity);
}

/* Whether pixels can hold bonds. */
static clup_status check_bonds(const clup_label_problem *problem)
{
    const clup_dtype dtype = problem->dtype;
    clup_lattice_kind kind = CLUP_LATTICE_SQUARE;
    clup_status status = clup_label_lattice(problem, &kind);
    if (status != CLUP_OK)
        return status;
    const unsigned bonds = clup_lattice_of(&(lattice_args){.kind = kind})->directions;
    if (problem->channels != 1 || dtypes[dtype].is_float || dtypes[dtype].least < 0 || 8 * clup_dtype_bytes(dtype) < bonds)
        return clup_fail(CLUP_ERROR_USAGE, "bonds of %u neighbours are unsigned integers of %u bits or more, one a pixel", problem->connectivity, bonds);
    if (problem->has_background)
        return clup_fail(CLUP_ERROR_USAGE, "there is no background where bonds are given");
    return CLUP_OK;
}

static clup_status check(const clup_label_problem *problem)
{
    const clup_dtype dtype = problem->dtype;
    if (dtype <= CLUP_DTYPE_NONE || dtype >= CLUP_DTYPES)
        return clup_fail(CLUP_ERROR_USAGE, "pixels of type %d are not known", (int)dtype);
    if (problem->channels != 1 && problem->channels != 3 && problem->channels != 4)
        return clup_fail(CLUP_ERROR_USAGE, "%u channels are not 1, 3 or 4", problem->channels);
    if ((unsigned)problem->match >= CLUP_MATCHES)
        return clup_fail(CLUP_ERROR_USAGE, "match %d is not known", (int)problem->match);
    if (problem->match == CLUP_MATCH_TOLERANCE && !(problem->level >= 0 && (dtypes[dtype].is_float || problem->level <= UINT32_MAX)))
        return clup_fail(CLUP_ERROR_USAGE, "a tolerance of %g is none of %s pixels", problem->level, clup_dtype_name(dtype));
    if (problem->match == CLUP_MATCH_THRESHOLD && !(problem->level >= dtypes[dtype].least && problem->level <= dtypes[dtype].most))
        return clup_fail(CLUP_ERROR_USAGE, "a threshold of %g is none of %s pixels", problem->level, clup_dtype_name(dtype));
    if (problem->match == CLUP_MATCH_BONDS)
        return check_bonds(problem);
    for (unsigned c = 0; problem->has_background && c < problem->channels; c++) {
        const double value = problem->background[c];
        if (!(value >= dtypes[dtype].least && value <= dtypes[dtype].most) || (!dtypes[dtype].is_float && value != floor(value)))
            return clup_fail(CLUP_ERROR_USAGE, "a background of %g is no value of %s pixels", value, clup_dtype_name(dtype));
    }
    return CLUP_OK;
}

bool clup_match_by_foreground(clup_match match)
{
    return match == CLUP_MATCH_NONZERO || match == CLUP_MATCH_THRESHOLD;
}

static void define(const clup_label_problem *problem, unsigned block, char *definitions, size_t bytes)
{
    static const char *const matches[CLUP_MATCHES] = {"MATCH_EQUAL", "MATCH_TOLERANCE", "MATCH_NONZERO", "MATCH_THRESHOLD", "MATCH_BONDS"};
    snprintf(definitions, bytes, "%s PIXEL=%s CHANNELS=%uu BLOCK=%uu%s%s", matches[problem->match], dtypes[problem->dtype].type, problem->channels, block,
             block > 1 ? " EARLY" : "", dtypes[problem->dtype].is_float ? " PIXEL_FLOAT" : "");
}

static uint64_t name_bytes(const lattice_args *lattice, unsigned q)
{
    (void)q;
    return clup_lattice_tiles(lattice, (const unsigned[3]){32, BORDER_Y, 1}) * BORDER_SITES * 2;
}

/* The image's own lattice. */
static clup_status pixel_problem(const clup_label_problem *problem, clup_problem *pixels)
{
    *pixels = (clup_problem){.size = {problem->size[0], problem->size[1], problem->size[2]}, .q = 2,
                             .periodic = {problem->periodic[0], problem->periodic[1], problem->periodic[2]}};
    clup_status status = clup_label_lattice(problem, &pixels->lattice);
    if (status == CLUP_OK)
        status = clup_problem_check(pixels);
    if (status == CLUP_OK && clup_problem_sites(pixels) > CLUP_SITES_32)
        status = clup_fail(CLUP_ERROR_USAGE, "the image has more than %u pixels", CLUP_SITES_32);
    return status;
}

/* The lattice of sites, see blocks.clh; its states are what a site's pixels can be. */
static clup_problem site_problem(const clup_label_problem *problem, const clup_problem *pixels)
{
    const bool blocks = clup_match_by_foreground(problem->match) && (problem->connectivity == 8 || problem->connectivity == 26);
    const unsigned axes = problem->connectivity == 8 ? 2 : 3;
    clup_problem sites = *pixels;
    for (unsigned axis = 0; blocks && axis < axes; axis++)
        sites.size[axis] = (sites.size[axis] - 1) / 2 + 1;
    sites.q = !blocks ? 2 : axes == 2 ? 16 : 256;
    return sites;
}

static const clup_row *source_of(const clup_label_problem *problem)
{
    if (clup_match_by_foreground(problem->match))
        return &foreground_row;
    return problem->match == CLUP_MATCH_EQUAL && problem->channels * clup_dtype_bytes(problem->dtype) == 1 && problem->size[0] % 4 == 0 ? &bytes_row : &source_row;
}

static clup_status make_word_passes(clup_labelling *labelling, const clup_problem *sites)
{
    const clup_plan_request request = {.source = "fk", .bonds = "word", .local = "runs", .consolidate = "union", .action = "flip"};
    clup_state *state = &labelling->state;
    const clup_row *local, *consolidate;
    clup_plan plan;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_plan_choose(labelling->context, sites, NULL, &request, &plan));
    CLUP_TRY(clup_state_create(labelling->context, sites, NULL, clup_layout_named(plan.bonds), 0, 0, state));
    CLUP_TRY(clup_table_row(CLUP_LOCAL, plan.local, &local));
    CLUP_TRY(clup_table_row(CLUP_CONSOLIDATE, plan.consolidate, &consolidate));
    CLUP_TRY(clup_pass_create(local, state, plan.tile, &labelling->local));
    CLUP_TRY(clup_pass_create(consolidate, state, plan.tile, &labelling->consolidate));
    state->definitions = labelling->definitions;
    CLUP_TRY(clup_pass_create(source_of(&labelling->problem), state, plan.tile, &labelling->source));
    CLUP_TRY(clup_pass_create(state->planes > 1 ? &number_blocks_row : &number_row, state, plan.tile, &labelling->number));
done:
    return status;
}

static clup_status make_border_passes(clup_labelling *labelling, const clup_problem *sites)
{
    static const unsigned tile[3] = {32, 32, 1};
    clup_state *state = &labelling->state;
    const clup_row *consolidate;
    clup_status status = CLUP_OK;
    labelling->layout = *clup_layout_named("border");
    labelling->layout.label_bytes = name_bytes;
    labelling->layout.fused = 0;
    CLUP_TRY(clup_state_create(labelling->context, sites, NULL, &labelling->layout, 0, 0, state));
    CLUP_TRY(clup_table_row(CLUP_CONSOLIDATE, "union_border", &consolidate));
    state->definitions = labelling->definitions;
    CLUP_TRY(clup_pass_create(source_of(&labelling->problem), state, tile, &labelling->source));
    CLUP_TRY(clup_pass_create(&runs_row, state, tile, &labelling->local));
    CLUP_TRY(clup_pass_create(consolidate, state, tile, &labelling->consolidate));
    CLUP_TRY(clup_pass_create(&number_border_row, state, tile, &labelling->number));
done:
    return status;
}

/* The stages find clusters as they do for a Potts model, whose spins are the foreground: by the border layout what is in the plane and open, all
 * else by labels of sites. */
static clup_status create(clup_labelling *labelling)
{
    const clup_label_problem *problem = &labelling->problem;
    clup_problem pixels, sites;
    clup_status status = CLUP_OK;
    CLUP_TRY(check(problem));
    CLUP_TRY(pixel_problem(problem, &pixels));
    sites = site_problem(problem, &pixels);
    labelling->pixel_lattice = clup_lattice_args(&pixels);
    labelling->image = (image_args){.has_background = problem->has_background, .level = bits_of(problem->dtype, problem->level), .nx = problem->size[0],
                                    .ny = problem->size[1], .nz = problem->size[2]};
    for (unsigned c = 0; c < problem->channels; c++)
        labelling->image.background[c] = bits_of(problem->dtype, problem->background[c]);
    if (clup_bands_fit(labelling)) {
        define(problem, 1, labelling->definitions, sizeof labelling->definitions);
        return clup_bands_create(labelling, &pixels, clup_match_by_foreground(problem->match) ? &source_row : source_of(problem), &number_bands_row);
    }
    define(problem, sites.q > 2 ? 2 : 1, labelling->definitions, sizeof labelling->definitions);
    const bool plane = clup_lattice_of(&labelling->pixel_lattice)->axes == 2;
    if (plane && labelling->pixel_lattice.periodic == 0)
        CLUP_TRY(make_border_passes(labelling, &sites));
    else
        CLUP_TRY(make_word_passes(labelling, &sites));
done:
    return status;
}

clup_status clup_labelling_create(clup_context *context, const clup_label_problem *problem, clup_labelling **out)
{
    clup_labelling *labelling = calloc(1, sizeof *labelling);
    *out = NULL;
    if (labelling == NULL)
        return clup_fail_memory("the labelling");
    labelling->problem = *problem;
    labelling->context = context;
    clup_status status = create(labelling);
    if (status == CLUP_OK)
        *out = labelling;
    else
        clup_labelling_free(labelling);
    return status;
}

void clup_labelling_free(clup_labelling *labelling)
{
    if (labelling == NULL)
        return;
    clup_pass_clear(&labelling->source);
    clup_pass_clear(&labelling->local);
    clup_pass_clear(&labelling->consolidate);
    clup_pass_clear(&labelling->number);
    clup_pass_clear(&labelling->measure);
    if (labelling->state.context != NULL)
        clup_state_clear(&labelling->state);
    clup_buffer_free(labelling->context, labelling->pixels);
    clup_buffer_free(labelling->context, labelling->labels);
    clup_buffer_free(labelling->context, labelling->statistics);
    free(labelling);
}

#define LAUNCH(PASS, KERNEL, GROUPS, ITEMS, ...) CLUP_LAUNCH((PASS)->state->context, &(PASS)->kernels[KERNEL], (PASS)->row->stage, GROUPS, ITEMS, __VA_ARGS__)

/* Marks the keys of clusters. */
static clup_status find_keys(clup_labelling *labelling)
{
    const clup_state *state = &labelling->state;
    const clup_pass *pass = &labelling->number;
    const cl_mem *scratch = pass->scratch;
    const uint64_t groups = sites_groups(state);
    clup_status status = CLUP_OK;
    if (labelling->bands)
        return clup_bands_roots(labelling, &pass->kernels[FIND], scratch[ROOTS]);
    if (state->nodes != NULL)
        return LAUNCH(pass, FIND, pass->tiles, BORDER_NODES, CLUP_ARG(state->lattice), CLUP_ARG(state->bonds), CLUP_ARG(state->nodes), CLUP_ARG(scratch[ROOTS]));
    if (scratch[KEYS] == NULL)
        return LAUNCH(pass, FIND, groups, CLUP_SITE_ITEMS, CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(state->labels), CLUP_ARG(scratch[ROOTS]));
    CLUP_TRY(clup_buffer_zero(state->context, CLUP_ACTION, scratch[ROOTS], pass->scratch_bytes[ROOTS]));
    CLUP_TRY(LAUNCH(pass, FIND, groups, CLUP_SITE_ITEMS, CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(state->labels), CLUP_ARG(scratch[KEYS]),
                    CLUP_ARG(scratch[ROOTS])));
done:
    return status;
}

/* Counts the clusters, which are found. */
static clup_status count_roots(clup_labelling *labelling)
{
    const clup_pass *pass = &labelling->number;
    const cl_mem *scratch = pass->scratch;
    const uint64_t groups = sum_groups(pass);
    const cl_uint sums = (cl_uint)groups;
    clup_status status = CLUP_OK;
    CLUP_TRY(find_keys(labelling));
    CLUP_TRY(LAUNCH(pass, COUNT, groups, CLUP_SITE_ITEMS, CLUP_ARG(scratch[ROOTS]), CLUP_ARG(scratch[SUMS])));
    CLUP_TRY(LAUNCH(pass, SUM, 1, CLUP_SITE_ITEMS, CLUP_ARG(sums), CLUP_ARG(scratch[SUMS])));
    labelling->counted = true;
done:
    return status;
}

static clup_status number(clup_labelling *labelling, cl_mem labels, clup_label_form form)
{
    const clup_state *state = &labelling->state;
    const clup_pass *pass = &labelling->number;
    const cl_mem *scratch = pass->scratch;
    const uint64_t groups = sites_groups(state);
    const cl_uint canonical = form == CLUP_LABELS_CANONICAL;
    clup_status status = CLUP_OK;
    labelling->counted = false;
    if (scratch[KEYS] != NULL && !labelling->bands) {
        CLUP_TRY(LAUNCH(pass, FIND_KEYS, groups, CLUP_SITE_ITEMS, CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(state->labels), CLUP_ARG(scratch[KEYS])));
        CLUP_TRY(LAUNCH(pass, FIND_FIRST, groups, CLUP_SITE_ITEMS, CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(state->labels), CLUP_ARG(scratch[KEYS])));
    }
    if (!canonical) {
        CLUP_TRY(count_roots(labelling));
        CLUP_TRY(LAUNCH(pass, BEFORE, sum_groups(pass), CLUP_SITE_ITEMS, CLUP_ARG(scratch[ROOTS]), CLUP_ARG(scratch[SUMS]), CLUP_ARG(scratch[RANKS])));
    }
    if (labelling->bands)
        CLUP_TRY(clup_bands_write(labelling, &pass->kernels[WRITE], scratch[RANKS], canonical, scratch[KEYS], labels));
    else if (state->nodes != NULL)
        CLUP_TRY(LAUNCH(pass, WRITE, pass->tiles, BORDER_NODES, CLUP_ARG(state->lattice), CLUP_ARG(labelling->image), CLUP_ARG(state->spins), CLUP_ARG(state->labels),
                        CLUP_ARG(state->bonds), CLUP_ARG(state->nodes), CLUP_ARG(scratch[RANKS]), CLUP_ARG(canonical), CLUP_ARG(labels)));
    else
        CLUP_TRY(LAUNCH(pass, WRITE, groups, CLUP_SITE_ITEMS, CLUP_ARG(state->lattice), CLUP_ARG(labelling->image), CLUP_ARG(state->spins), CLUP_ARG(state->labels),
                        CLUP_ARG(scratch[KEYS]), CLUP_ARG(scratch[RANKS]), CLUP_ARG(canonical), CLUP_ARG(labels)));
done:
    return status;
}

static clup_status enqueue(clup_labelling *labelling, cl_mem pixels, cl_mem labels, clup_label_form form)
{
    const clup_state *state = &labelling->state;
    const clup_pass *source = &labelling->source, *local = &labelling->local;
    const uint64_t word_groups = (clup_lattice_words(&state->lattice) - 1) / CLUP_WORD_ITEMS + 1;
    const cl_mem bonds = state->nodes != NULL ? source->scratch[0] : state->bonds;
    const cl_uint tiles = (cl_uint)local->tiles;
    clup_status status = CLUP_OK;
    const bool words = source->row == &bytes_row || clup_bands_words(labelling);
    CLUP_TRY(LAUNCH(source, 0, words ? word_groups : sites_groups(state), words ? CLUP_WORD_ITEMS : CLUP_SITE_ITEMS, CLUP_ARG(state->lattice), CLUP_ARG(labelling->image),
                    CLUP_ARG(pixels), CLUP_ARG(state->spins), CLUP_ARG(bonds)));
    if (source->row == &foreground_row)
        CLUP_TRY(LAUNCH(source, 1, word_groups, CLUP_WORD_ITEMS, CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(bonds)));
    if (labelling->bands)
        CLUP_TRY(clup_bands_find(labelling));
    else if (state->nodes != NULL)
        CLUP_TRY(LAUNCH(local, 0, clup_pass_groups(local), local->row->items(local->tile), CLUP_ARG(state->lattice), CLUP_ARG(tiles), CLUP_ARG(state->spins),
                        CLUP_ARG(bonds), CLUP_ARG(state->labels), CLUP_ARG(state->bonds), CLUP_ARG(state->nodes), CLUP_ARG(labelling->number.scratch[ROOTS])));
    else
        CLUP_TRY(local->row->run(&labelling->local));
    if (!labelling->bands)
        CLUP_TRY(labelling->consolidate.row->run(&labelling->consolidate));
    CLUP_TRY(number(labelling, labels, form));
done:
    return status;
}

clup_status clup_labelling_enqueue(clup_labelling *labelling, cl_mem pixels, cl_mem labels, clup_label_form form, unsigned count,
                                   cl_event const *wait, cl_event *event)
{
    clup_context *context = labelling->context;
    clup_status status = CLUP_OK;
    if (count > 0)
        CLUP_TRY(clup_cl_check(clEnqueueBarrierWithWaitList(context->queue, count, wait, NULL), "clEnqueueBarrierWithWaitList"));
    context->timer.off = true;
    status = enqueue(labelling, pixels, labels, form);
    context->timer.off = false;
    labelling->done = false;
    if (status == CLUP_OK && event != NULL)
        status = clup_cl_check(clEnqueueMarkerWithWaitList(context->queue, 0, NULL, event), "clEnqueueMarkerWithWaitList");
    if (status == CLUP_OK)
        status = clup_cl_check(clFlush(context->queue), "clFlush");
done:
    return status;
}

clup_status clup_labelling_count(clup_labelling *labelling, uint32_t *clusters)
{
    const cl_mem sums = labelling->number.scratch[SUMS];
    clup_status status = CLUP_OK;
    if (!labelling->counted)
        CLUP_TRY(count_roots(labelling));
    CLUP_TRY(clup_cl_check(clEnqueueReadBuffer(labelling->context->queue, sums, CL_TRUE, 4 * sum_groups(&labelling->number), sizeof *clusters, clusters, 0, NULL, NULL),
                           "clEnqueueReadBuffer"));
    clup_timer_collect(&labelling->context->timer);
done:
    return status;
}

clup_status clup_labelling_reserve(clup_labelling *labelling)
{
    const clup_label_problem *problem = &labelling->problem;
    const uint64_t sites = clup_lattice_sites(&labelling->pixel_lattice);
    clup_status status = CLUP_OK;
    if (labelling->pixels == NULL)
        CLUP_TRY(clup_buffer_create(labelling->context, sites * problem->channels * clup_dtype_bytes(problem->dtype), "the pixels", &labelling->pixels));
    if (labelling->labels == NULL)
        CLUP_TRY(clup_buffer_create(labelling->context, 4 * sites, "the labels of pixels", &labelling->labels));
done:
    return status;
}

clup_status clup_labelling_run(clup_labelling *labelling, const void *pixels, clup_label_form form, uint32_t *labels, uint32_t *clusters, clup_label_timing *timing)
{
    clup_context *context = labelling->context;
    const clup_label_problem *problem = &labelling->problem;
    const uint64_t sites = clup_lattice_sites(&labelling->pixel_lattice), bytes = sites * problem->channels * clup_dtype_bytes(problem->dtype);
    clup_label_timing spent = {0};
    clup_status status = CLUP_OK;
    uint32_t count;
    labelling->done = false;
    const double start = clup_now_s();
    CLUP_TRY(clup_labelling_reserve(labelling));
    clup_timer_collect(&context->timer);
    clup_timer_reset(&context->timer);
    double last = clup_now_s();
    CLUP_TRY(clup_buffer_write(context, labelling->pixels, 0, bytes, pixels));
    spent.transfer_s += clup_now_s() - last;
    CLUP_TRY(enqueue(labelling, labelling->pixels, labelling->labels, form));
    CLUP_TRY(clup_labelling_count(labelling, &count));
    last = clup_now_s();
    CLUP_TRY(clup_buffer_read(context, labelling->labels, 4 * sites, labels));
    spent.transfer_s += clup_now_s() - last;
    clup_timer_collect(&context->timer);
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
        spent.device_s += 1e-9 * (double)context->timer.total_ns[stage];
    if (context->timer.unusable > 0 || context->quirks.no_event_times)
        spent.device_s = NAN;
    spent.wall_s = clup_now_s() - start;
    labelling->done = form == CLUP_LABELS_NUMBERED;
    if (clusters != NULL)
        *clusters = count;
    if (timing != NULL)
        *timing = spent;
done:
    return status;
}
