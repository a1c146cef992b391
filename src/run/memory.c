/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a simulation allocates on the device. */
#include "base/dtype.h"
#include "family/heat.h"
#include "family/houdayer.h"
#include "family/measure.h"
#include "run/measure.h"
#include "plan/tables.h"
#include "update/update.h"

clup_status clup_simulation_memory(clup_context *context, const clup_problem *problem,
                                   const clup_method *method, const clup_plan *plan,
                                   clup_memory *memory)
{
    clup_need need = {0};
    clup_state state;
    clup_plan settled;
    const clup_variant *heat = NULL, *overrelax = NULL;
    bool measured = false; /* the sweep measures */
    clup_status status = CLUP_OK;
    CLUP_NEED(context);
    CLUP_NEED(memory);
    CLUP_TRY(clup_plan_settle(context, problem, method, plan, &settled));
    CLUP_TRY(clup_update_describe(context, problem, method, &settled, &state));
    clup_state_need(&state, &need);
    if (state.of_image != NULL) {
        const clup_problem pixels = clup_layout_problem(NULL, problem);
        clup_need_add(&need,
                      clup_problem_sites(&pixels) * problem->image->channels *
                          clup_dtypes[problem->image->dtype].bytes,
                      "the pixels");
        clup_need_add(&need, 4 * clup_problem_sites(&pixels), "the labels of pixels");
    } else
        for (unsigned k = 0; k < CLUP_MEASURE_COMING; k++)
            clup_need_add(&need, clup_measure_bytes(&state, clup_measure_all(&state)),
                          "the records");
    for (clup_stage stage = CLUP_SOURCE; stage <= CLUP_MEASURE; stage++) {
        const char *name = stage < CLUP_MEASURE ? clup_plan_row(&settled, stage) : NULL;
        const clup_variant *variant = stage == CLUP_MEASURE && !measured
                                          ? clup_measuring_variant(problem->model, state.layout)
                                          : NULL;
        if (name != NULL)
            CLUP_TRY(clup_table_variant(stage, name, &variant));
        if (variant != NULL)
            clup_prepared_need(variant, &state, settled.tile, &need);
        measured = measured || (variant != NULL && variant->run_many != NULL);
    }
    if (state.method.houdayer > 0)
        clup_houdayer_need(&state, settled.tile, &need);
    if (state.method.overrelaxation > 0)
        clup_prepared_need(overrelax = clup_overrelaxation_variant(), &state, settled.tile, &need);
    if (state.method.heat_bath > 0)
        clup_prepared_need(heat = clup_heat_variant(&state), &state, settled.tile, &need);
    if (state.method.algorithm == CLUP_HEAT_BATH)
        CLUP_TRY(clup_table_variant(CLUP_ACTION, clup_plan_row(&settled, CLUP_ACTION), &heat));
    else if (state.subdomain.count > 1)
        CLUP_TRY(clup_interface_need(&state, settled.tile, settled.between, &need));
    if (state.subdomain.count > 1 && (heat != NULL || overrelax != NULL))
        CLUP_TRY(clup_strip_need(&state, problem, settled.tile, heat, overrelax, &need));
    *memory = (clup_memory){
        .bytes = need.bytes,
        .largest = need.largest,
        .what = need.what,
        .device_bytes = context->global_mem,
        .device_largest = context->max_alloc,
        .fits = need.largest <= context->max_alloc && need.bytes <= context->global_mem,
    };
done:
    return status;
}
