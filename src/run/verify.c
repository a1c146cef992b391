/* SPDX-License-Identifier: BSD-3-Clause */
/* The known-answer test of a plan for simulations, see engine.h. */
#include <stdlib.h>
#include <string.h>

#include "core/small.h"
#include "family/family.h"
#include "run/engine.h"
#include "update/update.h"

static const char *name(const char *row)
{
    return row != NULL ? row : "none";
}

/* Checks that the device has room for the test. */
static clup_status check_room(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_plan *plan)
{
    clup_memory memory;
    clup_status status = clup_simulation_memory(context, problem, method, plan, &memory);
    if (status != CLUP_OK)
        return status;
    if (memory.fits)
        return clup_context_check_host(context, memory.bytes, "the buffers");
    if (memory.largest > memory.device_largest)
        return clup_fail(CLUP_ERROR_MEMORY,
                         "%s need %llu bytes, the largest allocation on %s is %llu", memory.what,
                         (unsigned long long)memory.largest, context->device.info.name,
                         (unsigned long long)memory.device_largest);
    return clup_fail(CLUP_ERROR_MEMORY, "%llu bytes are needed, %s has %llu",
                     (unsigned long long)memory.bytes, context->device.info.name,
                     (unsigned long long)memory.device_bytes);
}

unsigned clup_verify_sites_an_item(const clup_plan *plan)
{
    enum { LEAST = 16, MOST = 64 };
    const clup_variant *local = plan->local != NULL ? clup_table_find(&clup_locals, plan->local)
                                                    : NULL;
    if (local == NULL || local->items == NULL)
        return LEAST;
    const size_t items = clup_variant_items(local, plan->tile, 1),
                 each = (size_t)plan->tile[0] * plan->tile[1] * plan->tile[2] / items;
    return each > LEAST && each <= MOST ? (unsigned)each : LEAST;
}

clup_status clup_simulation_verify(clup_context *context, const clup_problem *problem,
                                   const clup_method *method, const clup_plan *plan)
{
    enum { SWEEPS = 2 };
    /* tiles that depend on the lattice's width have the problem's width */
    const uint32_t few[3] = {problem->size[0] < 293 ? problem->size[0] : 293, 19,
                             clup_lattice_axes(problem->lattice) > 2 ? 5 : 1};
    clup_problem small = clup_problem_small(problem, few, context->quirks.few_items,
                                            clup_verify_sites_an_item(plan));
    clup_method tried = method != NULL ? *method : (clup_method){0};
    clup_update update = {0};
    clup_reference reference = {0};
    uint8_t *spins = NULL;
    clup_status status = check_room(context, problem, method, plan);
    if (status != CLUP_OK)
        return status;
    small.replicas = 1;
    tried.rng = NULL; /* Philox alone has a reference */
    /* no larger than the problem, where the device has no room for it */
    for (unsigned axis = 1;
         axis < 3 && check_room(context, &small, &tried, plan) == CLUP_ERROR_MEMORY; axis++)
        small.size[axis] = problem->size[axis] < small.size[axis] ? problem->size[axis]
                                                                  : small.size[axis];
    const unsigned shorter = small.size[0] < small.size[1] ? small.size[0] : small.size[1];
    tried.seeds_per_side = tried.seeds_per_side < shorter ? tried.seeds_per_side : shorter;
    const lattice_args lattice = clup_lattice_args(&small);
    const size_t bytes = clup_lattice_sites(&lattice) * clup_spin_bytes(&small);
    if ((spins = malloc(bytes)) == NULL)
        return clup_fail_memory("the known-answer test");
    CLUP_TRY(clup_update_create(context, &small, &tried, plan, 1, &update));
    CLUP_TRY(clup_reference_create(&small, &tried, plan->source, 1, &reference));
    clup_start_spins(&lattice, &small, reference.host.key, CLUP_START_RANDOM, reference.host.spins);
    CLUP_TRY(clup_state_write_spins(&update.state, reference.host.spins));
    for (unsigned sweep = 0; sweep < SWEEPS; sweep++) {
        CLUP_TRY(clup_reference_sweep(&reference));
        CLUP_TRY(clup_update_sweep(&update));
    }
    CLUP_TRY(clup_state_read_spins(&update.state, spins));
    if (memcmp(spins, reference.host.spins, bytes) != 0)
        status = clup_fail(
            CLUP_ERROR_VERIFY,
            "%s + %s + %s + %s with %s bonds and tile %u gives wrong spins on %s (%s)",
            name(plan->source), name(plan->local), name(plan->consolidate), name(plan->action),
            plan->bonds, plan->tile[1], context->device.info.name, context->device.info.driver);
done:
    clup_timer_collect(&context->timer);
    clup_update_clear(&update);
    clup_reference_clear(&reference);
    free(spins);
    return status;
}
