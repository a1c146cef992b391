/* Population annealing: what becomes of the replicas from one temperature to the next. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/simulate.h"

static void *room(size_t count, size_t bytes)
{
    void *made = calloc(count, bytes);
    if (made == NULL)
        exit(cli_fail_memory("the population"));
    return made;
}

clup_status simulate_population_next(clup_simulation *simulation, const simulate_wish *wish,
                                     double beta, uint32_t *families, double *ln_z)
{
    const uint32_t count = simulate_replicas(wish);
    uint32_t *sources = room(count, sizeof *sources), *before = room(count, sizeof *before);
    double ratio;
    const clup_status status = clup_simulation_resample(simulation, beta, sources, &ratio);
    memcpy(before, families, count * sizeof *before);
    for (uint32_t r = 0; r < count && status == CLUP_OK; r++)
        families[r] = before[sources[r]];
    *ln_z += status == CLUP_OK ? ratio : 0;
    free(sources);
    free(before);
    return status;
}

/* How many families there are, and how large that of a system is in the mean. */
static void count_families(const uint32_t *families, uint32_t count,
                           struct simulate_population *step)
{
    uint32_t *sizes = room(count, sizeof *sizes);
    for (uint32_t r = 0; r < count; r++)
        sizes[families[r]]++;
    for (uint32_t f = 0; f < count; f++) {
        step->families += sizes[f] > 0;
        step->rho += (double)sizes[f] * sizes[f] / count;
    }
    free(sizes);
}

/* The mean energy of all systems, which are as many independent ones as there would be families of
 * that size. */
static clup_status take_energy(const clup_simulation *simulation, uint32_t count,
                               struct simulate_population *step)
{
    const uint64_t sweeps = clup_simulation_measured(simulation);
    double *values = room((size_t)sweeps + 1, sizeof *values), sum = 0, squares = 0;
    clup_status status = CLUP_OK;
    for (uint32_t r = 0; r < count && status == CLUP_OK && sweeps > 0; r++) {
        double mean = 0;
        status = clup_simulation_series(simulation, r, CLUP_ENERGY, 0, sweeps, values);
        for (uint64_t k = 0; k < sweeps && status == CLUP_OK; k++)
            mean += values[k] / (double)sweeps;
        sum += mean;
        squares += mean * mean;
    }
    free(values);
    step->energy = sweeps > 0 ? sum / count : NAN;
    step->error = sqrt(fmax(0, squares / count - step->energy * step->energy) * step->rho / count);
    return status;
}

clup_status simulate_population_take(clup_simulation *simulation, const uint32_t *families,
                                     double ln_z, simulate_result *result)
{
    const uint32_t count = simulate_replicas(result->wish);
    struct simulate_population *step = &result->population[result->population_steps++];
    *step = (struct simulate_population){.ln_z = ln_z};
    count_families(families, count, step);
    const clup_status status = clup_simulation_hash(simulation, count, &step->spins_sha256);
    return status == CLUP_OK ? take_energy(simulation, count, step) : status;
}

void simulate_print_population(const simulate_result *result)
{
    printf("  %15s%15s%13s%17s%10s%9s%14s\n", "beta", "energy", "error", "ln Z", "families", "rho",
           "spins");
    for (uint32_t k = 0; k < result->population_steps; k++) {
        const struct simulate_population *step = &result->population[k];
        printf("  %15.9g%15.8f%13.8f%17.6f%10" PRIu32 "%9.4g  %.12s\n", result->wish->schedule[k],
               step->energy, step->error, step->ln_z, step->families, step->rho,
               step->spins_sha256);
    }
}

void simulate_write_population(json *json, const simulate_result *result)
{
    json_open(json, "population", '[');
    for (uint32_t k = 0; k < result->population_steps; k++) {
        const struct simulate_population *step = &result->population[k];
        json_open(json, NULL, '{');
        json_whole(json, "step", k);
        json_number(json, "beta", result->wish->schedule[k]);
        json_number(json, "energy", step->energy);
        json_number(json, "error", step->error);
        json_number(json, "ln_z", step->ln_z);
        json_whole(json, "families", step->families);
        json_number(json, "rho", step->rho);
        json_text(json, "spins_sha256", step->spins_sha256);
        json_close(json, '}');
    }
    json_close(json, ']');
}
