/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses a plan, from known times or from new measurements. */
#include "plan/choose.h"
#include "plan/tables.h"
#include "program.h"

const char *clup_strategy_name(clup_strategy strategy)
{
    static const char *const names[CLUP_STRATEGIES] = {
        [CLUP_PLAN_TUNED] = "tuned",
        [CLUP_PLAN_ESTIMATE] = "estimate",
        [CLUP_PLAN_MEASURE] = "measure",
        [CLUP_PLAN_RANDOM] = "random",
    };
    return (unsigned)strategy < CLUP_STRATEGIES ? names[strategy] : NULL;
}

clup_status clup_report_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan_request *request,
                               int measure, clup_report **out)
{
    clup_report *report = NULL;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(problem);
    clup_status status = clup_report_begin(context, problem, method, request, &report);
    CLUP_TRY(status);
    if (context != NULL && (measure || report->request.strategy == CLUP_PLAN_MEASURE))
        CLUP_TRY(clup_report_measure(report));
    CLUP_TRY(clup_report_finish(report, problem));
    *out = report;
    if (report->interrupted)
        return clup_fail(CLUP_INTERRUPTED, "%zu of %zu candidates were looked at to measure them",
                         report->looked_at, report->count);
done:
    if (status != CLUP_OK)
        clup_report_free(report);
    return status;
}

clup_status clup_plan_choose(clup_context *context, const clup_problem *problem,
                             const clup_method *method, const clup_plan_request *request,
                             clup_plan *plan)
{
    clup_report *report = NULL;
    CLUP_NEED(plan);
    clup_status status = clup_report_create(context, problem, method, request, 0, &report);
    *plan = status == CLUP_OK ? report->plan : (clup_plan){0};
    clup_report_free(report);
    return status;
}
