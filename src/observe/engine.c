/* Engines and known-answer tests, by what runs a model. */
#include "observe/engine.h"

#include "model/model.h"
#include "update/labelling.h"

clup_status clup_verify(clup_context *context, const clup_problem *problem,
                        const clup_method *method, const clup_plan *plan)
{
    static clup_known_answer *const tests[CLUP_MODELS] = {
#define MODEL(NAME, TEXT, CALLED, RUNNER, ...) [CLUP_##NAME] = clup_##RUNNER##_verify,
#include "model/model.def"
    };
    return tests[problem->model](context, problem, method, plan);
}

clup_status clup_engine_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, clup_plan *plan, uint64_t seed,
                               clup_engine **engine)
{
    static const struct {
        clup_engine_maker *device, *host;
    } makers[] = {
        [CLUP_RUNNER_simulation] = {clup_engine_simulation_device, clup_engine_simulation_host},
        [CLUP_RUNNER_percolation] = {clup_engine_percolation_device, clup_engine_percolation_host},
    };
    const clup_runner runner = clup_model_of(problem->model)->runner;
    if (context == NULL)
        return makers[runner].host(NULL, problem, method, plan, seed, engine);
    const clup_status status = clup_plan_prove(context, problem, method, clup_verify, plan);
    return status == CLUP_OK ? makers[runner].device(context, problem, method, plan, seed, engine)
                             : status;
}
