/* SPDX-License-Identifier: BSD-3-Clause */
/* Population annealing: its results. */
#include <inttypes.h>

#include "cli/cli.h"
#include "cli/simulate/simulate.h"
#include "cli/value.h"

clup_status simulate_population_take(clup_simulation *simulation, clup_population *population,
                                     simulate_result *result)
{
    struct simulate_population *step = &result->population[result->population_steps++];
    const clup_status status = clup_simulation_hash(simulation, simulate_replicas(result->request),
                                                    &step->spins_sha256);
    return status == CLUP_OK ? clup_population_take(population, &step->of) : status;
}

/* ---- what is known of it --------------------------------------------------------------------- */

/* The first step that has collapsed, or the number of steps when none has. */
static uint32_t collapse(const simulate_result *result)
{
    uint32_t k = 0;
    while (k < result->population_steps && !result->population[k].of.collapsed)
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
        result->request->schedule[first], CLUP_FAMILIES_LEAST);
    return 1;
}

void simulate_print_population(const simulate_result *result)
{
    char text[200];
    printf("  %12s%18s%20s%10s%11s%14s\n", "beta", "energy", "ln Z", "families", "effective",
           "spins");
    for (uint32_t k = 0; k < result->population_steps; k++) {
        const clup_population_step *step = &result->population[k].of;
        char energy[VALUE_TEXT], ln_z[VALUE_TEXT];
        value_text(step->energy, step->error, energy);
        value_text(step->ln_z, step->ln_z_error, ln_z);
        printf("  %12.9g%18s%20s%10" PRIu32 "%11.4g  %.12s\n", result->request->schedule[k], energy,
               ln_z, step->families, step->effective, result->population[k].spins_sha256);
    }
    if (note(result, text))
        printf("  note: %s\n", text);
}

void simulate_write_population(json *json, const simulate_result *result)
{
    char text[200];
    json_open(json, "population", '[');
    for (uint32_t k = 0; k < result->population_steps; k++) {
        const clup_population_step *step = &result->population[k].of;
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
        json_text(json, "spins_sha256", result->population[k].spins_sha256);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "notes", '[');
    if (note(result, text))
        json_text(json, NULL, text);
    json_close(json, ']');
}
