/* SPDX-License-Identifier: BSD-3-Clause */
/* Does sweeps: runs the stages of a plan one after the other. */
#include "update/update.h"

#include <string.h>

#include "base/watch.h"
#include "core/method.h"
#include "core/model.h"
#include "family/heat.h"
#include "plan/tables.h"

/* Finds the kernel variants of a model's stages: those of the plan, and one that measures; NULL for
 * a stage without one. */
static clup_status rows_of(clup_model model, const clup_layout *layout, const clup_plan *plan,
                           const clup_variant *rows[CLUP_STAGES])
{
    clup_status status = CLUP_OK;
    memset(rows, 0, CLUP_STAGES * sizeof *rows);
    for (const clup_stage *stage = clup_model_of(model)->order; *stage < CLUP_STAGES; stage++) {
        const char *name = *stage < CLUP_MEASURE ? clup_plan_row(plan, *stage) : NULL;
        if (name != NULL)
            CLUP_TRY(clup_table_variant(*stage, name, &rows[*stage]));
        else if (*stage == CLUP_MEASURE)
            rows[*stage] = clup_measuring_variant(model, layout);
    }
done:
    return status;
}

static uint64_t most_streams(const clup_variant *const rows[CLUP_STAGES],
                             const clup_problem *problem)
{
    lattice_args lattice = clup_lattice_args(problem);
    uint64_t most = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_STAGES; stage++) {
        uint64_t streams = rows[stage] != NULL && rows[stage]->streams != NULL
                               ? rows[stage]->streams(&lattice)
                               : 0;
        most = streams > most ? streams : most;
    }
    return most;
}

/* Finds the kernel variants of a plan, and fills in the state that they work on. */
static clup_status describe(clup_context *context, const clup_problem *problem,
                            const clup_method *method, const clup_plan *plan, uint64_t seed,
                            const clup_variant *rows[CLUP_STAGES], clup_state *state)
{
    clup_status status = CLUP_OK;
    const clup_layout *layout = clup_layout_named(plan->bonds);
    if (layout == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "no bond layout '%s'", plan->bonds);
    CLUP_TRY(clup_method_check(problem, method));
    if (method != NULL && method->houdayer > 0 &&
        clup_context_in_parts(context, clup_problem_replicas(problem)))
        return clup_fail(CLUP_ERROR_USAGE, "Houdayer's moves are made in one process");
    CLUP_TRY(rows_of(problem->model, layout, plan, rows));
    CLUP_TRY(clup_state_describe(context, problem, method, layout, most_streams(rows, problem),
                                 seed, state));
done:
    return status;
}

clup_status clup_update_describe(clup_context *context, const clup_problem *problem,
                                 const clup_method *method, const clup_plan *plan,
                                 clup_state *state)
{
    const clup_variant *rows[CLUP_STAGES];
    return describe(context, problem, method, plan, 0, rows, state);
}

/* Whether a sweep is a sample whose clusters the action counts. */
static bool counts(const clup_update *update)
{
    return clup_model_of(update->state.model)->counting == CLUP_ACTION;
}

/* Prepares what a subdomain has besides. */
static clup_status make_subdomain(clup_update *update, const clup_problem *problem,
                                  const clup_plan *plan)
{
    const clup_variant *heat = update->heat.variant, *overrelax = update->overrelax.variant;
    clup_status status = CLUP_OK;
    if (update->state.method.algorithm == CLUP_HEAT_BATH)
        heat = update->prepared[CLUP_ACTION].variant;
    else
        CLUP_TRY(
            clup_interface_create(&update->state, plan->tile, plan->between, &update->interface));
    if (heat != NULL || overrelax != NULL)
        CLUP_TRY(clup_strip_create(&update->state, problem, plan->tile, heat, overrelax,
                                   &update->strip));
done:
    return status;
}

clup_status clup_update_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan *plan, uint64_t seed,
                               clup_update *update)
{
    const clup_variant *rows[CLUP_STAGES];
    clup_status status = CLUP_OK;
    *update = (clup_update){0};
    CLUP_TRY(describe(context, problem, method, plan, seed, rows, &update->state));
    CLUP_TRY(clup_state_create(context, problem, method, update->state.layout,
                               update->state.stream_count, seed, &update->state));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_STAGES; stage++)
        if (rows[stage] != NULL)
            CLUP_TRY(clup_prepared_create(rows[stage], &update->state, plan->tile,
                                          &update->prepared[stage]));
    if (update->state.method.houdayer > 0)
        CLUP_TRY(
            clup_houdayer_create(&update->state, update->prepared, plan->tile, &update->houdayer));
    if (update->state.method.overrelaxation > 0)
        CLUP_TRY(clup_prepared_create_beside(clup_overrelaxation_variant(), &update->state, "spins",
                                             plan->tile, &update->overrelax));
    if (update->state.method.heat_bath > 0)
        CLUP_TRY(clup_prepared_create_beside(clup_heat_variant(&update->state), &update->state,
                                             "spins", plan->tile, &update->heat));
    if (update->state.subdomain.count > 1)
        CLUP_TRY(make_subdomain(update, problem, plan));
    update->state.counting = counts(update);
    if (update->state.subdomain.count > 1 && counts(update))
        CLUP_TRY(clup_interface_make_sizes(&update->interface, plan->tile));
done:
    if (status != CLUP_OK)
        clup_update_clear(update);
    return status;
}

void clup_update_clear(clup_update *update)
{
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_STAGES; stage++)
        clup_prepared_clear(&update->prepared[stage]);
    clup_prepared_clear(&update->heat);
    clup_houdayer_clear(&update->houdayer);
    clup_prepared_clear(&update->overrelax);
    clup_interface_clear(&update->interface);
    clup_strip_clear(&update->strip);
    clup_state_clear(&update->state);
}

clup_status clup_update_set_betas(clup_update *update, const clup_problem *problem)
{
    const clup_status status = clup_state_set_betas(&update->state, problem);
    return status == CLUP_OK && update->strip.exists
               ? clup_state_set_betas(&update->strip.state, problem)
               : status;
}

/* Advances the sweep number of the state. */
static void step(clup_update *update, uint32_t sweeps)
{
    update->state.key = later_key(update->state.key, sweeps);
}

/* Enqueues the stages of a sweep in order, and stops at the stage before, if the sweep has it. */
static clup_status run_stages(clup_update *update, clup_stage before)
{
    const clup_model_row *model = clup_model_of(update->state.model);
    uint32_t *periodic = &update->state.lattice.periodic;
    const uint32_t axes = *periodic;
    clup_status status = CLUP_OK;
    for (const clup_stage *stage = model->order;
         *stage < CLUP_STAGES && *stage != before && status == CLUP_OK; stage++) {
        *periodic = model->open >> *stage & 1 ? 0 : axes;
        if (update->prepared[*stage].variant != NULL)
            status = clup_prepared_run(&update->prepared[*stage]);
    }
    *periodic = axes;
    return status;
}

/* Enqueues the local updates that come before the stages of a sweep. */
static clup_status update_sites(clup_update *update)
{
    clup_status status = CLUP_OK;
    if (update->heat.variant != NULL)
        CLUP_TRY(clup_run_heat_rounds(&update->heat));
    if (update->overrelax.variant != NULL)
        CLUP_TRY(clup_run_overrelaxation(&update->overrelax));
done:
    return status;
}

/* Does the stages of a sweep that finds clusters, in a subdomain. */
static clup_status run_stages_together(clup_update *update)
{
    clup_prepared *action = &update->prepared[CLUP_ACTION];
    clup_status status = CLUP_OK;
    CLUP_TRY(run_stages(update, CLUP_ACTION));
    CLUP_TRY(clup_interface_join(&update->interface));
    if (counts(update))
        CLUP_TRY(clup_interface_begin_sizes(&update->interface));
    CLUP_TRY(clup_prepared_run(action));
    if (counts(update)) {
        CLUP_TRY(clup_interface_count(&update->interface, 0, action->scratch[0]));
        CLUP_TRY(clup_interface_end_sizes(&update->interface));
    }
done:
    return status;
}

/* Does a sweep of a subdomain together with the other processes. No process may end the sweep
 * early. */
static clup_status sweep_together(clup_update *update)
{
    clup_status status = CLUP_OK;
    clup_watch_hold();
    /* sizes of the last sweep that are still to be added up are not to be poisoned */
    if (update->state.context->poison >= 0 && update->interface.state != NULL)
        CLUP_TRY(clup_interface_end_sizes(&update->interface));
    CLUP_TRY(clup_prepared_poison_all(&update->state));
    if (update->strip.exists)
        CLUP_TRY(clup_prepared_poison_all(&update->strip.state));
    CLUP_TRY(update_sites(update));
    CLUP_TRY(update->interface.state != NULL ? run_stages_together(update)
                                             : run_stages(update, CLUP_STAGES));
    step(update, 1);
done:
    clup_watch_release();
    return status;
}

clup_status clup_update_move(clup_update *update)
{
    return update->houdayer.ends.variant != NULL ? clup_houdayer_run(&update->houdayer) : CLUP_OK;
}

clup_status clup_update_sweep(clup_update *update)
{
    if (update->state.subdomain.count > 1)
        return sweep_together(update);
    const bool before = clup_before_sweep(&update->state.method) != NULL;
    clup_status status = clup_prepared_poison_all(&update->state);
    CLUP_TRY(status);
    /* spins change before the stages of the sweep */
    if (before)
        CLUP_TRY(clup_watch_ask());
    if (before)
        clup_watch_hold();
    status = update_sites(update);
    if (status == CLUP_OK)
        status = run_stages(update, CLUP_STAGES);
    if (before)
        clup_watch_release();
    if (status == CLUP_OK)
        step(update, 1);
done:
    return status;
}

bool clup_update_has_many(const clup_update *update)
{
    return update->prepared[CLUP_ACTION].variant->run_many != NULL;
}

clup_status clup_update_many(clup_update *update, unsigned count, cl_mem records, unsigned *done)
{
    clup_prepared *prepared = &update->prepared[CLUP_ACTION];
    clup_status status = CLUP_OK;
    *done = 0;
    CLUP_TRY(clup_prepared_poison_all(&update->state));
    status = prepared->variant->run_many(prepared, count, records, done);
    step(update, *done);
done:
    return status;
}
