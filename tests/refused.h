/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by tests of spin models: what a device and the host refuse. */
#ifndef CLUP_TESTS_REFUSED_H
#define CLUP_TESTS_REFUSED_H
#include <string.h>

#include "clup.h"
#include "tap.h"

/* Checks that a plan for the problem is refused with a message that contains why; and so is a
 * simulation on the host, unless only the layout bonds or a generator, which the host does not
 * have, are refused. */
static inline void refused_problem(clup_context *context, const clup_problem *problem,
                                   clup_method method, const char *bonds, const char *why)
{
    const clup_plan_request request = {.bonds = bonds};
    clup_simulation *simulation = NULL;
    clup_plan plan;
    clup_status status = clup_plan_choose(context, problem, &method, &request, &plan);
    ok(status == CLUP_ERROR_USAGE && strstr(clup_error_detail(), why) != NULL, "refused: %s",
       clup_error_detail());
    if (bonds != NULL || method.rng != NULL)
        return;
    status = clup_simulation_create(NULL, problem, &method, NULL, 1, CLUP_START_RANDOM,
                                    &simulation);
    ok(status == CLUP_ERROR_USAGE && simulation == NULL && strstr(clup_error_detail(), why) != NULL,
       "on the host as well: %s", clup_error_detail());
}

#endif
