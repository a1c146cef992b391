/* What a simulation allocates on the device. */
#include "observe/measure.h"
#include "plan/tables.h"
#include "update/update.h"

clup_status clup_simulation_bytes(clup_context *context, const clup_problem *problem, const clup_method *method, const clup_plan *plan, uint64_t *bytes)
{
    clup_state state;
    clup_plan settled;
    bool kernels = true; /* that measure */
    clup_status status = CLUP_OK;
    CLUP_NEED(context);
    CLUP_NEED(bytes);
    CLUP_TRY(clup_plan_settle(context, problem, method, plan, &settled));
    CLUP_TRY(clup_update_describe(context, problem, method, &settled, &state));
    *bytes = clup_state_bytes(&state) + clup_measure_bytes(&state);
    for (clup_stage stage = CLUP_SOURCE; stage <= CLUP_MEASURE; stage++) {
        const char *name = stage < CLUP_MEASURE ? clup_plan_row(&settled, stage) : NULL;
        const clup_row *row = stage == CLUP_MEASURE && kernels ? clup_measure_row(&state) : NULL;
        if (name != NULL)
            CLUP_TRY(clup_table_row(stage, name, &row));
        if (row != NULL)
            *bytes += clup_pass_bytes(row, &state, settled.tile);
        kernels = kernels && (row == NULL || row->run_many == NULL);
    }
done:
    return status;
}
