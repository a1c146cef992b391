/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests plans. Finds the kernel variant that is wrong by replacement: with another variant in its
 * place, and all else unchanged, results are right. */
#include "plan/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/tables.h"
#include "program.h"

clup_status clup_plan_without(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_plan_request *request,
                              clup_stage stage, const char *kernel, clup_plan *plan)
{
    const bool known = clup_distrust_find(context, stage, kernel) != NULL;
    clup_status status = clup_distrust_mark(context, stage, kernel, "");
    if (status == CLUP_OK)
        status = clup_plan_choose(context, problem, method, request, plan);
    if (!known)
        clup_distrust_unmark(context, stage, kernel);
    return status;
}

/* Returns a request for the plan, except for one stage. With keep, the request names all that the
 * plan has; else only what the caller asked for. */
static clup_plan_request request_of(const clup_plan *plan, clup_stage without, bool keep)
{
    const clup_variant *local = plan->local != NULL
                                    ? clup_table_find(clup_table_of(CLUP_LOCAL), plan->local)
                                    : NULL;
    clup_plan_request request = {0};
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        if (stage != without && (keep || !(plan->chosen & CLUP_CHOSE_ROW(stage))))
            *clup_request_row(&request, stage) = clup_plan_row(plan, stage);
    if (keep || !(plan->chosen & CLUP_CHOSE_BONDS))
        request.bonds = plan->bonds;
    /* a variant that has tiles of its own sets the tile */
    if (keep ? local != NULL && clup_variant_has_tiles(local) : !(plan->chosen & CLUP_CHOSE_TILE))
        request.tile = plan->tile[1];
    return request;
}

/* Whether there is no such plan, or it is wrong as well, so that another replacement may do. */
static bool no_help(clup_status status)
{
    return status == CLUP_ERROR_USAGE || status == CLUP_ERROR_VERIFY ||
           status == CLUP_ERROR_BUILD || status == CLUP_ERROR_MEMORY;
}

/* Remembers the variant that is wrong, and replaces the plan by the other one, which is right. */
static clup_status blame(clup_context *context, clup_stage stage, const char *reason,
                         clup_plan *other, clup_plan *plan)
{
    const clup_device_info *device = &context->device.info;
    const char *kernel = clup_plan_row(plan, stage);
    const clup_status status = clup_distrust_remember(context, stage, kernel, reason);
    if (status != CLUP_OK)
        return status;
    const char *unkept = clup_distrust_warning(context);
    snprintf(other->warning, sizeof other->warning,
             "%s %s gives wrong results on %s (%s) and is left out of plans; clup selftest tries "
             "it again%s%s",
             clup_stage_name(stage), kernel, device->name, device->driver,
             unkept[0] != '\0' ? "; " : "", unkept);
    snprintf(other->why, sizeof other->why, "%.160s; without %.40s, which gave wrong results",
             plan->why, kernel);
    other->chosen |= plan->chosen;
    *plan = *other;
    return CLUP_OK;
}

/* Whether plans are taken without their known-answer test: in tests that compare all results by
 * themselves, see HACKING.md. */
static bool is_trusted(void)
{
    const char *word = getenv("CLUP_VALIDATE");
    return word != NULL && strcmp(word, "no") == 0;
}

clup_status clup_plan_validate(clup_context *context, const clup_problem *problem,
                               const clup_method *method, clup_known_answer *test, clup_plan *plan)
{
    bool stuck[CLUP_MEASURE] = {false}; /* stages that have no other variant while all else is
                                           unchanged */
    char reason[512];
    if (is_trusted())
        return CLUP_OK;
    clup_status status = test(context, problem, method, plan);
    if (status != CLUP_ERROR_VERIFY)
        return status;
    snprintf(reason, sizeof reason, "%s", clup_error_detail());
    for (unsigned pass = 0; pass < 2; pass++)
        for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
            const clup_plan_request request = request_of(plan, stage, pass == 0);
            clup_plan other;
            if (!(plan->chosen & CLUP_CHOSE_ROW(stage)) || clup_plan_row(plan, stage) == NULL ||
                (pass > 0 && !stuck[stage]))
                continue;
            status = clup_plan_without(context, problem, method, &request, stage,
                                       clup_plan_row(plan, stage), &other);
            stuck[stage] = no_help(status);
            if (status == CLUP_OK)
                status = test(context, problem, method, &other);
            if (status == CLUP_OK)
                return blame(context, stage, reason, &other, plan);
            if (!no_help(status))
                return status;
        }
    return clup_fail(CLUP_ERROR_VERIFY, "%s", reason);
}
