/* SPDX-License-Identifier: BSD-3-Clause */
/* The known-answer test of percolation: compares samples of a small lattice with the serial
 * reference. */
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "core/model.h"
#include "run/engine.h"

clup_status clup_percolation_verify(clup_context *context, const clup_problem *problem,
                                    const clup_method *method, const clup_plan *plan)
{
    enum { REPLICAS = 3, LARGE = 1 << 20 };
    const uint32_t few[3] = {71, 19, clup_lattice_axes(problem->lattice) > 2 ? 5 : 1};
    clup_problem small = clup_problem_small(problem, few, context->quirks.few_items,
                                            clup_verify_sites_an_item(plan));
    clup_engine *device = NULL;
    clup_percolation_reference reference = {0};
    clup_percolation_sample got[REPLICAS], wanted;
    const double critical = clup_problem_critical_p(problem), p = isnan(critical) ? 0.2 : critical;
    unsigned done;
    clup_status status = CLUP_OK;
    small.replicas = clup_problem_sites(&small) > LARGE ? 1 : REPLICAS;
    /* no larger than the problem, where the device has no room for its labels */
    const uint64_t site_bytes = problem->graph != NULL ? sizeof(cl_ulong) : sizeof(cl_uint);
    for (unsigned axis = 0;
         axis < 3 && clup_problem_sites(&small) * small.replicas * site_bytes > context->max_alloc;
         axis++) {
        if (clup_problem_replicas(problem) < small.replicas)
            small.replicas = clup_problem_replicas(problem);
        small.size[axis] = problem->size[axis] < small.size[axis] ? problem->size[axis]
                                                                  : small.size[axis];
    }
    CLUP_TRY(clup_engine_percolation_device(context, &small, method, plan, 1, &device));
    CLUP_TRY(clup_percolation_reference_create(&small, 1, &reference));
    device->kind->go_to(device, 0, p);
    CLUP_TRY(device->kind->batch(device, 1, 0, got, &done));
    for (unsigned r = 0; r < small.replicas && status == CLUP_OK; r++) {
        CLUP_TRY(clup_percolation_reference_draw(&reference, p, r, &wanted));
        if (memcmp(&got[r].sizes, &wanted.sizes, sizeof wanted.sizes) != 0 ||
            got[r].wraps != wanted.wraps)
            status = clup_fail(
                CLUP_ERROR_VERIFY, "%s + %s + %s + %s with tile %u finds wrong clusters on %s (%s)",
                plan->source, plan->local, plan->consolidate, plan->action, plan->tile[1],
                context->device.info.name, context->device.info.driver);
    }
done:
    if (device != NULL)
        device->kind->free(device);
    clup_percolation_reference_clear(&reference);
    return status;
}
