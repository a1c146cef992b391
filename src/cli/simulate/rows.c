/* The rows of a result, one a replica and step: which system each is of, and what is known of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/simulate/simulate.h"

uint32_t simulate_replicas(const simulate_request *request)
{
    return request->problem.replicas > 0 ? request->problem.replicas : 1;
}

double simulate_row_beta(const simulate_result *result, uint32_t row)
{
    const simulate_request *request = result->request;
    return request->schedule != NULL        ? request->schedule[row / simulate_replicas(request)]
           : request->problem.betas != NULL ? request->problem.betas[row]
                                            : request->problem.beta;
}

uint32_t simulate_steps(const simulate_result *result)
{
    return result->request->population ? result->population_steps
                                       : result->rows / simulate_replicas(result->request);
}

/* Of all observables with several values. */
static clup_status take_vectors(const clup_simulation *simulation, uint32_t r,
                                struct simulate_vector *vectors)
{
    clup_status status = CLUP_OK;
    for (clup_observable k = CLUP_OBSERVABLES; k < CLUP_OBSERVABLES_ALL && status == CLUP_OK; k++) {
        struct simulate_vector *vector = &vectors[k - CLUP_OBSERVABLES];
        const size_t length = clup_simulation_vector_length(simulation, k);
        if (length == 0)
            continue;
        vector->at = malloc(length * sizeof *vector->at);
        vector->estimates = malloc(length * sizeof *vector->estimates);
        if (vector->at == NULL || vector->estimates == NULL)
            exit(cli_fail_memory("the estimates"));
        vector->length = length;
        status = clup_simulation_vector(simulation, r, k, vector->at, vector->estimates);
    }
    return status;
}

void simulate_free_rows(const simulate_result *result)
{
    for (uint32_t r = 0; result->replicas != NULL && r < result->rows; r++)
        for (unsigned k = 0; k < CLUP_OBSERVABLES_ALL - CLUP_OBSERVABLES; k++) {
            free(result->replicas[r].vectors[k].at);
            free(result->replicas[r].vectors[k].estimates);
        }
    free(result->replicas);
}

clup_status simulate_take_rows(clup_simulation *simulation, simulate_result *result)
{
    const uint32_t replicas = simulate_replicas(result->request);
    const int measured = clup_simulation_measured(simulation) > 0;
    clup_estimate(*estimates)[CLUP_OBSERVABLES] = calloc(replicas, sizeof *estimates);
    char(*hashes)[65] = calloc(replicas, sizeof *hashes);
    if (estimates == NULL || hashes == NULL)
        exit(cli_fail_memory("the estimates"));
    clup_status status = measured ? clup_simulation_estimates(simulation, 0, replicas, estimates[0])
                                  : CLUP_OK;
    if (status == CLUP_OK)
        status = clup_simulation_hash(simulation, 1, hashes);
    for (uint32_t r = 0; r < replicas && status == CLUP_OK; r++) {
        struct simulate_replica *replica = &result->replicas[result->rows++];
        for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++)
            replica->estimates[k] = measured
                                        ? estimates[r][k]
                                        : (clup_estimate){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        if (measured)
            status = take_vectors(simulation, r, replica->vectors);
        memcpy(replica->spins_sha256, hashes[r], sizeof hashes[r]);
    }
    free(estimates);
    free(hashes);
    return status;
}
