/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel variants: their names, tiles and work-groups, and whether they can be used. */
#include "core/energy.h"
#include "core/model.h"
#include "core/prepared.h"

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

void clup_variant_own_tile(const clup_variant *variant, const lattice_args *lattice,
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

size_t clup_largest_power(size_t most, size_t limit)
{
    while (most > 1 && most > limit)
        most /= 2;
    return most;
}

size_t clup_word_items(const clup_context *context)
{
    return clup_largest_power(64, clup_group_limit(context));
}

size_t clup_site_items(const clup_context *context)
{
    return clup_largest_power(128, clup_group_limit(context));
}

/* Most work-items of a group that counts. On devices whose work-items are threads a compute unit
 * executes the work-items of a group in a loop, and keeps the values of each in memory from one
 * barrier to the next. There groups must be small: with 256 work-items, counting took 6 times as
 * long on 800 lattices of 16 x 16. */
#define MEASURE_ITEMS 256
#define MEASURE_ITEMS_THREADS 8
/* Local memory for each such work-item, and for its group, see measure_border and action_sizes. */
#define MEASURE_BYTES 40
#define MEASURE_GROUP_BYTES 256

size_t clup_measure_items(const clup_context *context)
{
    const uint64_t room = context->local_mem > MEASURE_GROUP_BYTES
                              ? (context->local_mem - MEASURE_GROUP_BYTES) / MEASURE_BYTES
                              : 0;
    return clup_largest_power(context->machine.threads ? MEASURE_ITEMS_THREADS : MEASURE_ITEMS,
                              clup_group_limit(context) < room ? clup_group_limit(context)
                                                               : (size_t)room);
}

/* The local memory that all devices of OpenCL's full profile have. On devices with less, groups
 * have fewer tiles. */
#define FULL_LOCAL_MEM 32768

size_t clup_variant_items(const clup_variant *variant, const unsigned tile[3], unsigned group_tiles)
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

unsigned clup_variant_group_tiles(const clup_variant *variant, const clup_context *context,
                                  const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    unsigned tiles = variant->group_tiles > 0 ? variant->group_tiles : 1;
    while (tiles > 1 && (clup_variant_items(variant, tile, tiles) > clup_group_limit(context) ||
                         (context->local_mem < FULL_LOCAL_MEM &&
                          local_bytes_of(variant, lattice, tile, q, tiles) > context->local_mem)))
        tiles /= 2;
    return tiles;
}

/* ---- what a kernel variant can do ------------------------------------------------------------ */

bool clup_variant_is_for(const clup_variant *variant, clup_model model)
{
    return ((variant->models > 0 ? variant->models : CLUP_ON_SPINS) & CLUP_ON(model)) != 0;
}

static bool is(const char *wanted, const char *name)
{
    return wanted == NULL || strcmp(wanted, name) == 0;
}

bool clup_variant_suits(const clup_variant *variant, const clup_layout *layout)
{
    uint32_t others = 0; /* device buffers of other storage than the layout's */
    if (variant->spins == NULL && !variant->vectors && clup_layout_of_vectors(layout) &&
        (clup_variant_buffers(variant) & 1u << CLUP_BUFFER_SPINS))
        return false;
    for (size_t k = 0; k < clup_label_store_count; k++)
        others |= clup_label_stores[k].stores & ~layout->labels->stores;
    for (size_t k = 0; k < clup_bond_store_count; k++)
        others |= clup_bond_stores[k].stores & ~layout->bonds->stores;
    return is(variant->spins, layout->spins->name) && is(variant->bonds, layout->bonds->name) &&
           is(variant->labels, layout->labels->name) &&
           (clup_variant_buffers(variant) & others) == 0;
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
    if (variant->one_coupling && setting->couplings)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works with couplings of 1, without disorder and field, alone",
                         variant->name);
    if (variant->one_class && setting->classes > 1)
        return clup_fail(CLUP_ERROR_USAGE, "%s works where all couplings are equal alone",
                         variant->name);
    if (setting->matrix && !variant->matrix &&
        (clup_variant_buffers(variant) & 1u << CLUP_BUFFER_SPINS))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works with energies by equal spins alone, not with %s", variant->name,
                         clup_matrix_called(setting->model));
    if (setting->sized && !variant->matrix && !setting->vectors &&
        (clup_variant_buffers(variant) & 1u << CLUP_BUFFER_LAWS))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works where the bonds of a direction have one coupling alone",
                         variant->name);
    if (setting->field && variant->stage == CLUP_ACTION && !variant->field)
        return clup_fail(CLUP_ERROR_USAGE, "%s works without a field alone", variant->name);
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
    if (clup_layout_of_vectors(layout) != setting->vectors)
        return clup_fail(CLUP_ERROR_USAGE, "%s is not stored with %s bonds",
                         clup_model_of(setting->model)->called, layout->name);
    if (clup_layout_of_graphs(layout) != (setting->lattice.kind == CLUP_LATTICE_GRAPH))
        return clup_fail(CLUP_ERROR_USAGE, "%s is not stored with %s bonds",
                         setting->lattice.kind == CLUP_LATTICE_GRAPH ? "a graph" : "a lattice",
                         layout->name);
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
    if (variant->stage == CLUP_ACTION && !variant->subdomains &&
        (setting->of_part ||
         clup_context_in_parts(context, setting->replicas > 0 ? setting->replicas : 1)))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s works on whole lattices, not on parts of several "
                         "processes",
                         variant->name);
    if (setting->before != NULL && strcmp(setting->layout->spins->name, "bytes") == 0)
        return clup_fail(CLUP_ERROR_USAGE, "%s work on planes of spins, which %s bonds have not",
                         setting->before, setting->layout->name);
    if (setting->before != NULL && variant->run_many != NULL)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s does many sweeps in one launch, without %s between them",
                         variant->name, setting->before);
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
    clup_variant_own_tile(variant, &setting->lattice, setting->tile, tile);
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
    clup_variant_own_tile(variant, &setting->lattice, setting->tile, tile);
    const unsigned group_tiles = clup_variant_group_tiles(variant, context, &setting->lattice, tile,
                                                          setting->q);
    const size_t items = variant->most_items != NULL
                             ? variant->most_items(tile)
                             : clup_variant_items(variant, tile, group_tiles),
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

/* ---- kernels and device buffers -------------------------------------------------------------- */

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

uint32_t clup_kernel_buffers(const clup_variant_kernel *kernel, unsigned use)
{
    uint32_t stores = 0;
    for (const clup_bind *arg = kernel->args;
         arg < kernel->args + CLUP_KERNEL_ARGS && arg->what != CLUP_BIND_END; arg++)
        stores |= arg->what <= CLUP_BUFFER_KINDS && (arg->use & use) ? 1u << (arg->what - 1) : 0;
    return stores;
}

uint32_t clup_variant_buffers(const clup_variant *variant)
{
    uint32_t stores = 0;
    for (unsigned k = 0; k < CLUP_PREPARED_KERNELS; k++)
        stores |= clup_kernel_buffers(&variant->kernels[k], CLUP_READS | CLUP_WRITES);
    return stores;
}
