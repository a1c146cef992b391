/* Engines and known-answer tests, by what runs a model. */
#include "run/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
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

clup_status clup_engine_any(const clup_engine *engine, bool here, bool *any)
{
    uint64_t count = here;
    const clup_status status = engine->ranks != NULL ? engine->ranks->sum(engine->ranks, &count, 1)
                                                     : CLUP_OK;
    *any = count > 0;
    return status;
}

clup_status clup_engine_agree(const clup_engine *engine, unsigned count, unsigned *sweeps,
                              unsigned *done)
{
    uint64_t least = count;
    bool ends = false;
    clup_status status = CLUP_OK;
    *done = 0;
    CLUP_TRY(clup_engine_any(engine, clup_watch_ask() != CLUP_OK, &ends));
    if (ends)
        return clup_watch_end();
    CLUP_TRY(engine->ranks->least(engine->ranks, &least, 1));
    *sweeps = (unsigned)least;
done:
    return status;
}

clup_common clup_rows_in_common(uint64_t a, uint64_t a_count, uint64_t b, uint64_t b_count)
{
    const uint64_t first = a > b ? a : b,
                   end = a + a_count < b + b_count ? a + a_count : b + b_count;
    return first < end ? (clup_common){end - first, first - a, first - b} : (clup_common){0};
}

clup_status clup_engine_agree_on(const clup_engine *engine, clup_status status)
{
    uint64_t least = status != CLUP_OK ? status : UINT64_MAX;
    if (engine->ranks == NULL)
        return status;
    const clup_status asked = engine->ranks->least(engine->ranks, &least, 1);
    if (status != CLUP_OK || asked != CLUP_OK)
        return status != CLUP_OK ? status : asked;
    return least == UINT64_MAX ? CLUP_OK
                               : clup_fail((clup_status)least, "another process has failed");
}

clup_status clup_engine_put_together(const clup_engine *engine, clup_status status, uint8_t *bytes,
                                     uint64_t count)
{
    const uint64_t words = (count + 7) / 8;
    uint64_t *sums = calloc(words, sizeof *sums);
    if (sums == NULL && status == CLUP_OK)
        status = clup_fail_memory("the spins");
    CLUP_TRY(clup_engine_agree_on(engine, status));
    memcpy(sums, bytes, count);
    CLUP_TRY(engine->ranks->sum(engine->ranks, sums, words));
    memcpy(bytes, sums, count);
done:
    free(sums);
    return status;
}
