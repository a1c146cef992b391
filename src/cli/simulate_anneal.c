/* A schedule: the same systems at one temperature after the other. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/simulate.h"

double simulate_row_beta(const simulate_result *result, uint32_t row)
{
    const simulate_wish *wish = result->wish;
    return wish->schedule != NULL        ? wish->schedule[row / simulate_replicas(wish)]
           : wish->problem.betas != NULL ? wish->problem.betas[row]
                                         : wish->problem.beta;
}

/* All sweeps at a temperature. */
static clup_status run_step(clup_simulation *simulation, const simulate_wish *wish, double beta,
                            double *betas)
{
    for (uint32_t r = 0; r < simulate_replicas(wish); r++)
        betas[r] = beta;
    clup_status status = clup_simulation_set_betas(simulation, betas);
    if (status == CLUP_OK)
        status = clup_simulation_run(simulation, wish->thermalize, 0, NULL, NULL);
    return status == CLUP_OK ? clup_simulation_run(simulation, wish->sweeps, 1, NULL, NULL)
                             : status;
}

clup_status simulate_anneal(clup_simulation *simulation, uint8_t *spins, simulate_result *result)
{
    const simulate_wish *wish = result->wish;
    double *betas = calloc(simulate_replicas(wish), sizeof *betas);
    clup_status status = CLUP_OK;
    if (betas == NULL)
        exit(cli_fail_memory("the temperatures"));
    for (uint32_t step = 0; step < wish->steps && status == CLUP_OK; step++) {
        status = run_step(simulation, wish, wish->schedule[step], betas);
        if (status != CLUP_OK)
            break;
        result->sweeps = wish->sweeps;
        result->thermalize = wish->thermalize;
        result->measured = clup_simulation_measured(simulation);
        if ((status = clup_simulation_spins(simulation, spins)) == CLUP_OK &&
            (status = simulate_save_step(simulation, result)) == CLUP_OK)
            status = simulate_take_rows(simulation, spins, result);
    }
    free(betas);
    clup_simulation_timing(simulation, &result->timing);
    result->interrupted = status == CLUP_INTERRUPTED;
    result->late = result->interrupted && !cli_interrupted();
    /* as they were when it ended */
    return result->interrupted ? clup_simulation_spins(simulation, spins) : status;
}
