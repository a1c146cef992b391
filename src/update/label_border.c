/* Labelling of images in the plane by the border layout, see border.clh: names of two bytes a site, and a forest of the clusters at tiles' borders. */
#include "border.clh"
#include "label/label.h"
#include "plan/tables.h"
#include "update/labelling.h"

static uint64_t scratch(const clup_pass *pass, unsigned which)
{
    return clup_key_scratch(pass->state->context, clup_key_words(pass->state), which);
}

/* Local memory of a group of two tiles. */
static uint64_t runs_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned rows = q > 2 ? 3 : 1; /* of words; sites that are blocks have two more */
    (void)tile;
    return 2 * (2 * BORDER_SITES + 4 * (clup_border_bond_words(lattice) + rows * BORDER_Y));
}

static size_t node_items(const unsigned tile[3])
{
    (void)tile;
    return BORDER_NODES;
}

/* See action_number_border. */
static uint64_t number_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile;
    return 4 * (BORDER_NODES + BORDER_Y * clup_spin_planes(q)) + 8 * BORDER_Y * (q > 2 ? 2 : 1);
}

static const clup_row runs_row = {
    .name = "runs_image",
    .about = "runs of sites, a column of a 32 x 32 tile a work-item",
    .stage = CLUP_LOCAL,
    .models = CLUP_ON(CLUP_IMAGE),
    .layout = "border",
    .shape = clup_border_tile,
    .items = clup_two_edges_items,
    .group_tiles = 2,
    .local_bytes = runs_bytes,
    .kernels = {{.args = {VALUE(LATTICE), VALUE(TILES), READS(SPINS), READS(BONDS), WRITES(NAMES), WRITES(EDGES), WRITES(NODES), WRITES(KEY_BITS)}}},
};
static const clup_row number_row = {
    .name = "number_border",
    .about = "clusters numbered in raster order",
    .stage = CLUP_ACTION,
    .models = CLUP_ON(CLUP_IMAGE),
    .layout = "border",
    .scratch = scratch,
    .shape = clup_border_tile,
    .items = node_items,
    .local_bytes = number_bytes,
    .kernels = {CLUP_KEY_SCAN,
                {"action_number_border", "action_number_border", CLUP_GRID_TILES,
                 {VALUE(LATTICE), VALUE(IMAGE), READS(SPINS), READS(NAMES), READS(EDGES), CHANGES(NODES), READS(SCRATCH_1), VALUE(CANONICAL), WRITES(NUMBERS)}},
                {"action_number_border", "action_number_nodes", CLUP_GRID_TILES, {VALUE(LATTICE), READS(EDGES), READS(NODES), CHANGES(SCRATCH_0)}}},
};

/* Whether the device can run the rows. */
static bool has_room(const clup_labelling *labelling)
{
    const clup_problem pixels = {.lattice = (clup_lattice_kind)labelling->pixel_lattice.kind, .size = {labelling->pixel_lattice.nx, labelling->pixel_lattice.ny, 1}};
    const clup_problem sites = clup_label_sites(&labelling->problem, &pixels);
    const clup_row *const rows[] = {&runs_row, &number_row, clup_table_find(&clup_consolidations, "union_border")};
    clup_setting setting = {.lattice = clup_lattice_args(&sites), .q = sites.q, .layout = clup_layout_named("border"), .model = CLUP_IMAGE};
    bool has = clup_generator_named(NULL, &setting.rng) == CLUP_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        has = has && clup_row_check(rows[k], labelling->context, &setting) == CLUP_OK;
    return has;
}

static bool fits(const clup_labelling *labelling)
{
    return clup_lattice_of(&labelling->pixel_lattice)->axes == 2 && labelling->pixel_lattice.periodic == 0 && has_room(labelling);
}

static clup_status create(clup_labelling *labelling, const clup_problem *pixels)
{
    static const unsigned tile[3] = {32, BORDER_Y, 1};
    const clup_problem sites = clup_label_sites(&labelling->problem, pixels);
    clup_state *state = &labelling->state;
    const clup_row *consolidate;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_label_state_create(labelling, &sites, "border", clup_spin_planes(sites.q) > 1 ? 2 : 1));
    CLUP_TRY(clup_table_row(CLUP_CONSOLIDATE, "union_border", &consolidate));
    CLUP_TRY(clup_pass_create(&number_row, state, tile, &labelling->number));
    state->key_bits = labelling->number.scratch[CLUP_KEY_BITS];
    CLUP_TRY(clup_pass_create(&runs_row, state, tile, &labelling->local));
    CLUP_TRY(clup_pass_create(consolidate, state, tile, &labelling->consolidate));
    CLUP_TRY(clup_label_source_create(labelling, tile));
done:
    return status;
}

const clup_label_way clup_label_by_border = {fits, create, NULL};
