/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of all stages. */
#include "plan/tables.h"

#include <stddef.h>
#include <string.h>

#include "base/sha256.h"
#include "base/text.h"
#include "family/family.h"
#include "family/measure.h"
#include "core/model.h"
#include "core/source.h"
#include "program.h"

clup_status clup_table_variant(clup_stage stage, const char *name, const clup_variant **row)
{
    const clup_table *table = clup_table_of(stage);
    if (table == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "stage %d has no kernels to choose from", (int)stage);
    if ((*row = clup_table_find(table, name)) != NULL)
        return CLUP_OK;
    clup_text known = {0};
    for (size_t k = 0; k < table->count; k++)
        clup_text_add(&known, "%s%s", k > 0 ? ", " : "", table->variants[k].name);
    clup_fail(CLUP_ERROR_USAGE, "no %s kernel '%s'; there is %s", clup_stage_name(stage), name,
              clup_text_ok(&known) ? known.data : "?");
    clup_text_free(&known);
    return CLUP_ERROR_USAGE;
}

clup_serial *clup_table_serial(clup_stage stage, const clup_variant *variant,
                               const clup_setting *setting)
{
    const clup_table *table = clup_table_of(stage);
    clup_setting plain = *setting;
    if (variant != NULL && variant->serial != NULL)
        return variant->serial;
    /* for any size */
    plain.lattice.nx = plain.lattice.ny = plain.lattice.nz = plain.lattice.words = 1;
    plain.replicas = 1;
    if (clup_generator_named(NULL, &plain.rng) != CLUP_OK)
        return NULL;
    for (size_t k = 0; k < table->count; k++) {
        /* and for any layout */
        const clup_layout *only = clup_variant_layout(&table->variants[k]);
        plain.layout = only != NULL
                           ? only
                           : clup_layout_named(setting->vectors ? "vectors"
                                               : setting->lattice.kind == CLUP_LATTICE_GRAPH
                                                   ? "graph"
                                                   : "word");
        if (table->variants[k].serial != NULL &&
            clup_variant_check(&table->variants[k], NULL, &plain) == CLUP_OK)
            return table->variants[k].serial;
    }
    return NULL;
}

clup_status clup_variant_hash(const clup_variant *variant, char hex[CLUP_SOURCE_HASH])
{
    char file[CLUP_NAME_MOST], entry[CLUP_NAME_MOST], whole[65];
    clup_sha256_state hash;
    clup_status status = CLUP_OK;
    clup_sha256_start(&hash);
    for (unsigned k = 0; clup_variant_kernel_names(variant, k, file, entry); k++) {
        if ((status = clup_source_hash(file, hex)) != CLUP_OK)
            return status;
        clup_sha256_add(&hash, hex, CLUP_SOURCE_HASH);
        clup_sha256_add(&hash, entry, strlen(entry) + 1);
    }
    clup_sha256_finish(&hash, whole);
    memcpy(hex, whole, CLUP_SOURCE_HASH - 1);
    hex[CLUP_SOURCE_HASH - 1] = '\0';
    return CLUP_OK;
}

bool clup_variant_has_tiles(const clup_variant *variant)
{
    return (variant->stage == CLUP_LOCAL || variant->stage == CLUP_CONSOLIDATE) &&
           variant->shape == NULL;
}

/* Adds to reads and writes the device buffers that a stage's variants for a model and a layout read
 * before they write them, and those that they write. For actions, takes the variants of an
 * algorithm, or of any. */
static void add_uses(clup_stage stage, clup_model model, const clup_layout *layout, int algorithm,
                     uint32_t *reads, uint32_t *writes)
{
    const clup_table *table = clup_table_of(stage);
    for (const clup_variant *variant = table->variants; variant < table->variants + table->count;
         variant++) {
        uint32_t written = 0;
        if (!clup_variant_is_for(variant, model) || !clup_variant_suits(variant, layout) ||
            (algorithm >= 0 && variant->algorithm != (clup_algorithm)algorithm))
            continue;
        for (unsigned k = 0; k < CLUP_PREPARED_KERNELS; k++) {
            *reads |= clup_kernel_buffers(&variant->kernels[k], CLUP_READS) & ~written;
            written |= clup_kernel_buffers(&variant->kernels[k], CLUP_WRITES);
        }
        *writes |= written;
    }
}

/* Goes back from the action: a stage exists when a later stage reads something that it writes. */
bool clup_stage_exists(clup_model model, clup_algorithm algorithm, const clup_layout *layout,
                       clup_stage stage)
{
    const uint32_t before = clup_model_of(model)->there;
    uint32_t reads = 0, writes = 0;
    if (stage >= CLUP_ACTION)
        return stage == CLUP_ACTION;
    add_uses(CLUP_ACTION, model, layout, (int)algorithm, &reads, &writes);
    if (writes == 0)
        add_uses(CLUP_ACTION, model, layout, -1, &reads, &writes);
    for (int s = CLUP_CONSOLIDATE; s >= (int)stage; s--) {
        uint32_t more = 0;
        writes = 0;
        add_uses((clup_stage)s, model, layout, -1, &more, &writes);
        const bool exists = (writes & reads & ~before) != 0;
        if (s == (int)stage)
            return exists;
        reads |= exists ? more : 0;
    }
    return false;
}

bool clup_layout_is_for(const clup_layout *layout, clup_model model)
{
    for (const clup_variant *variant = clup_actions.variants;
         variant < clup_actions.variants + clup_actions.count; variant++)
        if (clup_variant_is_for(variant, model) && clup_variant_suits(variant, layout))
            return true;
    return false;
}

const clup_variant *clup_measuring_variant(clup_model model, const clup_layout *layout)
{
    return clup_model_of(model)->counting < CLUP_STAGES
               ? clup_measure_variant(model, layout, true, UINT32_MAX)
               : NULL;
}

const clup_variant *clup_counting_variant(clup_model model, const clup_layout *layout)
{
    if (clup_model_of(model)->counting != CLUP_ACTION)
        return clup_measuring_variant(model, layout);
    for (const clup_variant *variant = clup_actions.variants;
         variant < clup_actions.variants + clup_actions.count; variant++)
        if (clup_variant_is_for(variant, model) && clup_variant_suits(variant, layout))
            return variant;
    return NULL;
}

const char *clup_plan_row(const clup_plan *plan, clup_stage stage)
{
    const char *const names[CLUP_MEASURE] = {
        [CLUP_SOURCE] = plan->source,
        [CLUP_LOCAL] = plan->local,
        [CLUP_CONSOLIDATE] = plan->consolidate,
        [CLUP_ACTION] = plan->action,
    };
    return names[stage];
}

const char **clup_request_row(clup_plan_request *request, clup_stage stage)
{
    const char **const names[CLUP_MEASURE] = {
        [CLUP_SOURCE] = &request->source,
        [CLUP_LOCAL] = &request->local,
        [CLUP_CONSOLIDATE] = &request->consolidate,
        [CLUP_ACTION] = &request->action,
    };
    return names[stage];
}

const char *clup_kernel_name(clup_stage stage, size_t row)
{
    const clup_table *table = clup_table_of(stage);
    return table != NULL && row < table->count ? table->variants[row].name : NULL;
}

const char *clup_kernel_about(clup_stage stage, size_t row)
{
    const clup_table *table = clup_table_of(stage);
    return table != NULL && row < table->count ? table->variants[row].about : NULL;
}

int clup_kernel_scope_of(clup_stage stage, size_t k, clup_kernel_scope *scope)
{
    const clup_table *table = clup_table_of(stage);
    if (scope == NULL || table == NULL || k >= table->count)
        return 0;
    const clup_variant *variant = &table->variants[k];
    *scope = (clup_kernel_scope){
        .models = variant->models > 0 ? variant->models : CLUP_ON_SPINS,
        .algorithm = variant->algorithm,
        .bonds = clup_variant_layout(variant) != NULL ? clup_variant_layout(variant)->name : NULL,
        .q_max = variant->q_max,
        .philox = variant->philox,
        .replicas = variant->replicas,
    };
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICES; lattice++)
        if ((!variant->square || lattice == CLUP_LATTICE_SQUARE) &&
            (variant->axes == 0 || clup_lattice_axes(lattice) == variant->axes))
            scope->lattices |= 1u << lattice;
    return 1;
}

int clup_kernel_has_tiles(clup_stage stage, size_t row)
{
    const clup_table *table = clup_table_of(stage);
    return table != NULL && row < table->count && clup_variant_has_tiles(&table->variants[row]);
}
