/* SPDX-License-Identifier: BSD-3-Clause */
/* Validates that clup bench can time what it was asked for. */
#include "cli/bench/bench.h"

#include <string.h>

clup_problem bench_problem(const bench_request *request, uint32_t size)
{
    clup_problem problem = request->system.problem;
    unsigned cell[3];
    clup_lattice_cell(problem.lattice, cell);
    for (unsigned axis = 0; axis < clup_lattice_axes(problem.lattice); axis++)
        problem.size[axis] = size * cell[axis];
    return problem;
}

/* The field of a plan_request that names the kernel of a stage. */
static const char **place_of(clup_plan_request *plan, clup_stage stage)
{
    const char **const places[CLUP_MEASURE] = {&plan->source, &plan->local, &plan->consolidate,
                                               &plan->action};
    return places[stage];
}

/* The kernel that is named for a stage, or NULL. */
static const char *named(const bench_request *request, clup_stage stage)
{
    clup_plan_request plan = request->system.plan;
    return *place_of(&plan, stage);
}

int bench_times(const bench_request *request, clup_stage stage, const char *kernel)
{
    return (request->stage == NULL || strcmp(request->stage, clup_stage_name(stage)) == 0) &&
           (named(request, stage) == NULL || strcmp(named(request, stage), kernel) == 0);
}

/* Refuses the name of a kernel whose stage is not timed, and tiles when no timed kernel has
 * tiles. */
int bench_check_options(const bench_request *request)
{
    int tiles = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        if (named(request, stage) != NULL && request->stage != NULL &&
            strcmp(request->stage, clup_stage_name(stage)) != 0)
            return cli_usage_error("--%s %s is not timed: --stage has %s alone",
                                   clup_stage_name(stage), named(request, stage), request->stage);
        for (size_t k = 0; clup_kernel_name(stage, k) != NULL; k++)
            tiles = tiles || (bench_times(request, stage, clup_kernel_name(stage, k)) &&
                              clup_kernel_has_tiles(stage, k));
    }
    if (!tiles && cli_given("tiles"))
        return cli_usage_error("--tiles: none of the kernels that are timed has tiles to choose");
    return 0;
}

static int has_tiles(clup_stage stage, const char *kernel)
{
    for (size_t k = 0; clup_kernel_name(stage, k) != NULL; k++)
        if (strcmp(clup_kernel_name(stage, k), kernel) == 0)
            return clup_kernel_has_tiles(stage, k);
    return 0;
}

/* Finds a plan with a kernel in a stage; kernel NULL is any. */
static clup_status check_kernel(const bench_request *request, clup_context *context,
                                const clup_problem *problem, clup_stage stage, const char *kernel,
                                unsigned tile)
{
    clup_plan plan;
    clup_plan_request plan_request = {.bonds = request->system.plan.bonds, .tile = tile};
    *place_of(&plan_request, stage) = kernel;
    return clup_plan_choose(context, problem, &request->system.method, &plan_request, &plan);
}

/* Validates that the timed stage exists in some layout that was asked for. */
static int check_stage(const bench_request *request, clup_context *context,
                       const clup_problem *problem)
{
    const char *only = request->system.plan.bonds;
    clup_status status = CLUP_OK;
    int plans = 0;
    if (request->stage == NULL)
        return 0;
    for (size_t b = 0; clup_layout_name(b) != NULL; b++) {
        clup_plan plan;
        const clup_plan_request plan_request = {.bonds = clup_layout_name(b)};
        if (only != NULL && strcmp(only, clup_layout_name(b)) != 0)
            continue;
        status = clup_plan_choose(context, problem, &request->system.method, &plan_request, &plan);
        plans += status == CLUP_OK;
        const char *const kernels[CLUP_MEASURE] = {plan.source, plan.local, plan.consolidate,
                                                   plan.action};
        for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && status == CLUP_OK; stage++)
            if (strcmp(request->stage, clup_stage_name(stage)) == 0 && kernels[stage] != NULL)
                return 0;
    }
    return plans == 0
               ? cli_fail(status)
               : cli_usage_error("--stage %s: %s%s%s has no such stage", request->stage,
                                 clup_algorithm_name(request->system.method.algorithm),
                                 only != NULL ? " with the layout " : "", only != NULL ? only : "");
}

/* Validates that each named kernel has a plan, with each tile that was asked for; without names,
 * that each tile has a plan. */
static clup_status check_names(const bench_request *request, clup_context *context,
                               const clup_problem *problem)
{
    const size_t tiles = cli_given("tiles") ? request->tile_count : 0;
    clup_status status = CLUP_OK;
    unsigned names = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && status == CLUP_OK; stage++) {
        if (named(request, stage) == NULL)
            continue;
        names++;
        status = check_kernel(request, context, problem, stage, named(request, stage), 0);
        for (size_t t = 0;
             t < tiles && has_tiles(stage, named(request, stage)) && status == CLUP_OK; t++)
            status = check_kernel(request, context, problem, stage, named(request, stage),
                                  (unsigned)request->tiles[t]);
    }
    for (size_t t = 0; t < tiles && names == 0 && status == CLUP_OK; t++)
        status = check_kernel(request, context, problem, CLUP_LOCAL, NULL,
                              (unsigned)request->tiles[t]);
    return status;
}

int bench_check_plans(const bench_request *request, clup_context *context)
{
    int code = 0;
    for (size_t s = 0; s < request->size_count && code == 0; s++) {
        const clup_problem problem = bench_problem(request, (uint32_t)request->sizes[s]);
        clup_plan plan;
        const clup_status status = request->sweeps ? clup_plan_choose(context, &problem,
                                                                      &request->system.method,
                                                                      &request->system.plan, &plan)
                                                   : check_names(request, context, &problem);
        code = status != CLUP_OK ? cli_fail(status) : check_stage(request, context, &problem);
    }
    return code;
}
