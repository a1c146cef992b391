/* SPDX-License-Identifier: BSD-3-Clause */
/* How many of the first measured sweeps lead to equilibrium, and leaving them out. The answer is a
 * function of the records, which are the same on every device and in every process. */
#include <stdlib.h>
#include <string.h>

#include "estimate/mser.h"
#include "run/simulation.h"

/* The observables that tell. */
static const clup_observable telling[] = {CLUP_ENERGY, CLUP_ABS_M};
#define TELLING (sizeof telling / sizeof *telling)

/* Adds the series of a replica to the sums over replicas. */
static clup_status add(const clup_simulation *simulation, uint32_t replica, size_t count,
                       double *values, double *sums)
{
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < TELLING; k++) {
        CLUP_TRY(clup_simulation_series(simulation, replica, telling[k], 0, count, values));
        for (size_t t = 0; t < count; t++)
            sums[k * count + t] += values[t];
    }
done:
    return status;
}

/* Compares what the sums over the replicas from first on tell with what is known. */
static void compare(const double *sums, size_t count, uint32_t first, clup_equilibration *known)
{
    for (size_t k = 0; k < TELLING; k++) {
        bool settled;
        const size_t d = clup_mser(sums + k * count, count, &settled);
        if (d > known->left_out || (first == 0 && k == 0)) {
            known->left_out = d;
            known->observable = telling[k];
            known->replica = first;
        }
        known->settled = known->settled && settled;
    }
}

clup_status clup_simulation_equilibration(const clup_simulation *simulation,
                                          clup_equilibration *equilibration)
{
    CLUP_NEED(simulation);
    CLUP_NEED(equilibration);
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    const size_t count = simulation->records.count;
    clup_status status = CLUP_OK;
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    double *values = malloc(count * sizeof *values), *sums = calloc(TELLING * count, sizeof *sums);
    *equilibration = (clup_equilibration){.settled = 1};
    if (values == NULL || sums == NULL)
        CLUP_TRY(clup_fail_memory("the series"));
    for (uint32_t first = 0; first < replicas; first++) {
        if (clup_simulation_first_alike(simulation, first) < first)
            continue;
        for (uint32_t r = first; r < replicas; r = clup_simulation_next_alike(simulation, r))
            CLUP_TRY(add(simulation, r, count, values, sums));
        compare(sums, count, first, equilibration);
        memset(sums, 0, TELLING * count * sizeof *sums);
    }
done:
    free(values);
    free(sums);
    return status;
}

clup_status clup_simulation_leave_out(clup_simulation *simulation, uint64_t count)
{
    CLUP_NEED(simulation);
    clup_sweep_records *records = &simulation->records;
    const size_t all = records->count + records->left_out;
    if (count > 0 && count >= all)
        return clup_fail(CLUP_ERROR_USAGE, "%llu sweeps cannot be left out: %zu were measured",
                         (unsigned long long)count, all);
    clup_sweep_records_leave_out(records, (size_t)count);
    if (simulation->ladders != NULL && simulation->ladders->history.count > 0)
        clup_sweep_records_leave_out(&simulation->ladders->history, (size_t)count);
    simulation->asked->count = 0;
    return CLUP_OK;
}
