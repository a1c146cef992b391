/* Chains the stages of a plan into sweeps. */
#include "update/update.h"

#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "label/seams.h"
#include "model/model.h"
#include "plan/tables.h"

/* The rows of a model's stages: a plan's, and what measures; NULL where there is none. */
static clup_status rows_of(clup_model model, const clup_layout *layout, const clup_plan *plan,
                           const clup_row *rows[CLUP_STAGES])
{
    clup_status status = CLUP_OK;
    memset(rows, 0, CLUP_STAGES * sizeof *rows);
    for (const clup_stage *stage = clup_model_of(model)->order; *stage < CLUP_STAGES; stage++) {
        const char *name = *stage < CLUP_MEASURE ? clup_plan_row(plan, *stage) : NULL;
        if (name != NULL)
            CLUP_TRY(clup_table_row(*stage, name, &rows[*stage]));
        else if (*stage == CLUP_MEASURE)
            rows[*stage] = clup_measuring_row(model, layout);
    }
done:
    return status;
}

static uint64_t most_streams(const clup_row *const rows[CLUP_STAGES], const clup_problem *problem)
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

/* The rows of a plan and the state they work on. */
static clup_status describe(clup_context *context, const clup_problem *problem,
                            const clup_method *method, const clup_plan *plan, uint64_t seed,
                            const clup_row *rows[CLUP_STAGES], clup_state *state)
{
    clup_status status = CLUP_OK;
    const clup_layout *layout = clup_layout_named(plan->bonds);
    if (layout == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "no bond layout '%s'", plan->bonds);
    CLUP_TRY(clup_method_check(problem, method));
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
    const clup_row *rows[CLUP_STAGES];
    return describe(context, problem, method, plan, 0, rows, state);
}

/* Room for the words of all parts, and after them for its own. */
static clup_status make_seams(clup_update *update, const unsigned tile[3])
{
    const clup_state *state = &update->state;
    const clup_row *row = clup_seams_row(state->layout);
    if (row == NULL || state->method.algorithm != CLUP_SWENDSEN_WANG || state->rng->words > 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "parts of a lattice are for Swendsen-Wang with philox, not with %s bonds",
                         state->layout->name);
    const clup_status status = clup_seams_check(state);
    if (status != CLUP_OK)
        return status;
    update->words = malloc((state->part.count + 1) * clup_seams_bytes(state));
    if (update->words == NULL)
        return clup_fail_memory("the seams of parts");
    return clup_pass_create(row, &update->state, tile, &update->seams);
}

clup_status clup_update_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan *plan, uint64_t seed,
                               clup_update *update)
{
    const clup_row *rows[CLUP_STAGES];
    clup_status status = CLUP_OK;
    *update = (clup_update){0};
    CLUP_TRY(describe(context, problem, method, plan, seed, rows, &update->state));
    CLUP_TRY(clup_state_create(context, problem, method, update->state.layout,
                               update->state.stream_count, seed, &update->state));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_STAGES; stage++)
        if (rows[stage] != NULL)
            CLUP_TRY(
                clup_pass_create(rows[stage], &update->state, plan->tile, &update->passes[stage]));
    if (update->state.part.count > 1)
        CLUP_TRY(make_seams(update, plan->tile));
done:
    if (status != CLUP_OK)
        clup_update_clear(update);
    return status;
}

void clup_update_clear(clup_update *update)
{
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_STAGES; stage++)
        clup_pass_clear(&update->passes[stage]);
    clup_pass_clear(&update->seams);
    free(update->words);
    update->words = NULL;
    clup_state_clear(&update->state);
}

/* The number of the sweep that is next. */
static void step(clup_update *update, uint32_t sweeps)
{
    update->state.key = later_key(update->state.key, sweeps);
}

/* Enqueues the stages of a sweep from one of the model's order on to the one that is last, or to
 * the end. */
static clup_status run_stages(clup_update *update, const clup_stage *stage, clup_stage last)
{
    const clup_model_row *model = clup_model_of(update->state.model);
    uint32_t *periodic = &update->state.lattice.periodic;
    const uint32_t axes = *periodic;
    clup_status status = CLUP_OK;
    for (; *stage < CLUP_STAGES && *stage <= last && status == CLUP_OK; stage++) {
        *periodic = model->open >> *stage & 1 ? 0 : axes;
        if (update->passes[*stage].row != NULL)
            status = clup_pass_run(&update->passes[*stage]);
    }
    *periodic = axes;
    return status;
}

clup_status clup_update_part(clup_update *update, void *words)
{
    const clup_status status = run_stages(update, clup_model_of(update->state.model)->order,
                                          CLUP_CONSOLIDATE);
    return status == CLUP_OK ? clup_seams_take(&update->seams, words) : status;
}

clup_status clup_update_parts(clup_update *update, const void *words)
{
    clup_status status = CLUP_OK;
    clup_watch_hold();
    CLUP_TRY(clup_seams_give(&update->seams, words));
    CLUP_TRY(clup_pass_run(&update->passes[CLUP_ACTION]));
    step(update, 1);
done:
    clup_watch_release();
    return status;
}

/* A sweep of a part together with the other processes, none of which may end it. */
static clup_status sweep_together(clup_update *update)
{
    const clup_ranks *ranks = update->state.context->ranks;
    const uint64_t bytes = clup_seams_bytes(&update->state);
    char *const mine = (char *)update->words + ranks->count * bytes;
    clup_status status = CLUP_OK;
    clup_watch_hold();
    CLUP_TRY(clup_update_part(update, mine));
    CLUP_TRY(ranks->gather(ranks, mine, bytes, update->words));
    CLUP_TRY(clup_update_parts(update, update->words));
done:
    clup_watch_release();
    return status;
}

clup_status clup_update_sweep(clup_update *update)
{
    if (update->seams.row != NULL)
        return sweep_together(update);
    const clup_status status = run_stages(update, clup_model_of(update->state.model)->order,
                                          CLUP_STAGES);
    if (status == CLUP_OK)
        step(update, 1);
    return status;
}

bool clup_update_has_many(const clup_update *update)
{
    return update->passes[CLUP_ACTION].row->run_many != NULL;
}

clup_status clup_update_many(clup_update *update, unsigned count, cl_mem records, unsigned *done)
{
    clup_pass *pass = &update->passes[CLUP_ACTION];
    clup_status status = pass->row->run_many(pass, count, records, done);
    step(update, *done);
    return status;
}
