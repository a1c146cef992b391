/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel variants and prepared stages. */
#include "core/model.h"
#include "core/prepared.h"

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

const clup_variant *clup_table_find(const clup_table *table, const char *name)
{
    for (size_t k = 0; k < table->count; k++)
        if (strcmp(table->variants[k].name, name) == 0)
            return &table->variants[k];
    return NULL;
}

static void tile_of(const clup_variant *variant, const lattice_args *lattice,
                    const unsigned plan[3], unsigned tile[3])
{
    memcpy(tile, plan, 3 * sizeof *tile);
    if (variant->shape != NULL)
        variant->shape(lattice, tile);
    if (variant->tile_x > 0)
        tile[0] = variant->tile_x;
}

void clup_variant_tile(const clup_variant *local, const lattice_args *lattice, unsigned edge,
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

/* Local memory for each work-item that counts, and for its group, see measure_border and
 * action_sizes. */
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

/* Local memory for a table that is as large as the device allows: TABLE_BYTES in kernels, a power
 * of two. */
#define TABLE_BYTES_LEAST 1024
#define TABLE_BYTES_MOST 16384

static size_t table_bytes(const clup_context *context)
{
    return largest_power(TABLE_BYTES_MOST, context->local_mem > TABLE_BYTES_LEAST
                                               ? (size_t)context->local_mem
                                               : TABLE_BYTES_LEAST);
}

/* The local memory that all devices of OpenCL's full profile have. On devices with less, groups
 * have fewer tiles. */
#define FULL_LOCAL_MEM 32768

static size_t items_of(const clup_variant *variant, const unsigned tile[3], unsigned group_tiles)
{
    const size_t items = variant->items != NULL ? variant->items(tile) : 1;
    return variant->group_tiles > 0 ? items / variant->group_tiles * group_tiles : items;
}

static uint64_t local_bytes_of(const clup_variant *variant, const lattice_args *lattice,
                               const unsigned tile[3], unsigned q, unsigned group_tiles)
{
    const uint64_t bytes = variant->local_bytes != NULL ? variant->local_bytes(lattice, tile, q)
                                                        : 0;
    return variant->group_tiles > 0 ? bytes / variant->group_tiles * group_tiles : bytes;
}

/* Returns the number of tiles of a group. */
static unsigned group_tiles_of(const clup_variant *variant, const clup_context *context,
                               const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    unsigned tiles = variant->group_tiles > 0 ? variant->group_tiles : 1;
    while (tiles > 1 && (items_of(variant, tile, tiles) > clup_group_limit(context) ||
                         (context->local_mem < FULL_LOCAL_MEM &&
                          local_bytes_of(variant, lattice, tile, q, tiles) > context->local_mem)))
        tiles /= 2;
    return tiles;
}

/* ---- what a kernel variant can do ------------------------------------------------------------ */

bool clup_variant_is_for(const clup_variant *variant, clup_model model)
{
    return ((variant->models > 0 ? variant->models : CLUP_ON(CLUP_POTTS)) & CLUP_ON(model)) != 0;
}

static bool is(const char *wanted, const char *name)
{
    return wanted == NULL || strcmp(wanted, name) == 0;
}

bool clup_variant_suits(const clup_variant *variant, const clup_layout *layout)
{
    uint32_t others = 0; /* device buffers of other label storage than the layout's */
    for (size_t k = 0; k < clup_label_store_count; k++)
        others |= clup_label_stores[k].stores & ~layout->labels->stores;
    return is(variant->spins, layout->spins->name) && is(variant->bonds, layout->bonds->name) &&
           is(variant->labels, layout->labels->name) &&
           (clup_variant_stores(variant) & others) == 0;
}

const clup_layout *clup_variant_layout(const clup_variant *variant)
{
    const clup_layout *one = NULL;
    for (const clup_layout *layout = clup_layouts; layout < clup_layouts + clup_layout_count;
         layout++)
        if (clup_variant_suits(variant, layout)) {
            if (one != NULL)
                return NULL;
            one = layout;
        }
    return one;
}

typedef clup_status check(const clup_variant *variant, const clup_context *context,
                          const clup_setting *setting);

static clup_status check_model(const clup_variant *variant, const clup_context *context,
                               const clup_setting *setting)
{
    (void)context;
    if (!clup_variant_is_for(variant, setting->model))
        return clup_fail(CLUP_ERROR_USAGE, "%s is not for %s", variant->name,
                         clup_model_of(setting->model)->called);
    if (variant->stage == CLUP_ACTION && clup_model_of(setting->model)->algorithms &&
        variant->algorithm != setting->algorithm)
        return clup_fail(CLUP_ERROR_USAGE, "%s belongs to %s, not %s", variant->name,
                         clup_algorithm_name(variant->algorithm),
                         clup_algorithm_name(setting->algorithm));
    return CLUP_OK;
}

static clup_status check_layout(const clup_variant *variant, const clup_context *context,
                                const clup_setting *setting)
{
    (void)context;
    const clup_layout *layout = setting->layout;
    if (!clup_variant_suits(variant, layout) && clup_variant_layout(variant) != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on %s bonds alone", variant->name,
                         clup_variant_layout(variant)->name);
    if (!clup_variant_suits(variant, layout))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works on spins, bonds or labels that the %s layout has not",
                         variant->name, layout->name);
    if (clup_lattice_sites(&setting->lattice) > layout->labels->sites_max)
        return clup_fail(CLUP_ERROR_USAGE, "the %s layout has at most %llu sites", layout->name,
                         (unsigned long long)layout->labels->sites_max);
    return CLUP_OK;
}

static clup_status check_generator(const clup_variant *variant, const clup_context *context,
                                   const clup_setting *setting)
{
    (void)context;
    if (variant->philox && setting->rng->words > 0)
        return clup_fail(CLUP_ERROR_USAGE, "%s draws with philox alone, not %s", variant->name,
                         setting->rng->name);
    return CLUP_OK;
}

static clup_status check_lattice(const clup_variant *variant, const clup_context *context,
                                 const clup_setting *setting)
{
    (void)context;
    if (variant->square && setting->lattice.kind != CLUP_LATTICE_SQUARE)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on the square lattice alone", variant->name);
    if (variant->axes > 0 && clup_lattice_of(&setting->lattice)->axes != variant->axes)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on lattices with %u axes", variant->name,
                         variant->axes);
    return CLUP_OK;
}

static clup_status check_size(const clup_variant *variant, const clup_context *context,
                              const clup_setting *setting)
{
    if (variant->stage == CLUP_ACTION && !variant->parts &&
        (setting->of_part ||
         clup_context_in_parts(context, setting->replicas > 0 ? setting->replicas : 1)))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works on whole lattices, not on parts of several "
                         "processes",
                         variant->name);
    if (!variant->replicas && setting->replicas > 1)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on one system at a time", variant->name);
    if (variant->q_max > 0 && setting->q > variant->q_max)
        return clup_fail(CLUP_ERROR_USAGE, "%s works for q up to %u", variant->name,
                         variant->q_max);
    if (variant->unfit != NULL && variant->unfit(setting) != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "%s %s", variant->name, variant->unfit(setting));
    if (variant->sites_max > 0 && clup_lattice_sites(&setting->lattice) > variant->sites_max)
        return clup_fail(CLUP_ERROR_USAGE, "%s works for up to %llu sites", variant->name,
                         (unsigned long long)variant->sites_max);
    return CLUP_OK;
}

static clup_status check_tile(const clup_variant *variant, const clup_context *context,
                              const clup_setting *setting)
{
    unsigned tile[3];
    (void)context;
    tile_of(variant, &setting->lattice, setting->tile, tile);
    if (variant->tile_step > 0 &&
        (tile[0] % variant->tile_step != 0 || tile[1] % variant->tile_step != 0))
        return clup_fail(CLUP_ERROR_USAGE, "%s needs a tile that is a multiple of %u",
                         variant->name, variant->tile_step);
    if (variant->tile_sites_max > 0 &&
        (uint64_t)tile[0] * tile[1] * tile[2] > variant->tile_sites_max)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works on tiles of up to %llu sites, not %u x %u x %u", variant->name,
                         (unsigned long long)variant->tile_sites_max, tile[0], tile[1], tile[2]);
    return CLUP_OK;
}

static clup_status check_device(const clup_variant *variant, const clup_context *context,
                                const clup_setting *setting)
{
    unsigned tile[3];
    if (context == NULL)
        return CLUP_OK;
    tile_of(variant, &setting->lattice, setting->tile, tile);
    const unsigned group_tiles = group_tiles_of(variant, context, &setting->lattice, tile,
                                                setting->q);
    const size_t items = variant->most_items != NULL ? variant->most_items(tile)
                                                     : items_of(variant, tile, group_tiles),
                 limit = clup_group_limit(context);
    if (variant->group_limit > 0 && limit > variant->group_limit)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s is for devices whose work-groups are of at most %zu, not %zu",
                         variant->name, variant->group_limit, limit);
    if (items > limit)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s needs work-groups of %zu, the device has at most %zu", variant->name,
                         items, limit);
    const uint64_t bytes = local_bytes_of(variant, &setting->lattice, tile, setting->q,
                                          group_tiles);
    if (bytes > 0 && context->local_mem == 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s needs %llu bytes of local memory, the device has none", variant->name,
                         (unsigned long long)bytes);
    if (bytes > context->local_mem)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s needs %llu bytes of local memory, the device has %llu", variant->name,
                         (unsigned long long)bytes, (unsigned long long)context->local_mem);
    return CLUP_OK;
}

clup_status clup_variant_check_steps(const clup_variant *variant, const clup_context *context,
                                     const clup_setting *setting, unsigned *passed)
{
    static check *const checks[] = {check_model, check_layout, check_generator, check_lattice,
                                    check_size,  check_tile,   check_device};
    clup_status status = CLUP_OK;
    for (*passed = 0; *passed < sizeof checks / sizeof *checks; ++*passed)
        CLUP_TRY(checks[*passed](variant, context, setting));
done:
    return status;
}

clup_status clup_variant_check(const clup_variant *variant, const clup_context *context,
                               const clup_setting *setting)
{
    unsigned passed;
    return clup_variant_check_steps(variant, context, setting, &passed);
}

/* ---- prepared stages ------------------------------------------------------------------------- */

bool clup_variant_kernel_names(const clup_variant *variant, unsigned k, char file[CLUP_NAME_MOST],
                               char entry[CLUP_NAME_MOST])
{
    const clup_variant_kernel *kernel = &variant->kernels[k];
    const bool own = k == 0 && kernel->entry == NULL;
    if (!own && (k >= CLUP_PREPARED_KERNELS || kernel->entry == NULL))
        return false;
    if (own)
        snprintf(entry, CLUP_NAME_MOST, "%s_%s", clup_stage_name(variant->stage), variant->name);
    else
        snprintf(entry, CLUP_NAME_MOST, "%s", kernel->entry);
    snprintf(file, CLUP_NAME_MOST, "%s.cl", own ? entry : kernel->file);
    return true;
}

static clup_status build_kernel(clup_prepared *prepared, unsigned k, const char *file,
                                const char *entry)
{
    char definitions[512];
    const clup_state *state = prepared->state;
    const clup_context *context = state->context;
    const clup_lattice *lattice = clup_lattice_of(&state->lattice);
    snprintf(definitions, sizeof definitions,
             "%s %s %s%s%s%s LATTICE=%s AXES=%uu STATES=%uu PLANES=%uu FIELD=%uu TILE_X=%uu "
             "TILE_Y=%uu TILE_Z=%uu WORD_ITEMS=%zuu SITE_ITEMS=%zuu MEASURE_ITEMS=%zuu "
             "GROUP_ITEMS=%zuu GROUP_TILES=%uu TABLE_BYTES=%zuu",
             state->layout->spins->define, state->layout->bonds->define, state->rng->define,
             state->wide ? " WIDE" : "", context->lane_sums ? " LANE_SUMS" : "", state->definitions,
             lattice->define, lattice->axes, state->q, state->planes, clup_spin_field(state->q),
             prepared->tile[0], prepared->tile[1], prepared->tile[2], clup_word_items(context),
             clup_site_items(context), clup_measure_items(context),
             prepared->variant->group_items != NULL ? prepared->variant->group_items(prepared) : 1,
             prepared->group_tiles, table_bytes(context));
    clup_status status = clup_kernel_create(state->context, file, entry, definitions,
                                            &prepared->kernels[k]);
    prepared->kernels[k].replicas = state->replicas;
    return status;
}

static clup_status build(clup_prepared *prepared)
{
    const clup_variant *variant = prepared->variant;
    char file[CLUP_NAME_MOST], entry[CLUP_NAME_MOST];
    clup_status status = CLUP_OK;
    for (unsigned k = 0; clup_variant_kernel_names(variant, k, file, entry) && status == CLUP_OK;
         k++)
        status = build_kernel(prepared, k, file, entry);
    return status;
}

static void describe(const clup_variant *variant, clup_state *state, const unsigned tile[3],
                     clup_prepared *prepared)
{
    *prepared = (clup_prepared){.variant = variant, .state = state};
    tile_of(variant, &state->lattice, tile, prepared->tile);
    prepared->tiles = clup_lattice_tiles(&state->lattice, prepared->tile);
    prepared->tiles_bound = (cl_uint)prepared->tiles;
    prepared->group_tiles = group_tiles_of(variant, state->context, &state->lattice, prepared->tile,
                                           state->q);
    for (unsigned k = 0; variant->scratch != NULL && k < CLUP_PREPARED_SCRATCH; k++)
        prepared->scratch_bytes[k] = variant->scratch(prepared, k);
}

uint32_t clup_kernel_stores(const clup_variant_kernel *kernel, unsigned use)
{
    uint32_t stores = 0;
    for (const clup_bind *arg = kernel->args;
         arg < kernel->args + CLUP_KERNEL_ARGS && arg->what != CLUP_BIND_END; arg++)
        stores |= arg->what <= CLUP_BUFFER_KINDS && (arg->use & use) ? 1u << (arg->what - 1) : 0;
    return stores;
}

uint32_t clup_variant_stores(const clup_variant *variant)
{
    uint32_t stores = 0;
    for (unsigned k = 0; k < CLUP_PREPARED_KERNELS; k++)
        stores |= clup_kernel_stores(&variant->kernels[k], CLUP_READS | CLUP_WRITES);
    return stores;
}

static const char *buffers_of(const clup_variant *variant)
{
    return variant->buffers != NULL ? variant->buffers : "work buffers";
}

void clup_prepared_need(const clup_variant *variant, clup_state *state, const unsigned tile[3],
                        clup_need *need)
{
    clup_prepared pass;
    describe(variant, state, tile, &pass);
    clup_buffers_need(state, clup_variant_stores(variant), need);
    for (unsigned k = 0; k < CLUP_PREPARED_SCRATCH; k++)
        clup_need_add(need, pass.scratch_bytes[k], buffers_of(variant));
}

size_t clup_prepared_items(const clup_prepared *prepared)
{
    return items_of(prepared->variant, prepared->tile, prepared->group_tiles);
}

uint64_t clup_prepared_groups(const clup_prepared *prepared)
{
    return (prepared->tiles - 1) / prepared->group_tiles + 1;
}

clup_status clup_prepared_create(const clup_variant *variant, clup_state *state,
                                 const unsigned tile[3], clup_prepared *prepared)
{
    clup_status status = CLUP_OK;
    const clup_setting setting = {state->lattice,
                                  state->q,
                                  state->method.algorithm,
                                  state->layout,
                                  state->rng,
                                  {tile[0], tile[1], tile[2]},
                                  state->replicas,
                                  state->model,
                                  state->of_image,
                                  state->subdomain.count > 1};
    describe(variant, state, tile, prepared);
    CLUP_TRY(clup_variant_check(variant, state->context, &setting));
    CLUP_TRY(clup_buffers_create(state, clup_variant_stores(variant)));
    CLUP_TRY(build(prepared));
    for (unsigned k = 0; k < CLUP_PREPARED_SCRATCH; k++)
        if (prepared->scratch_bytes[k] > 0)
            CLUP_TRY((variant->kept >> k & 1 ? clup_buffer_create_zero : clup_buffer_create)(
                state->context, prepared->scratch_bytes[k], buffers_of(variant),
                &prepared->scratch[k]));
    prepared->next = state->passes;
    state->passes = prepared;
done:
    if (status != CLUP_OK)
        clup_prepared_clear(prepared);
    return status;
}

clup_status clup_prepared_iterations(clup_prepared *prepared, double *mean)
{
    *mean = NAN;
    return prepared->variant != NULL && prepared->variant->iterations != NULL
               ? prepared->variant->iterations(prepared, mean)
               : CLUP_OK;
}

clup_status clup_prepared_poison_all(clup_state *state)
{
    clup_context *context = state->context;
    uint32_t written = 0, kept = CLUP_BUFFERS_ALWAYS;
    clup_status status = CLUP_OK;
    if (context->poison < 0)
        return CLUP_OK;
    if (state->model != CLUP_POTTS) /* each sweep is a sample or an image, and writes its sites
                                       itself */
        kept &= ~(1u << CLUP_BUFFER_SPINS);
    for (const clup_prepared *prepared = state->passes; prepared != NULL;
         prepared = prepared->next) {
        kept |= prepared->variant->kept_buffers;
        for (unsigned k = 0; k < CLUP_PREPARED_KERNELS; k++)
            written |= clup_kernel_stores(&prepared->variant->kernels[k], CLUP_WRITES);
    }
    for (unsigned k = 0; k < CLUP_BUFFER_KINDS; k++)
        if (written & ~kept & 1u << k)
            CLUP_TRY(clup_buffer_poison(context, clup_buffer_of_state(state, k)));
    for (const clup_prepared *prepared = state->passes; prepared != NULL; prepared = prepared->next)
        for (unsigned k = 0; k < CLUP_PREPARED_SCRATCH; k++)
            if (!(prepared->variant->kept >> k & 1))
                CLUP_TRY(clup_buffer_poison(context, prepared->scratch[k]));
done:
    return status;
}

/* Removes a prepared stage from the list of its state. */
static void forget(const clup_prepared *prepared)
{
    for (clup_prepared **at = &prepared->state->passes; *at != NULL; at = &(*at)->next)
        if (*at == prepared) {
            *at = prepared->next;
            return;
        }
}

void clup_prepared_clear(clup_prepared *prepared)
{
    if (prepared->state != NULL)
        forget(prepared);
    for (unsigned k = 0; k < CLUP_PREPARED_KERNELS; k++)
        clup_kernel_free(&prepared->kernels[k]);
    for (unsigned k = 0; k < CLUP_PREPARED_SCRATCH; k++)
        if (prepared->scratch[k] != NULL)
            clup_buffer_free(prepared->state->context, prepared->scratch[k]);
    *prepared = (clup_prepared){0};
}
