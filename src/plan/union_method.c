/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the union method of a plan. */
#include "family/union_methods.h"
#include "plan/tables.h"

clup_status clup_plan_set_between(const clup_context *context, const clup_problem *problem,
                                  const char *name, clup_plan *plan)
{
    const clup_union_method *row;
    const bool in_parts = clup_context_in_parts(context, clup_problem_replicas(problem));
    clup_status status = CLUP_OK;
    plan->between = NULL;
    if (name != NULL)
        CLUP_TRY(clup_union_method_named(name, &row));
    if (in_parts) {
        CLUP_TRY(clup_union_method_choose(problem, context->ranks->count,
                                          context->ranks->share != NULL, name, &row));
        plan->between = row->name;
    }
done:
    return status;
}
