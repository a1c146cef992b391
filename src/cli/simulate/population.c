/* SPDX-License-Identifier: BSD-3-Clause */
/* Population annealing: takes the replicas from one temperature to the next. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/simulate/simulate.h"
#include "cli/value.h"

/* With fewer families (of size rho) ln Z may be off by more than its error. */
#define FAMILIES_LEAST 5

static void *room(size_t count, size_t bytes)
{
    void *made = calloc(count, bytes);
    if (made == NULL)
        exit(cli_fail_memory("the population"));
    return made;
}

simulate_lineage simulate_lineage_of(uint32_t count)
{
    simulate_lineage lineage = {.families = room(count, sizeof *lineage.families),
                                .energies = room(count, sizeof *lineage.energies),
                                .start = NAN};
    for (uint32_t r = 0; r < count; r++)
        lineage.families[r] = r;
    return lineage;
}

void simulate_lineage_free(simulate_lineage *lineage)
{
    free(lineage->families);
    free(lineage->energies);
}

clup_status simulate_population_next(clup_simulation *simulation, const simulate_request *request,
                                     double before, double beta, simulate_lineage *lineage)
{
    const uint32_t count = simulate_replicas(request);
    uint32_t *sources = room(count, sizeof *sources), *families = room(count, sizeof *families);
    double ratio;
    const clup_status status = clup_simulation_resample(simulation, beta, sources, &ratio);
    memcpy(families, lineage->families, count * sizeof *families);
    if (status == CLUP_OK) {
        lineage->difference = beta - before;
        lineage->ratio = ratio;
        lineage->ln_z += ratio;
        lineage->start = 0;
        for (uint32_t r = 0; r < count; r++) {
            lineage->families[r] = families[sources[r]];
            lineage->start += lineage->energies[sources[r]] / count;
        }
    }
    free(sources);
    free(families);
    return status;
}

/* Counts the families, and computes the mean size of the family of a system. */
static void count_families(const uint32_t *families, uint32_t count,
                           struct simulate_population *step)
{
    uint32_t *sizes = room(count, sizeof *sizes);
    for (uint32_t r = 0; r < count; r++)
        sizes[families[r]]++;
    for (uint32_t f = 0; f < count; f++) {
        step->families += sizes[f] > 0;
        step->rho += (double)sizes[f] * sizes[f];
    }
    step->rho /= count;
    free(sizes);
}

clup_status simulate_population_take(clup_simulation *simulation, simulate_lineage *lineage,
                                     simulate_result *result)
{
    const uint32_t count = simulate_replicas(result->request);
    struct simulate_population *step = &result->population[result->population_steps++];
    *step = (struct simulate_population){.ln_z = lineage->ln_z};
    count_families(lineage->families, count, step);
    step->effective = count / step->rho;
    step->collapsed = step->effective < FAMILIES_LEAST && step->rho > 1;
    const clup_status status = clup_simulation_hash(simulation, count, &step->spins_sha256);
    return status == CLUP_OK ? simulate_take_energies(simulation, result->request, lineage, step)
                             : status;
}

/* ---- what is known of it --------------------------------------------------------------------- */

/* The first step that has collapsed, or the number of steps when none has. */
static uint32_t collapse(const simulate_result *result)
{
    uint32_t k = 0;
    while (k < result->population_steps && !result->population[k].collapsed)
        k++;
    return k;
}

/* Writes a note about a population that has collapsed; returns false for one that has not. */
static int note(const simulate_result *result, char text[200])
{
    const uint32_t first = collapse(result);
    if (first == result->population_steps)
        return 0;
    snprintf(
        text, 200,
        "the population collapsed at beta = %.9g to fewer than %d families of its mean size: ln "
        "Z is too small; take more systems, or temperatures",
        result->request->schedule[first], FAMILIES_LEAST);
    return 1;
}

void simulate_print_population(const simulate_result *result)
{
    char text[200];
    printf("  %12s%18s%20s%10s%11s%14s\n", "beta", "energy", "ln Z", "families", "effective",
           "spins");
    for (uint32_t k = 0; k < result->population_steps; k++) {
        const struct simulate_population *step = &result->population[k];
        char energy[VALUE_TEXT], ln_z[VALUE_TEXT];
        value_text(step->energy, step->error, energy);
        value_text(step->ln_z, step->ln_z_error, ln_z);
        printf("  %12.9g%18s%20s%10" PRIu32 "%11.4g  %.12s\n", result->request->schedule[k], energy,
               ln_z, step->families, step->effective, step->spins_sha256);
    }
    if (note(result, text))
        printf("  note: %s\n", text);
}

void simulate_write_population(json *json, const simulate_result *result)
{
    char text[200];
    json_open(json, "population", '[');
    for (uint32_t k = 0; k < result->population_steps; k++) {
        const struct simulate_population *step = &result->population[k];
        json_open(json, NULL, '{');
        json_whole(json, "step", k);
        json_number(json, "beta", result->request->schedule[k]);
        json_number(json, "energy", step->energy);
        json_number(json, "error", step->error);
        json_number(json, "ln_z", step->ln_z);
        json_number(json, "ln_z_error", step->ln_z_error);
        json_whole(json, "families", step->families);
        json_number(json, "rho", step->rho);
        json_number(json, "effective_families", step->effective);
        json_flag(json, "collapsed", step->collapsed);
        json_text(json, "spins_sha256", step->spins_sha256);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "notes", '[');
    if (note(result, text))
        json_text(json, NULL, text);
    json_close(json, ']');
}
