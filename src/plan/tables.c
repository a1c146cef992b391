/* The tables of all stages. */
#include "plan/tables.h"

#include "base/text.h"
#include "label/label.h"
#include "model/source.h"

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

clup_status clup_table_row(clup_stage stage, const char *name, const clup_row **row)
{
    const clup_table *table = clup_table_of(stage);
    if ((*row = clup_table_find(table, name)) != NULL)
        return CLUP_OK;
    clup_text known = {0};
    for (size_t k = 0; k < table->count; k++)
        clup_text_add(&known, "%s%s", k > 0 ? ", " : "", table->rows[k].name);
    clup_fail(CLUP_ERROR_USAGE, "no %s kernel '%s'; there is %s", clup_stage_name(stage), name, clup_text_ok(&known) ? known.data : "?");
    clup_text_free(&known);
    return CLUP_ERROR_USAGE;
}

const char *clup_kernel_name(clup_stage stage, size_t row)
{
    const clup_table *table = clup_table_of(stage);
    return table != NULL && row < table->count ? table->rows[row].name : NULL;
}

const char *clup_kernel_about(clup_stage stage, size_t row)
{
    const clup_table *table = clup_table_of(stage);
    return table != NULL && row < table->count ? table->rows[row].about : NULL;
}
