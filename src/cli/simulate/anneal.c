/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a schedule: the same systems at one temperature after the other. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/simulate/simulate.h"

/* Runs all sweeps at the temperature of a step. */
static clup_status run_step(clup_simulation *simulation, const simulate_request *request,
                            uint32_t step, double *betas, clup_population *population)
{
    const double beta = request->schedule[step];
    clup_status status;
    for (uint32_t r = 0; r < simulate_replicas(request); r++)
        betas[r] = beta;
    status = request->population && step > 0 ? clup_population_resample(population, beta)
                                             : clup_simulation_set_betas(simulation, betas);
    if (status == CLUP_OK)
        status = simulate_sweep(simulation, request, request->thermalize, 0, NULL);
    return status == CLUP_OK ? simulate_sweep(simulation, request, request->sweeps, 1, NULL)
                             : status;
}

/* Takes the results of a step. */
static clup_status take_step(clup_simulation *simulation, clup_population *population,
                             simulate_result *result)
{
    const simulate_request *request = result->request;
    result->sweeps = request->sweeps;
    result->thermalize = request->thermalize;
    result->measured = clup_simulation_measured(simulation);
    if (request->population)
        return simulate_population_take(simulation, population, result);
    const clup_status status = simulate_save_step(simulation, result);
    return status == CLUP_OK ? simulate_take_rows(simulation, result) : status;
}

clup_status simulate_anneal(clup_simulation *simulation, simulate_result *result)
{
    const simulate_request *request = result->request;
    const uint32_t replicas = simulate_replicas(request);
    clup_population *population = NULL;
    double *betas = calloc(replicas, sizeof *betas);
    clup_status status = clup_population_create(simulation, &population);
    result->population = calloc(request->steps, sizeof *result->population);
    if (betas == NULL || result->population == NULL)
        exit(cli_fail_memory("the temperatures"));
    for (uint32_t step = 0; step < request->steps && status == CLUP_OK; step++) {
        status = run_step(simulation, request, step, betas, population);
        if (status == CLUP_OK)
            status = take_step(simulation, population, result);
    }
    free(betas);
    clup_population_free(population);
    clup_simulation_timing(simulation, &result->timing);
    result->interrupted = status == CLUP_INTERRUPTED;
    result->late = result->interrupted && !cli_interrupted();
    return result->interrupted ? CLUP_OK : status;
}
