/* Engines and known-answer tests, by what runs a model. */
#include "run/engine.h"

#include "core/model.h"
#include "label/labelling.h"

clup_status clup_verify(clup_context *context, const clup_problem *problem,
                        const clup_method *method, const clup_plan *plan)
{
    static clup_known_answer *const tests[CLUP_MODELS] = {
#define MODEL(NAME, TEXT, CALLED, RUNNER, ...) [CLUP_##NAME] = clup_##RUNNER##_verify,
#include "core/model.def"
    };
    return tests[problem->model](context, problem, method, plan);
}

clup_status clup_engine_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, clup_plan *plan, uint64_t seed,
                               clup_engine **engine)
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
    if (context == NULL)
        return makers[runner].host(NULL, problem, method, plan, seed, engine);
    /* kernels are tested by this process alone, on what it has */
    const clup_ranks *ranks = context->ranks;
    const bool in_parts = clup_context_in_parts(context, clup_problem_replicas(problem)),
               spread = ranks != NULL && ranks->count > 1 && !in_parts;
    clup_problem here = *problem;
    clup_part part;
    clup_status status = clup_part_here(context, problem, &part);
    if (status == CLUP_OK)
        here = clup_part_problem(problem, &part);
    if (spread)
        here.replicas = (here.replicas - 1) / ranks->count + 1;
    context->ranks = NULL;
    if (status == CLUP_OK)
        status = clup_plan_prove(context, &here, method, clup_verify, plan);
    context->ranks = ranks;
    if (status == CLUP_OK && spread)
        return makers[runner].spread(context, problem, method, plan, seed, engine);
    return status == CLUP_OK ? makers[runner].device(context, problem, method, plan, seed, engine)
                             : status;
}
