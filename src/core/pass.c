/* Rows and passes. */
#include "core/model.h"
#include "core/pass.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *clup_stage_name(clup_stage stage)
{
    static const char *const names[CLUP_STAGES] = {
        [CLUP_SOURCE] = "source", [CLUP_LOCAL] = "local",     [CLUP_CONSOLIDATE] = "consolidate",
        [CLUP_ACTION] = "action", [CLUP_MEASURE] = "measure",
    };
    return (unsigned)stage < CLUP_STAGES ? names[stage] : NULL;
}

const clup_row *clup_table_find(const clup_table *table, const char *name)
{
    for (size_t k = 0; k < table->count; k++)
        if (strcmp(table->rows[k].name, name) == 0)
            return &table->rows[k];
    return NULL;
}

static void tile_of(const clup_row *row, const lattice_args *lattice, const unsigned plan[3],
                    unsigned tile[3])
{
    memcpy(tile, plan, 3 * sizeof *tile);
    if (row->shape != NULL)
        row->shape(lattice, tile);
    if (row->tile_x > 0)
        tile[0] = row->tile_x;
}

void clup_row_tile(const clup_row *local, const lattice_args *lattice, unsigned edge,
                   unsigned tile[3])
{
    tile[0] = local != NULL && local->tile_x > 0 ? local->tile_x : edge;
    tile[1] = edge;
    tile[2] = clup_lattice_of(lattice)->axes > 2 ? edge : 1;
    if (local != NULL && local->shape != NULL)
        local->shape(lattice, tile);
}

/* ---- work-groups ----------------------------------------------------------------------------- */

static size_t largest_power(size_t most, size_t limit)
{
    while (most > 1 && most > limit)
        most /= 2;
    return most;
}

size_t clup_word_items(const clup_context *context)
{
    return largest_power(64, clup_group_limit(context));
}

size_t clup_site_items(const clup_context *context)
{
    return largest_power(128, clup_group_limit(context));
}

/* Local memory of a work-item that counts, and of its group, see measure_border and action_sizes.
 */
#define MEASURE_BYTES 40
#define MEASURE_GROUP_BYTES 256

size_t clup_measure_items(const clup_context *context)
{
    const uint64_t room = context->local_mem > MEASURE_GROUP_BYTES
                              ? (context->local_mem - MEASURE_GROUP_BYTES) / MEASURE_BYTES
                              : 0;
    return largest_power(256, clup_group_limit(context) < room ? clup_group_limit(context)
                                                               : (size_t)room);
}

/* Local memory for a table that is as large as may be: TABLE_BYTES in kernels, a power of two. */
#define TABLE_BYTES_LEAST 1024
#define TABLE_BYTES_MOST 16384

static size_t table_bytes(const clup_context *context)
{
    return largest_power(TABLE_BYTES_MOST, context->local_mem > TABLE_BYTES_LEAST
                                               ? (size_t)context->local_mem
                                               : TABLE_BYTES_LEAST);
}

/* The local memory that all devices of OpenCL's full profile have. Where there is less, groups have
 * fewer tiles. */
#define FULL_LOCAL_MEM 32768

static size_t items_of(const clup_row *row, const unsigned tile[3], unsigned group_tiles)
{
    const size_t items = row->items != NULL ? row->items(tile) : 1;
    return row->group_tiles > 0 ? items / row->group_tiles * group_tiles : items;
}

static uint64_t local_bytes_of(const clup_row *row, const lattice_args *lattice,
                               const unsigned tile[3], unsigned q, unsigned group_tiles)
{
    const uint64_t bytes = row->local_bytes != NULL ? row->local_bytes(lattice, tile, q) : 0;
    return row->group_tiles > 0 ? bytes / row->group_tiles * group_tiles : bytes;
}

/* Tiles of a group. */
static unsigned group_tiles_of(const clup_row *row, const clup_context *context,
                               const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    unsigned tiles = row->group_tiles > 0 ? row->group_tiles : 1;
    while (tiles > 1 && (items_of(row, tile, tiles) > clup_group_limit(context) ||
                         (context->local_mem < FULL_LOCAL_MEM &&
                          local_bytes_of(row, lattice, tile, q, tiles) > context->local_mem)))
        tiles /= 2;
    return tiles;
}

/* ---- what a row can do ----------------------------------------------------------------------- */

bool clup_row_is_for(const clup_row *row, clup_model model)
{
    return ((row->models > 0 ? row->models : CLUP_ON(CLUP_POTTS)) & CLUP_ON(model)) != 0;
}

static bool is(const char *wanted, const char *name)
{
    return wanted == NULL || strcmp(wanted, name) == 0;
}

bool clup_row_suits(const clup_row *row, const clup_layout *layout)
{
    uint32_t others = 0; /* of the stores for labels, those that the layout has not */
    for (size_t k = 0; k < clup_label_store_count; k++)
        others |= clup_label_stores[k].stores & ~layout->labels->stores;
    return is(row->spins, layout->spins->name) && is(row->bonds, layout->bonds->name) &&
           is(row->labels, layout->labels->name) && (clup_row_stores(row) & others) == 0;
}

const clup_layout *clup_row_layout(const clup_row *row)
{
    const clup_layout *one = NULL;
    for (const clup_layout *layout = clup_layouts; layout < clup_layouts + clup_layout_count;
         layout++)
        if (clup_row_suits(row, layout)) {
            if (one != NULL)
                return NULL;
            one = layout;
        }
    return one;
}

typedef clup_status check(const clup_row *row, const clup_context *context,
                          const clup_setting *setting);

static clup_status check_model(const clup_row *row, const clup_context *context,
                               const clup_setting *setting)
{
    (void)context;
    if (!clup_row_is_for(row, setting->model))
        return clup_fail(CLUP_ERROR_USAGE, "%s is not for %s", row->name,
                         clup_model_of(setting->model)->called);
    if (row->stage == CLUP_ACTION && clup_model_of(setting->model)->algorithms &&
        row->algorithm != setting->algorithm)
        return clup_fail(CLUP_ERROR_USAGE, "%s belongs to %s, not %s", row->name,
                         clup_algorithm_name(row->algorithm),
                         clup_algorithm_name(setting->algorithm));
    return CLUP_OK;
}

static clup_status check_layout(const clup_row *row, const clup_context *context,
                                const clup_setting *setting)
{
    (void)context;
    const clup_layout *layout = setting->layout;
    if (!clup_row_suits(row, layout) && clup_row_layout(row) != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on %s bonds alone", row->name,
                         clup_row_layout(row)->name);
    if (!clup_row_suits(row, layout))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works on spins, bonds or labels that the %s layout has not", row->name,
                         layout->name);
    if (clup_lattice_sites(&setting->lattice) > layout->labels->sites_max)
        return clup_fail(CLUP_ERROR_USAGE, "the %s layout has at most %llu sites", layout->name,
                         (unsigned long long)layout->labels->sites_max);
    return CLUP_OK;
}

static clup_status check_generator(const clup_row *row, const clup_context *context,
                                   const clup_setting *setting)
{
    (void)context;
    if (row->philox && setting->rng->words > 0)
        return clup_fail(CLUP_ERROR_USAGE, "%s draws with philox alone, not %s", row->name,
                         setting->rng->name);
    return CLUP_OK;
}

static clup_status check_lattice(const clup_row *row, const clup_context *context,
                                 const clup_setting *setting)
{
    (void)context;
    if (row->square && setting->lattice.kind != CLUP_LATTICE_SQUARE)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on the square lattice alone", row->name);
    if (row->axes > 0 && clup_lattice_of(&setting->lattice)->axes != row->axes)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on lattices with %u axes", row->name,
                         row->axes);
    return CLUP_OK;
}

static clup_status check_size(const clup_row *row, const clup_context *context,
                              const clup_setting *setting)
{
    if (row->stage == CLUP_ACTION && !row->parts &&
        (setting->of_part ||
         clup_context_in_parts(context, setting->replicas > 0 ? setting->replicas : 1)))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works on whole lattices, not on parts of several "
                         "processes",
                         row->name);
    if (!row->replicas && setting->replicas > 1)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on one system at a time", row->name);
    if (row->q_max > 0 && setting->q > row->q_max)
        return clup_fail(CLUP_ERROR_USAGE, "%s works for q up to %u", row->name, row->q_max);
    if (row->unfit != NULL && row->unfit(setting) != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "%s %s", row->name, row->unfit(setting));
    if (row->sites_max > 0 && clup_lattice_sites(&setting->lattice) > row->sites_max)
        return clup_fail(CLUP_ERROR_USAGE, "%s works for up to %llu sites", row->name,
                         (unsigned long long)row->sites_max);
    return CLUP_OK;
}

static clup_status check_tile(const clup_row *row, const clup_context *context,
                              const clup_setting *setting)
{
    unsigned tile[3];
    (void)context;
    tile_of(row, &setting->lattice, setting->tile, tile);
    if (row->tile_step > 0 && (tile[0] % row->tile_step != 0 || tile[1] % row->tile_step != 0))
        return clup_fail(CLUP_ERROR_USAGE, "%s needs a tile that is a multiple of %u", row->name,
                         row->tile_step);
    if (row->tile_sites_max > 0 && (uint64_t)tile[0] * tile[1] * tile[2] > row->tile_sites_max)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works on tiles of up to %llu sites, not %u x %u x %u", row->name,
                         (unsigned long long)row->tile_sites_max, tile[0], tile[1], tile[2]);
    return CLUP_OK;
}

static clup_status check_device(const clup_row *row, const clup_context *context,
                                const clup_setting *setting)
{
    unsigned tile[3];
    if (context == NULL)
        return CLUP_OK;
    tile_of(row, &setting->lattice, setting->tile, tile);
    const unsigned group_tiles = group_tiles_of(row, context, &setting->lattice, tile, setting->q);
    const size_t items = row->most_items != NULL ? row->most_items(tile)
                                                 : items_of(row, tile, group_tiles),
                 limit = clup_group_limit(context);
    if (row->group_limit > 0 && limit > row->group_limit)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s is for devices whose work-groups are of at most %zu, not %zu",
                         row->name, row->group_limit, limit);
    if (items > limit)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s needs work-groups of %zu, the device has at most %zu", row->name,
                         items, limit);
    const uint64_t bytes = local_bytes_of(row, &setting->lattice, tile, setting->q, group_tiles);
    if (bytes > 0 && context->local_mem == 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s needs %llu bytes of local memory, the device has none", row->name,
                         (unsigned long long)bytes);
    if (bytes > context->local_mem)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s needs %llu bytes of local memory, the device has %llu", row->name,
                         (unsigned long long)bytes, (unsigned long long)context->local_mem);
    return CLUP_OK;
}

clup_status clup_row_check_steps(const clup_row *row, const clup_context *context,
                                 const clup_setting *setting, unsigned *passed)
{
    static check *const checks[] = {check_model, check_layout, check_generator, check_lattice,
                                    check_size,  check_tile,   check_device};
    clup_status status = CLUP_OK;
    for (*passed = 0; *passed < sizeof checks / sizeof *checks; ++*passed)
        CLUP_TRY(checks[*passed](row, context, setting));
done:
    return status;
}

clup_status clup_row_check(const clup_row *row, const clup_context *context,
                           const clup_setting *setting)
{
    unsigned passed;
    return clup_row_check_steps(row, context, setting, &passed);
}

/* ---- passes ---------------------------------------------------------------------------------- */

bool clup_row_kernel_names(const clup_row *row, unsigned k, char file[CLUP_NAME_MOST],
                           char entry[CLUP_NAME_MOST])
{
    const clup_row_kernel *kernel = &row->kernels[k];
    const bool own = k == 0 && kernel->entry == NULL;
    if (!own && (k >= CLUP_PASS_KERNELS || kernel->entry == NULL))
        return false;
    if (own)
        snprintf(entry, CLUP_NAME_MOST, "%s_%s", clup_stage_name(row->stage), row->name);
    else
        snprintf(entry, CLUP_NAME_MOST, "%s", kernel->entry);
    snprintf(file, CLUP_NAME_MOST, "%s.cl", own ? entry : kernel->file);
    return true;
}

static clup_status build_kernel(clup_pass *pass, unsigned k, const char *file, const char *entry)
{
    char definitions[512];
    const clup_state *state = pass->state;
    const clup_context *context = state->context;
    const clup_lattice *lattice = clup_lattice_of(&state->lattice);
    snprintf(definitions, sizeof definitions,
             "%s %s %s%s%s%s LATTICE=%s AXES=%uu STATES=%uu PLANES=%uu FIELD=%uu TILE_X=%uu "
             "TILE_Y=%uu TILE_Z=%uu WORD_ITEMS=%zuu SITE_ITEMS=%zuu MEASURE_ITEMS=%zuu "
             "GROUP_ITEMS=%zuu GROUP_TILES=%uu TABLE_BYTES=%zuu",
             state->layout->spins->define, state->layout->bonds->define, state->rng->define,
             state->wide ? " WIDE" : "", context->lane_sums ? " LANE_SUMS" : "", state->definitions,
             lattice->define, lattice->axes, state->q, state->planes, clup_spin_field(state->q),
             pass->tile[0], pass->tile[1], pass->tile[2], clup_word_items(context),
             clup_site_items(context), clup_measure_items(context),
             pass->row->group_items != NULL ? pass->row->group_items(pass) : 1, pass->group_tiles,
             table_bytes(context));
    clup_status status = clup_kernel_create(state->context, file, entry, definitions,
                                            &pass->kernels[k]);
    pass->kernels[k].replicas = state->replicas;
    return status;
}

static clup_status build(clup_pass *pass)
{
    const clup_row *row = pass->row;
    char file[CLUP_NAME_MOST], entry[CLUP_NAME_MOST];
    clup_status status = CLUP_OK;
    for (unsigned k = 0; clup_row_kernel_names(row, k, file, entry) && status == CLUP_OK; k++)
        status = build_kernel(pass, k, file, entry);
    return status;
}

static void describe(const clup_row *row, clup_state *state, const unsigned tile[3],
                     clup_pass *pass)
{
    *pass = (clup_pass){.row = row, .state = state};
    tile_of(row, &state->lattice, tile, pass->tile);
    pass->tiles = clup_lattice_tiles(&state->lattice, pass->tile);
    pass->tiles_bound = (cl_uint)pass->tiles;
    pass->group_tiles = group_tiles_of(row, state->context, &state->lattice, pass->tile, state->q);
    for (unsigned k = 0; row->scratch != NULL && k < CLUP_PASS_SCRATCH; k++)
        pass->scratch_bytes[k] = row->scratch(pass, k);
}

uint32_t clup_kernel_stores(const clup_row_kernel *kernel, unsigned use)
{
    uint32_t stores = 0;
    for (const clup_bind *arg = kernel->args;
         arg < kernel->args + CLUP_KERNEL_ARGS && arg->what != CLUP_BIND_END; arg++)
        stores |= arg->what <= CLUP_STORES && (arg->use & use) ? 1u << (arg->what - 1) : 0;
    return stores;
}

uint32_t clup_row_stores(const clup_row *row)
{
    uint32_t stores = 0;
    for (unsigned k = 0; k < CLUP_PASS_KERNELS; k++)
        stores |= clup_kernel_stores(&row->kernels[k], CLUP_READS | CLUP_WRITES);
    return stores;
}

static const char *buffers_of(const clup_row *row)
{
    return row->buffers != NULL ? row->buffers : "work buffers";
}

void clup_pass_need(const clup_row *row, clup_state *state, const unsigned tile[3], clup_need *need)
{
    clup_pass pass;
    describe(row, state, tile, &pass);
    clup_stores_need(state, clup_row_stores(row), need);
    for (unsigned k = 0; k < CLUP_PASS_SCRATCH; k++)
        clup_need_add(need, pass.scratch_bytes[k], buffers_of(row));
}

size_t clup_pass_items(const clup_pass *pass)
{
    return items_of(pass->row, pass->tile, pass->group_tiles);
}

uint64_t clup_pass_groups(const clup_pass *pass)
{
    return (pass->tiles - 1) / pass->group_tiles + 1;
}

clup_status clup_pass_create(const clup_row *row, clup_state *state, const unsigned tile[3],
                             clup_pass *pass)
{
    clup_status status = CLUP_OK;
    const clup_setting setting = {state->lattice,       state->q,     state->method.algorithm,
                                  state->layout,        state->rng,   {tile[0], tile[1], tile[2]},
                                  state->replicas,      state->model, state->of_image,
                                  state->part.count > 1};
    describe(row, state, tile, pass);
    CLUP_TRY(clup_row_check(row, state->context, &setting));
    CLUP_TRY(clup_stores_create(state, clup_row_stores(row)));
    CLUP_TRY(build(pass));
    for (unsigned k = 0; k < CLUP_PASS_SCRATCH; k++)
        if (pass->scratch_bytes[k] > 0)
            CLUP_TRY((row->kept >> k & 1 ? clup_buffer_create_zero : clup_buffer_create)(
                state->context, pass->scratch_bytes[k], buffers_of(row), &pass->scratch[k]));
    pass->next = state->passes;
    state->passes = pass;
done:
    if (status != CLUP_OK)
        clup_pass_clear(pass);
    return status;
}

clup_status clup_pass_iterations(clup_pass *pass, double *mean)
{
    *mean = NAN;
    return pass->row != NULL && pass->row->iterations != NULL ? pass->row->iterations(pass, mean)
                                                              : CLUP_OK;
}

clup_status clup_passes_poison(clup_state *state)
{
    clup_context *context = state->context;
    uint32_t written = 0, kept = CLUP_STORES_ALWAYS;
    clup_status status = CLUP_OK;
    if (context->poison < 0)
        return CLUP_OK;
    if (state->model != CLUP_POTTS) /* each sweep is a sample or an image, with sites of its own */
        kept &= ~(1u << CLUP_STORE_SPINS);
    for (const clup_pass *pass = state->passes; pass != NULL; pass = pass->next) {
        kept |= pass->row->kept_stores;
        for (unsigned k = 0; k < CLUP_PASS_KERNELS; k++)
            written |= clup_kernel_stores(&pass->row->kernels[k], CLUP_WRITES);
    }
    for (unsigned k = 0; k < CLUP_STORES; k++)
        if (written & ~kept & 1u << k)
            CLUP_TRY(clup_buffer_poison(context, clup_store_buffer(state, k)));
    for (const clup_pass *pass = state->passes; pass != NULL; pass = pass->next)
        for (unsigned k = 0; k < CLUP_PASS_SCRATCH; k++)
            if (!(pass->row->kept >> k & 1))
                CLUP_TRY(clup_buffer_poison(context, pass->scratch[k]));
done:
    return status;
}

/* Takes a pass out of its state's. */
static void forget(const clup_pass *pass)
{
    for (clup_pass **at = &pass->state->passes; *at != NULL; at = &(*at)->next)
        if (*at == pass) {
            *at = pass->next;
            return;
        }
}

void clup_pass_clear(clup_pass *pass)
{
    if (pass->state != NULL)
        forget(pass);
    for (unsigned k = 0; k < CLUP_PASS_KERNELS; k++)
        clup_kernel_free(&pass->kernels[k]);
    for (unsigned k = 0; k < CLUP_PASS_SCRATCH; k++)
        if (pass->scratch[k] != NULL)
            clup_buffer_free(pass->state->context, pass->scratch[k]);
    *pass = (clup_pass){0};
}
