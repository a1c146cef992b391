/* Chains the stages of a plan into sweeps. */
#include "update/swendsen_wang.h"

#include "plan/tables.h"

clup_status clup_sw_create(clup_context *context, const clup_problem *problem, const clup_plan *plan, uint64_t seed, clup_sw *sw)
{
    const char *const names[CLUP_MEASURE] = {
        [CLUP_SOURCE] = plan->source,
        [CLUP_LOCAL] = plan->local,
        [CLUP_CONSOLIDATE] = plan->consolidate,
        [CLUP_ACTION] = plan->action,
    };
    clup_status status = CLUP_OK;
    *sw = (clup_sw){0};
    const clup_layout *layout = clup_layout_named(plan->bonds);
    if (layout == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "no bond layout '%s'", plan->bonds);
    CLUP_TRY(clup_state_create(context, problem, layout, seed, &sw->state));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_row *row;
        CLUP_TRY(clup_table_row(stage, names[stage], &row));
        CLUP_TRY(clup_pass_create(row, &sw->state, plan->tile, &sw->passes[stage]));
    }
done:
    if (status != CLUP_OK)
        clup_sw_clear(sw);
    return status;
}

void clup_sw_clear(clup_sw *sw)
{
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        clup_pass_clear(&sw->passes[stage]);
    clup_state_clear(&sw->state);
}

clup_status clup_sw_sweep(clup_sw *sw)
{
    clup_status status = CLUP_OK;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && status == CLUP_OK; stage++)
        status = sw->passes[stage].row->run(&sw->passes[stage]);
    if (++sw->state.key.sweep0 == 0)
        sw->state.key.sweep1++;
    return status;
}
