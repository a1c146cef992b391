/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a labelling with a plan that is chosen and has passed its known-answer test. */
#include <stdio.h>

#include "label/labelling.h"
#include "plan/validate.h"

clup_status clup_labelling_create(clup_context *context, const clup_label_problem *problem,
                                  clup_labelling **out)
{
    const clup_problem image = {.model = CLUP_IMAGE, .image = problem};
    clup_plan plan;
    clup_status status = CLUP_OK;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(context);
    CLUP_NEED(problem);
    if (clup_context_in_parts(context, 1))
        return clup_fail(CLUP_ERROR_USAGE, "labelling an image is not for several processes, which "
                                           "the context has joined");
    CLUP_TRY(clup_labelling_choose(context, &image, &plan));
    CLUP_TRY(clup_plan_validate(context, &image, NULL, clup_labelling_verify, &plan));
    /* reports a kernel that was replaced as it was wrong, or a file that cannot be read */
    if (plan.warning[0] != '\0')
        snprintf(context->warning, sizeof context->warning, "%s", plan.warning);
    CLUP_TRY(clup_labelling_create_only(context, problem, &plan, out));
done:
    return status;
}
