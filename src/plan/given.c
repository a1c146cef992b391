/* SPDX-License-Identifier: BSD-3-Clause */
/* Settles the plan of a simulation: the caller's, or one that is chosen. */
#include "core/disorder.h"
#include "core/method.h"
#include "core/couplings.h"
#include "core/matrix.h"
#include "core/vector.h"
#include "core/model.h"
#include "plan/tables.h"

/* Validates that a stage that exists has a known variant that works on the setting, and that any
 * other stage has none. */
static clup_status check_stage(const clup_context *context, const clup_setting *setting,
                               clup_stage stage, const char *name)
{
    const clup_variant *variant;
    const bool exists = clup_stage_exists(setting->model, setting->algorithm, setting->layout,
                                          stage);
    if (name == NULL && !exists)
        return CLUP_OK;
    if (name == NULL || !exists)
        return clup_fail(
            CLUP_ERROR_USAGE, "plan: %s with %s bonds has %s %s stage of its own, the plan %s%s",
            clup_algorithm_name(setting->algorithm), setting->layout->name, exists ? "a" : "no",
            clup_stage_name(stage), name != NULL ? "has " : "none", name != NULL ? name : "");
    const clup_status status = clup_table_variant(stage, name, &variant);
    return status == CLUP_OK ? clup_variant_check(variant, context, setting) : status;
}

static clup_status check(const clup_context *context, const clup_problem *problem,
                         const clup_method *method, const clup_plan *plan)
{
    clup_status status = CLUP_OK;
    clup_setting setting = {.algorithm = method != NULL ? method->algorithm : CLUP_SWENDSEN_WANG,
                            .replicas = clup_problem_replicas(problem),
                            .model = problem->model,
                            .image = problem->image,
                            .couplings = clup_bonds_differ(problem),
                            .classes = clup_problem_classes(problem).count,
                            .field = clup_has_field(problem),
                            .matrix = clup_has_matrix(problem),
                            .sized = clup_has_sizes(problem),
                            .vectors = clup_spin_numbers(problem) > 0,
                            .before = clup_before_sweep(method),
                            .tile = {plan->tile[0], plan->tile[1], plan->tile[2]}};
    CLUP_TRY(CLUP_RESERVED(plan, "clup_plan"));
    if (plan->bonds == NULL)
        return clup_fail(
            CLUP_ERROR_USAGE,
            "plan: bonds is NULL; clup_plan_choose makes plans, and for plan NULL one is chosen");
    if ((setting.layout = clup_layout_named(plan->bonds)) == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "plan: no bond layout '%s'", plan->bonds);
    const clup_problem whole = clup_layout_problem(setting.layout, problem);
    clup_subdomain part;
    CLUP_TRY(clup_subdomain_here(context, &whole, &part));
    const clup_problem sites = clup_subdomain_problem(&whole, &part);
    CLUP_TRY(clup_problem_check_device(&sites));
    setting.lattice = clup_lattice_args(&sites);
    setting.q = clup_problem_states(&sites);
    if (plan->tile[0] == 0 || plan->tile[1] == 0 || plan->tile[2] == 0)
        return clup_fail(CLUP_ERROR_USAGE, "plan: a tile of %u x %u x %u sites has none",
                         plan->tile[0], plan->tile[1], plan->tile[2]);
    CLUP_TRY(clup_generator_named(method != NULL ? method->rng : NULL, &setting.rng));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        CLUP_TRY(check_stage(context, &setting, stage, clup_plan_row(plan, stage)));
done:
    return status;
}

clup_status clup_plan_settle(clup_context *context, const clup_problem *problem,
                             const clup_method *method, const clup_plan *given, clup_plan *plan)
{
    clup_status status = CLUP_OK;
    if (given == NULL)
        return clup_plan_choose(context, problem, method, NULL, plan);
    CLUP_TRY(clup_method_check(problem, method));
    CLUP_TRY(check(context, problem, method, given));
    *plan = *given;
    CLUP_TRY(clup_plan_set_between(context, problem, given->between, plan));
done:
    return status;
}
