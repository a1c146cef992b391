/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a result, one for each replica and step: the system, and its estimates. */
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

/* Takes all observables with several values. */
static clup_status take_vectors(const clup_simulation *simulation, uint32_t r,
                                struct simulate_vector *vectors)
{
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < simulate_observables() && status == CLUP_OK; k++) {
        struct simulate_vector *vector = &vectors[k];
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

static void free_replica(const struct simulate_replica *replica)
{
    for (unsigned k = 0; replica->vectors != NULL && k < simulate_observables(); k++) {
        free(replica->vectors[k].at);
        free(replica->vectors[k].estimates);
    }
    free(replica->vectors);
    free(replica->estimates);
}

void simulate_begin_row(struct simulate_replica *replica)
{
    const unsigned count = simulate_observables();
    replica->estimates = malloc(count * sizeof *replica->estimates);
    replica->vectors = calloc(count, sizeof *replica->vectors);
    if (replica->estimates == NULL || replica->vectors == NULL)
        exit(cli_fail_memory("the estimates"));
    for (unsigned k = 0; k < count; k++)
        replica->estimates[k] = (clup_estimate){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

void simulate_free_rows(const simulate_result *result)
{
    const uint32_t rows = result->rows > 0 ? result->rows : 1;
    for (uint32_t r = 0; result->replicas != NULL && r < rows; r++)
        free_replica(&result->replicas[r]);
    free(result->replicas);
    for (uint32_t a = 0; a < result->average_count; a++) {
        for (unsigned k = 0; k < simulate_observables(); k++) {
            free(result->averages[a].vectors[k].at);
            free(result->averages[a].vectors[k].of);
        }
        free(result->averages[a].vectors);
        free(result->averages[a].of);
    }
    free(result->averages);
}

/* Takes the averages of all observables with several values. */
static clup_status take_average_vectors(const clup_simulation *simulation, uint32_t r,
                                        struct simulate_average_vector *vectors)
{
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < simulate_observables() && status == CLUP_OK; k++) {
        struct simulate_average_vector *vector = &vectors[k];
        const size_t length = clup_simulation_vector_length(simulation, k);
        if (length == 0)
            continue;
        vector->at = malloc(length * sizeof *vector->at);
        vector->of = malloc(length * sizeof *vector->of);
        if (vector->at == NULL || vector->of == NULL)
            exit(cli_fail_memory("the averages"));
        vector->length = length;
        status = clup_simulation_average_vector(simulation, r, k, vector->at, vector->of);
    }
    return status;
}

/* Adds the averages over the systems that have the temperature of replica r. */
static clup_status take_average(const clup_simulation *simulation, uint32_t r, double beta,
                                simulate_result *result)
{
    struct simulate_average *more = realloc(result->averages,
                                            (result->average_count + 1) * sizeof *more);
    clup_average *of = calloc(simulate_observables(), sizeof *of);
    struct simulate_average_vector *vectors = calloc(simulate_observables(), sizeof *vectors);
    if (more == NULL || of == NULL || vectors == NULL)
        exit(cli_fail_memory("the averages"));
    result->averages = more;
    struct simulate_average *average = &more[result->average_count++];
    *average = (struct simulate_average){.beta = beta, .of = of, .vectors = vectors};
    clup_observable single[SIMULATE_OBSERVABLES];
    size_t singles = 0;
    for (unsigned k = 0; k < simulate_observables(); k++)
        if (!clup_observable_has_values(k))
            single[singles++] = (clup_observable)k;
    const clup_status status = clup_simulation_averages(simulation, r, single, singles, of,
                                                        &average->systems, &average->samples);
    /* from one after the other to their numbers, which are not smaller */
    for (size_t k = singles; k-- > 0;)
        of[single[k]] = of[k];
    return status == CLUP_OK ? take_average_vectors(simulation, r, vectors) : status;
}

/* How many of the rows from first up to end have the temperature of a row. */
static uint32_t alike(const simulate_result *result, uint32_t row, uint32_t first, uint32_t end)
{
    const double beta = simulate_row_beta(result, row);
    uint32_t count = 0;
    for (uint32_t other = first; other < end; other++)
        count += simulate_row_beta(result, other) == beta;
    return count;
}

int simulate_row_leads(const simulate_result *result, uint32_t row)
{
    const uint32_t first = row - row % simulate_replicas(result->request);
    return row == first || (simulate_row_beta(result, row - 1) != simulate_row_beta(result, row) &&
                            alike(result, row, first, row) == 0);
}

int simulate_row_alone(const simulate_result *result, uint32_t row)
{
    const uint32_t replicas = simulate_replicas(result->request),
                   end = row - row % replicas + replicas;
    return replicas == 1 || (result->request->problem.betas != NULL &&
                             simulate_row_leads(result, row) && alike(result, row, row, end) == 1);
}

/* Adds averages for each temperature that more than one replica has. */
static clup_status take_averages(const clup_simulation *simulation, simulate_result *result,
                                 uint32_t first_row)
{
    const uint32_t replicas = simulate_replicas(result->request);
    clup_status status = CLUP_OK;
    for (uint32_t r = 0; r < replicas && status == CLUP_OK; r++) {
        const uint32_t row = first_row + r;
        if (simulate_row_leads(result, row) && !simulate_row_alone(result, row))
            status = take_average(simulation, r, simulate_row_beta(result, row), result);
    }
    return status;
}

clup_status simulate_take_rows(clup_simulation *simulation, simulate_result *result)
{
    const uint32_t replicas = simulate_replicas(result->request), first_row = result->rows;
    const int measured = clup_simulation_measured(simulation) > 0;
    clup_observable single[SIMULATE_OBSERVABLES];
    size_t singles = 0;
    for (unsigned k = 0; k < simulate_observables(); k++)
        if (!clup_observable_has_values(k))
            single[singles++] = (clup_observable)k;
    clup_estimate *estimates = calloc(replicas * singles, sizeof *estimates);
    char(*hashes)[65] = calloc(replicas, sizeof *hashes);
    if (estimates == NULL || hashes == NULL)
        exit(cli_fail_memory("the estimates"));
    clup_status status = measured ? clup_simulation_estimates_of(simulation, single, singles, 0,
                                                                 replicas, estimates)
                                  : CLUP_OK;
    if (status == CLUP_OK)
        status = clup_simulation_hash(simulation, 1, hashes);
    for (uint32_t r = 0; r < replicas && status == CLUP_OK; r++) {
        struct simulate_replica *replica = &result->replicas[result->rows++];
        simulate_begin_row(replica);
        for (size_t k = 0; measured && k < singles; k++)
            replica->estimates[single[k]] = estimates[r * singles + k];
        if (measured)
            status = take_vectors(simulation, r, replica->vectors);
        memcpy(replica->spins_sha256, hashes[r], sizeof hashes[r]);
    }
    if (status == CLUP_OK && measured)
        status = take_averages(simulation, result, first_row);
    if (status == CLUP_OK && replicas > 1 && result->request->schedule == NULL)
        status = clup_simulation_hash(simulation, replicas, &result->spins_sha256);
    free(estimates);
    free(hashes);
    return status;
}
