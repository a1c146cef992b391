/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of all stages, made of the kernel variants of all families. */
#include "family/bands.h"
#include "family/border.h"
#include "family/family.h"
#include "family/graph.h"
#include "family/heat.h"
#include "family/houdayer.h"
#include "family/image.h"
#include "family/measure.h"
#include "family/paper.h"
#include "family/resident.h"
#include "family/shared.h"
#include "family/sites.h"
#include "family/vector.h"
#include "family/wraps_pairs.h"
#include "core/source.h"
#include "resident/resident.clh"

/* clang-format off */
#define ROW(STAGE, NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = STAGE, __VA_ARGS__},
#define SOURCE(...)
#define LOCAL(...)
#define CONSOLIDATE(...)
#define ACTION(...)
#define MEASURE(...)
#define MOVE(...)
/* clang-format on */

static const clup_variant sources[] = {
#undef SOURCE
#define SOURCE(NAME, ABOUT, ...) ROW(CLUP_SOURCE, NAME, ABOUT, __VA_ARGS__)
#include "family/families.def"
#undef SOURCE
#define SOURCE(...)
};

static const clup_variant locals[] = {
#undef LOCAL
#define LOCAL(NAME, ABOUT, ...) \
    ROW(CLUP_LOCAL, NAME, ABOUT, .serial = clup_serial_labels, __VA_ARGS__)
#include "family/families.def"
#undef LOCAL
#define LOCAL(...)
};

static const clup_variant consolidations[] = {
#undef CONSOLIDATE
#define CONSOLIDATE(NAME, ABOUT, ...) ROW(CLUP_CONSOLIDATE, NAME, ABOUT, __VA_ARGS__)
#include "family/families.def"
#undef CONSOLIDATE
#define CONSOLIDATE(...)
};

static const clup_variant actions[] = {
#undef ACTION
#define ACTION(NAME, ABOUT, ...) ROW(CLUP_ACTION, NAME, ABOUT, __VA_ARGS__)
#include "family/families.def"
#undef ACTION
#define ACTION(...)
};

static const clup_variant measures[] = {
#undef MEASURE
#define MEASURE(NAME, ABOUT, ...) ROW(CLUP_MEASURE, NAME, ABOUT, __VA_ARGS__)
#include "family/families.def"
#undef MEASURE
#define MEASURE(...)
};

static const clup_variant moves[] = {
#undef MOVE
#define MOVE(NAME, ABOUT, ...) ROW(CLUP_ACTION, NAME, ABOUT, __VA_ARGS__)
#include "family/families.def"
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
const clup_table clup_sources = {sources, COUNT(sources)}, clup_locals = {locals, COUNT(locals)},
                 clup_consolidations = {consolidations, COUNT(consolidations)},
                 clup_actions = {actions, COUNT(actions)};

const clup_table *clup_table_of(clup_stage stage)
{
    static const clup_table *const tables[CLUP_STAGES] = {
        [CLUP_SOURCE] = &clup_sources,
        [CLUP_LOCAL] = &clup_locals,
        [CLUP_CONSOLIDATE] = &clup_consolidations,
        [CLUP_ACTION] = &clup_actions,
    };
    return (unsigned)stage < CLUP_STAGES ? tables[stage] : NULL;
}

/* Whether a kernel variant measures what a layout stores. Those for lattices, which name no bonds,
 * would find graphs without any. */
static bool suits(const clup_variant *variant, const clup_layout *layout)
{
    return clup_variant_suits(variant, layout) &&
           (!clup_layout_of_graphs(layout) || variant->bonds != NULL);
}

const clup_variant *clup_measure_variant(clup_model model, const clup_layout *layout, bool periodic,
                                         uint32_t stores)
{
    for (const clup_variant *variant = measures; variant < measures + COUNT(measures); variant++)
        if (variant->group == 0 && clup_variant_is_for(variant, model) && suits(variant, layout) &&
            (periodic || !variant->across) && (clup_variant_buffers(variant) & ~stores) == 0)
            return variant;
    return NULL;
}

const clup_variant *clup_measure_group_variant(uint32_t group, const clup_layout *layout)
{
    for (const clup_variant *variant = measures; variant < measures + COUNT(measures); variant++)
        if (variant->group == group && suits(variant, layout))
            return variant;
    return NULL;
}

const clup_variant *clup_heat_variant(const clup_state *state)
{
    const bool bits = state->q == 2 && state->classes == 1 && !state->matrix && !state->sized;
    return clup_table_find(&clup_actions, state->numbers_each > 0 ? "heat_vectors"
                                          : bits                  ? "heat_bits"
                                                                  : "heat_bath");
}

static const clup_table move_table = {moves, COUNT(moves)};

const clup_variant *clup_houdayer_variant(void)
{
    return clup_table_find(&move_table, "houdayer");
}

const clup_variant *clup_overrelaxation_variant(void)
{
    return clup_table_find(&move_table, "overrelax");
}
