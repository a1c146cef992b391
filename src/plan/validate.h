/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans are tested by a known-answer test. A kernel variant that gives wrong results is replaced
 * where the caller left the choice to the planner. */
#ifndef CLUP_PLAN_VALIDATE_H
#define CLUP_PLAN_VALIDATE_H
#include "plan/distrust.h"

/* Tests the kernels of a plan. CLUP_ERROR_VERIFY when they give a wrong result; the detail names
 * the kernels. */
typedef clup_status clup_known_answer(clup_context *context, const clup_problem *problem,
                                      const clup_method *method, const clup_plan *plan);

/* As clup_plan_choose, but does not use the named variant of a stage. */
clup_status clup_plan_without(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_plan_request *request,
                              clup_stage stage, const char *kernel, clup_plan *plan);
/* Tests a plan from clup_plan_settle. If it gives wrong results, looks for a plan without one of
 * the variants that the planner chose (plan->chosen) that gives right results. If there is one,
 * remembers the variant left out as wrong, and replaces the plan, whose warning says so. If there
 * is none, returns CLUP_ERROR_VERIFY as the test gave it, and leaves the plan as it was. */
clup_status clup_plan_validate(clup_context *context, const clup_problem *problem,
                               const clup_method *method, clup_known_answer *test, clup_plan *plan);

#endif
