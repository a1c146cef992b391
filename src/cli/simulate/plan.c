/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a run: validated before a device is opened, and chosen on the device. */
#include <string.h>

#include "cli/simulate/simulate.h"

clup_device_info simulate_host(void)
{
    return (clup_device_info){.name = "serial reference",
                              .platform = "host",
                              .vendor = "",
                              .driver = clup_version(),
                              .type = "host",
                              .compute_units = 1,
                              .error = ""};
}

clup_status simulate_check_plan(const simulate_request *request, const clup_method *method,
                                clup_plan *plan)
{
    const clup_problem *problem = &request->problem;
    const clup_status status = clup_plan_choose(NULL, problem, method, &request->plan, plan);
    if (status == CLUP_OK && request->reference)
        *plan = (clup_plan){.source = plan->source != NULL ? plan->source : "fk",
                            .bonds = "char",
                            .local = "reference",
                            .consolidate = "reference",
                            .action = plan->action,
                            .tile = {problem->size[0], problem->size[1], problem->size[2]},
                            .why = "asked for: the serial reference"};
    return status;
}

clup_status simulate_choose_plan(clup_context *context, const simulate_request *request,
                                 const clup_method *method, clup_plan *plan)
{
    const clup_status status = clup_plan_choose(context, &request->problem, method, &request->plan,
                                                plan);
    if (status == CLUP_OK)
        cli_warn(plan->warning);
    return status;
}

void simulate_take_plan(const clup_plan *run, clup_plan *chosen)
{
    if (run == NULL)
        return;
    if (strcmp(run->warning, chosen->warning) != 0)
        cli_warn(run->warning);
    *chosen = *run;
}
