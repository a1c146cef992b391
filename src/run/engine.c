/* SPDX-License-Identifier: BSD-3-Clause */
/* Engines and known-answer tests, chosen by how a model is run. */
#include "run/engine.h"

#include "core/model.h"
#include "label/labelling.h"
#include "plan/tables.h"

clup_status clup_verify(clup_context *context, const clup_problem *problem,
                        const clup_method *method, const clup_plan *plan)
{
    static clup_known_answer *const tests[CLUP_MODELS] = {
#define MODEL(NAME, TEXT, CALLED, RUNNER, ...) [CLUP_##NAME] = clup_##RUNNER##_verify,
#include "core/model.def"
    };
    return tests[problem->model](context, problem, method, plan);
}

/* Settles the plan. Then tests its kernels on this process's own problem, without the other
 * processes. */
static clup_status settle(clup_context *context, const clup_problem *problem,
                          const clup_method *method, bool spread, const clup_plan *given,
                          clup_plan *plan)
{
    const clup_ranks *ranks = context->ranks;
    clup_subdomain part;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_plan_settle(context, problem, method, given, plan));
    CLUP_TRY(clup_subdomain_here(context, problem, &part));
    clup_problem here = clup_subdomain_problem(problem, &part);
    if (spread)
        here.replicas = (here.replicas - 1) / ranks->count + 1;
    context->ranks = NULL;
    status = clup_plan_validate(context, &here, method, clup_verify, plan);
    context->ranks = ranks;
done:
    return status;
}

clup_status clup_engine_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan *given, uint64_t seed,
                               clup_plan *plan, clup_engine **engine)
{
    static const struct {
        clup_engine_maker *device, *host, *spread;
    } makers[] = {
        [CLUP_RUNNER_simulation] = {clup_engine_simulation_device, clup_engine_simulation_host,
                                    clup_engine_simulation_spread},
        [CLUP_RUNNER_percolation] = {clup_engine_percolation_device, clup_engine_percolation_host,
                                     clup_engine_percolation_spread},
    };
    const clup_runner runner = clup_model_of(problem->model)->runner;
    clup_status status = CLUP_OK;
    if (context == NULL) {
        if (given != NULL)
            CLUP_TRY(CLUP_RESERVED(given, "clup_plan"));
        *plan = (clup_plan){.source = given != NULL ? given->source : NULL};
        return makers[runner].host(NULL, problem, method, plan, seed, engine);
    }
    const bool spread = context->ranks != NULL && context->ranks->count > 1 &&
                        !clup_context_in_parts(context, clup_problem_replicas(problem));
    CLUP_TRY(settle(context, problem, method, spread, given, plan));
    status = (spread ? makers[runner].spread : makers[runner].device)(context, problem, method,
                                                                      plan, seed, engine);
done:
    return status;
}
