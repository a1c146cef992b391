/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepared stages: builds the kernels of a kernel variant, and creates its buffers. */
#include "core/prepared.h"

#include <math.h>
#include <stdio.h>

/* Local memory that is as large as the device allows, a power of two: a table, TABLE_BYTES in
 * kernels, and lines of sites, LINE_BYTES, beside which a kernel has at most LINE_BESIDE. */
#define LOCAL_BYTES_LEAST 1024
#define TABLE_BYTES_MOST 16384
#define LINE_BYTES_MOST 32768
#define LINE_BESIDE 4096

/* Returns the largest power of two up to most that the device has beside some local memory. */
static size_t local_bytes(const clup_context *context, size_t most, size_t beside)
{
    return clup_largest_power(most, context->local_mem > LOCAL_BYTES_LEAST + beside
                                        ? (size_t)context->local_mem - beside
                                        : LOCAL_BYTES_LEAST);
}

/* Bytes of the definitions of a kernel variant at most. */
#define DEFINITIONS_MOST 512

/* Writes the definitions with which all kernels of the variant are compiled. */
static void define(const clup_prepared *prepared, char definitions[DEFINITIONS_MOST])
{
    char pattern[64] = "";
    const clup_state *state = prepared->state;
    const clup_context *context = state->context;
    const clup_lattice *lattice = clup_lattice_of(&state->lattice);
    if (clup_lattice_has_pattern(state->lattice.kind))
        snprintf(pattern, sizeof pattern, " PATTERN HOLES_EVEN=0x%Xu HOLES_ODD=0x%Xu",
                 lattice->holes[0], lattice->holes[1]);
    snprintf(definitions, DEFINITIONS_MOST,
             "%s %s %s%s%s%s%s%s LATTICE=%s%s AXES=%uu STATES=%uu PLANES=%uu FIELD=%uu TILE_X=%uu "
             "TILE_Y=%uu TILE_Z=%uu WORD_ITEMS=%zuu SITE_ITEMS=%zuu MEASURE_ITEMS=%zuu "
             "GROUP_ITEMS=%zuu GROUP_TILES=%uu TABLE_BYTES=%zuu LINE_BYTES=%zuu",
             state->spin_store->define, state->layout->bonds->define, state->rng->define,
             state->wide ? " WIDE" : "", context->lane_sums ? " LANE_SUMS" : "",
             context->long_atomics ? " LONG_ATOMICS" : "",
             context->machine.threads ? " THREADS" : "", state->definitions, lattice->define,
             pattern, lattice->axes, state->q, state->planes, clup_spin_field(state->decisions),
             prepared->tile[0], prepared->tile[1], prepared->tile[2], clup_word_items(context),
             clup_site_items(context), clup_measure_items(context),
             prepared->variant->group_items != NULL ? prepared->variant->group_items(prepared) : 1,
             prepared->group_tiles, local_bytes(context, TABLE_BYTES_MOST, 0),
             local_bytes(context, LINE_BYTES_MOST, LINE_BESIDE));
}

static clup_status build(clup_prepared *prepared)
{
    clup_context *context = prepared->state->context;
    const clup_variant *variant = prepared->variant;
    char file[CLUP_NAME_MOST], entry[CLUP_NAME_MOST], definitions[DEFINITIONS_MOST];
    clup_status status = CLUP_OK;
    define(prepared, definitions);
    for (unsigned k = 0; clup_variant_kernel_names(variant, k, file, entry) && status == CLUP_OK;
         k++) {
        status = clup_kernel_create(context, file, entry, definitions, &prepared->kernels[k]);
        prepared->kernels[k].replicas = prepared->state->replicas;
    }
    return status;
}

static void describe(const clup_variant *variant, clup_state *state, const unsigned tile[3],
                     clup_prepared *prepared)
{
    *prepared = (clup_prepared){.variant = variant, .state = state};
    clup_variant_own_tile(variant, &state->lattice, tile, prepared->tile);
    prepared->tiles = clup_lattice_tiles(&state->lattice, prepared->tile);
    prepared->tiles_bound = (cl_uint)prepared->tiles;
    prepared->group_tiles = clup_variant_group_tiles(variant, state->context, &state->lattice,
                                                     prepared->tile, state->q);
    for (unsigned k = 0; variant->scratch != NULL && k < CLUP_PREPARED_SCRATCH; k++)
        prepared->scratch_bytes[k] = variant->scratch(prepared, k);
}

static const char *buffers_of(const clup_variant *variant)
{
    return variant->buffers != NULL ? variant->buffers : "work buffers";
}

void clup_prepared_need(const clup_variant *variant, clup_state *state, const unsigned tile[3],
                        clup_need *need)
{
    clup_prepared prepared;
    describe(variant, state, tile, &prepared);
    clup_buffers_need(state, clup_variant_buffers(variant), need);
    for (unsigned k = 0; k < CLUP_PREPARED_SCRATCH; k++)
        clup_need_add(need, prepared.scratch_bytes[k], buffers_of(variant));
}

size_t clup_prepared_items(const clup_prepared *prepared)
{
    return clup_variant_items(prepared->variant, prepared->tile, prepared->group_tiles);
}

uint64_t clup_prepared_groups(const clup_prepared *prepared)
{
    return (prepared->tiles - 1) / prepared->group_tiles + 1;
}

/* What a kernel variant of a layout and an algorithm is asked to work on. Clusters that are counted
 * alone are samples of percolation, whatever model their bonds come from. */
static clup_setting setting_of(const clup_state *state, const clup_layout *layout,
                               clup_algorithm algorithm, const unsigned tile[3])
{
    return (clup_setting){.lattice = state->lattice,
                          .q = state->q,
                          .algorithm = algorithm,
                          .layout = layout,
                          .rng = state->rng,
                          .tile = {tile[0], tile[1], tile[2]},
                          .replicas = state->replicas,
                          .model = state->sampled && clup_model_of(state->model)->algorithms
                                       ? CLUP_BOND_PERCOLATION
                                       : state->model,
                          .image = state->of_image,
                          .of_part = state->subdomain.count > 1,
                          .couplings = state->couplings,
                          .classes = state->classes,
                          .field = state->field,
                          .matrix = state->matrix,
                          .sized = state->sized,
                          .vectors = state->numbers_each > 0};
}

static clup_status prepare(const clup_variant *variant, clup_state *state,
                           const clup_setting *setting, clup_prepared *prepared)
{
    clup_status status = CLUP_OK;
    describe(variant, state, setting->tile, prepared);
    CLUP_TRY(clup_variant_check(variant, state->context, setting));
    CLUP_TRY(clup_buffers_create(state, clup_variant_buffers(variant)));
    CLUP_TRY(build(prepared));
    for (unsigned k = 0; k < CLUP_PREPARED_SCRATCH; k++)
        if (prepared->scratch_bytes[k] > 0)
            CLUP_TRY((variant->kept >> k & 1 ? clup_buffer_create_zero : clup_buffer_create)(
                state->context, prepared->scratch_bytes[k], buffers_of(variant),
                &prepared->scratch[k]));
    prepared->next = state->prepared;
    state->prepared = prepared;
done:
    if (status != CLUP_OK)
        clup_prepared_clear(prepared);
    return status;
}

clup_status clup_prepared_create(const clup_variant *variant, clup_state *state,
                                 const unsigned tile[3], clup_prepared *prepared)
{
    const clup_setting setting = setting_of(state, state->layout, state->method.algorithm, tile);
    return prepare(variant, state, &setting, prepared);
}

clup_status clup_prepared_try(const clup_variant *variant, clup_state *state,
                              const unsigned tile[3])
{
    const clup_setting setting = setting_of(state, state->layout, state->method.algorithm, tile);
    clup_prepared prepared;
    describe(variant, state, tile, &prepared);
    clup_status status = clup_variant_check(variant, state->context, &setting);
    if (status == CLUP_OK)
        status = build(&prepared);
    clup_prepared_clear(&prepared);
    return status;
}

clup_status clup_prepared_check_beside(const clup_variant *variant, const clup_state *state,
                                       const char *labels, const unsigned tile[3])
{
    const clup_setting setting = setting_of(state, clup_layout_beside(state->layout, labels),
                                            variant->algorithm, tile);
    return clup_variant_check(variant, state->context, &setting);
}

clup_status clup_prepared_create_beside(const clup_variant *variant, clup_state *state,
                                        const char *labels, const unsigned tile[3],
                                        clup_prepared *prepared)
{
    const clup_setting setting = setting_of(state, clup_layout_beside(state->layout, labels),
                                            variant->algorithm, tile);
    return prepare(variant, state, &setting, prepared);
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
    /* each sweep of another model is a sample or an image, and writes its sites itself */
    if (clup_model_of(state->model)->runner != CLUP_RUNNER_simulation)
        kept &= ~(1u << CLUP_BUFFER_SPINS);
    for (const clup_prepared *prepared = state->prepared; prepared != NULL;
         prepared = prepared->next) {
        kept |= prepared->variant->kept_buffers;
        for (unsigned k = 0; k < CLUP_PREPARED_KERNELS; k++)
            written |= clup_kernel_buffers(&prepared->variant->kernels[k], CLUP_WRITES);
    }
    for (unsigned k = 0; k < CLUP_BUFFER_KINDS; k++)
        if (written & ~kept & 1u << k)
            CLUP_TRY(clup_buffer_poison(context, clup_buffer_of_state(state, k)));
    for (const clup_prepared *prepared = state->prepared; prepared != NULL;
         prepared = prepared->next)
        for (unsigned k = 0; k < CLUP_PREPARED_SCRATCH; k++)
            if (!(prepared->variant->kept >> k & 1))
                CLUP_TRY(clup_buffer_poison(context, prepared->scratch[k]));
done:
    return status;
}

/* Removes a prepared stage from the list of its state. */
static void forget(const clup_prepared *prepared)
{
    for (clup_prepared **at = &prepared->state->prepared; *at != NULL; at = &(*at)->next)
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
