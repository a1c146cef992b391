/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans are proved by a known-answer test; a row that gives wrong results is replaced where the
 * caller left the choice. */
#ifndef CLUP_PLAN_VALIDATE_H
#define CLUP_PLAN_VALIDATE_H
#include "plan/distrust.h"

/* Whether a plan's kernels do what is defined: CLUP_ERROR_VERIFY, with what they are as the detail,
 * when they do not. */
typedef clup_status clup_known_answer(clup_context *context, const clup_problem *problem,
                                      const clup_method *method, const clup_plan *plan);

/* As clup_plan_choose, without a row. */
clup_status clup_plan_without(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_plan_request *request,
                              clup_stage stage, const char *kernel, clup_plan *plan);
/* Tests a plan that was settled, see clup_plan_settle. When it gives wrong results, and is right
 * without one of the rows that the planner chose (plan->chosen), that row is remembered, the plan
 * that is right is put in its place, and its warning says so. CLUP_ERROR_VERIFY as the test gave it
 * when there is none; the plan is then as it was. */
clup_status clup_plan_validate(clup_context *context, const clup_problem *problem,
                               const clup_method *method, clup_known_answer *test, clup_plan *plan);

#endif
