/* The tables of all stages, made of the rows of all families. */
#include "family/bands.h"
#include "family/border.h"
#include "family/family.h"
#include "family/image.h"
#include "family/measure.h"
#include "family/paper.h"
#include "family/resident.h"
#include "family/rows.h"
#include "family/sites.h"
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
/* clang-format on */

static const clup_row sources[] = {
#undef SOURCE
#define SOURCE(NAME, ABOUT, ...) ROW(CLUP_SOURCE, NAME, ABOUT, __VA_ARGS__)
#include "family/families.def"
#undef SOURCE
#define SOURCE(...)
};

static const clup_row locals[] = {
#undef LOCAL
#define LOCAL(NAME, ABOUT, ...) \
    ROW(CLUP_LOCAL, NAME, ABOUT, .serial = clup_serial_labels, __VA_ARGS__)
#include "family/families.def"
#undef LOCAL
#define LOCAL(...)
};

static const clup_row consolidations[] = {
#undef CONSOLIDATE
#define CONSOLIDATE(NAME, ABOUT, ...) ROW(CLUP_CONSOLIDATE, NAME, ABOUT, __VA_ARGS__)
#include "family/families.def"
#undef CONSOLIDATE
#define CONSOLIDATE(...)
};

static const clup_row actions[] = {
#undef ACTION
#define ACTION(NAME, ABOUT, ...) ROW(CLUP_ACTION, NAME, ABOUT, __VA_ARGS__)
#include "family/families.def"
#undef ACTION
#define ACTION(...)
};

static const clup_row measures[] = {
#undef MEASURE
#define MEASURE(NAME, ABOUT, ...) ROW(CLUP_MEASURE, NAME, ABOUT, __VA_ARGS__)
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

const clup_row *clup_measure_row(clup_model model, const clup_layout *layout, bool periodic,
                                 uint32_t stores)
{
    for (const clup_row *row = measures; row < measures + COUNT(measures); row++)
        if (row->group == 0 && clup_row_is_for(row, model) && clup_row_suits(row, layout) &&
            (periodic || !row->across) && (clup_row_stores(row) & ~stores) == 0)
            return row;
    return NULL;
}

const clup_row *clup_measure_group_row(uint32_t group, const clup_layout *layout)
{
    for (const clup_row *row = measures; row < measures + COUNT(measures); row++)
        if (row->group == group && clup_row_suits(row, layout))
            return row;
    return NULL;
}
