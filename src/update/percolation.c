/* Percolation on a device. */
#include "update/percolation.h"

#include <stdlib.h>

#include "label/label.h"

clup_status clup_percolation_device_create(clup_context *context, const clup_problem *problem, const clup_plan *plan, uint64_t seed, clup_percolation_device *device)
{
    const uint32_t replicas = clup_problem_replicas(problem);
    clup_status status = CLUP_OK;
    *device = (clup_percolation_device){0};
    CLUP_TRY(clup_update_create(context, problem, NULL, plan, seed, &device->update));
    device->key = device->update.state.key;
    CLUP_TRY(clup_pass_create(&clup_wraps_row, &device->update.state, plan->tile, &device->wraps));
    CLUP_TRY(clup_wraps_create(&device->joined));
    device->sizes = malloc(replicas * sizeof *device->sizes);
    device->wrapped = malloc(replicas * sizeof *device->wrapped);
    if (device->sizes == NULL || device->wrapped == NULL)
        status = clup_fail_memory("the samples");
done:
    if (status != CLUP_OK)
        clup_percolation_device_clear(device);
    return status;
}

void clup_percolation_device_clear(clup_percolation_device *device)
{
    clup_wraps_free(device->joined);
    clup_pass_clear(&device->wraps);
    clup_update_clear(&device->update);
    free(device->sizes);
    free(device->wrapped);
    *device = (clup_percolation_device){0};
}

static clup_status run_stage(clup_percolation_device *device, clup_stage stage)
{
    return clup_pass_run(&device->update.passes[stage]);
}

clup_status clup_percolation_device_round(clup_percolation_device *device, double p, uint64_t first, clup_percolation_sample *samples)
{
    clup_state *state = &device->update.state;
    const uint32_t periodic = state->lattice.periodic;
    clup_status status = CLUP_OK;
    state->key = later_key(device->key, first);
    state->law = clup_law_of_probability(p);
    CLUP_TRY(run_stage(device, CLUP_SOURCE));
    /* clusters in true coordinates first */
    state->lattice.periodic = 0;
    CLUP_TRY(run_stage(device, CLUP_LOCAL));
    CLUP_TRY(run_stage(device, CLUP_CONSOLIDATE));
    state->lattice.periodic = periodic;
    CLUP_TRY(clup_pass_run(&device->wraps));
    CLUP_TRY(run_stage(device, CLUP_ACTION));
    CLUP_TRY(clup_wraps_read(device->joined, &device->wraps, device->wrapped));
    CLUP_TRY(clup_sizes_read(&device->update.passes[CLUP_ACTION], device->sizes));
    for (uint32_t r = 0; r < state->replicas; r++)
        samples[r] = (clup_percolation_sample){device->sizes[r], device->wrapped[r]};
done:
    state->lattice.periodic = periodic;
    clup_timer_collect(&state->context->timer);
    return status;
}
