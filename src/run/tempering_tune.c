/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds good temperatures for parallel tempering. */
#include <math.h>
#include <stdlib.h>

#include "core/vector.h"
#include "core/model.h"
#include "run/simulation.h"

#define ROUNDS 8
/* The number of the first sweep of tuning: a run with fewer sweeps uses other random numbers. */
#define FIRST_SWEEP (CLUP_SWEEPS_ALL / 2)
/* Betas are rounded to multiples of 1/STEPS, so that they can be written down exactly. */
#define STEPS 1e9
/* No interval counts for less than this share of the mean interval, as its measured length has an
 * error. */
#define LEAST 0.05

/* Computes the mean energy, over all ladders, at each rung. */
static clup_status mean_energies(const clup_simulation *simulation, double *energies)
{
    const clup_ladders *ladders = simulation->ladders;
    const size_t count = (size_t)clup_simulation_measured(simulation);
    clup_status status = CLUP_OK;
    double *values = malloc(count * sizeof *values);
    if (values == NULL)
        return clup_fail_memory("the series");
    for (uint32_t rung = 0; rung < ladders->rungs; rung++) {
        double sum = 0;
        for (uint32_t l = 0; l < ladders->ladders; l++) {
            CLUP_TRY(clup_simulation_series(simulation, rung * ladders->ladders + l, CLUP_ENERGY, 0,
                                            count, values));
            for (size_t k = 0; k < count; k++)
                sum += values[k];
        }
        energies[rung] = sum / (double)count / ladders->ladders;
    }
done:
    free(values);
    return status;
}

/* Sets lengths[rungs - 1], the distances between rungs. Neighbours at equal distances exchange
 * equally often. A length is sqrt((beta' - beta)(E - E')), whose square is twice the mean of the
 * exponent in the weight of an exchange. */
static double measure_lengths(const double *betas, const double *energies, uint32_t rungs,
                              double *lengths)
{
    double sum = 0, all = 0;
    for (uint32_t k = 0; k + 1 < rungs; k++) {
        const double square = (betas[k + 1] - betas[k]) * (energies[k] - energies[k + 1]);
        lengths[k] = square > 0 ? sqrt(square) : 0;
        sum += lengths[k];
    }
    const double least = sum > 0 ? LEAST * sum / (rungs - 1) : 1;
    for (uint32_t k = 0; k + 1 < rungs; k++) {
        lengths[k] = fmax(lengths[k], least);
        all += lengths[k];
    }
    return all;
}

void clup_ladder_place(double *betas, const double *energies, uint32_t rungs, double *room)
{
    double *lengths = room, *placed = room + rungs;
    const double all = measure_lengths(betas, energies, rungs, lengths);
    double before = 0; /* the sum of the lengths before interval k */
    uint32_t interval = 0;
    for (uint32_t k = 1; k + 1 < rungs; k++) {
        const double at = all * k / (rungs - 1);
        while (interval + 2 < rungs && before + lengths[interval] < at)
            before += lengths[interval++];
        const double beta = betas[interval] + (betas[interval + 1] - betas[interval]) *
                                                  (at - before) / lengths[interval];
        placed[k] = rint(beta * STEPS) / STEPS;
    }
    /* keeps a ladder whose rungs are closer together than multiples of 1/STEPS */
    for (uint32_t k = 1; k < rungs; k++)
        if ((k + 1 < rungs ? placed[k] : betas[k]) <= (k > 1 ? placed[k - 1] : betas[0]))
            return;
    for (uint32_t k = 1; k + 1 < rungs; k++)
        betas[k] = placed[k];
}

/* Places the rungs of a simulation once more, by the energies of so many sweeps. */
static clup_status place(clup_simulation *simulation, uint64_t sweeps, double *betas, double *room)
{
    const clup_ladders *ladders = simulation->ladders;
    double *energies = room, *rungs = energies + ladders->rungs;
    const double sites = (double)clup_problem_sites(&simulation->problem);
    clup_status status;
    CLUP_TRY(clup_simulation_run(simulation, sweeps / 4, 0, NULL, NULL));
    CLUP_TRY(clup_simulation_run(simulation, sweeps - sweeps / 4, 1, NULL, NULL));
    CLUP_TRY(mean_energies(simulation, energies));
    for (uint32_t k = 0; k < ladders->rungs; k++) {
        energies[k] *= sites;
        rungs[k] = betas[k * ladders->ladders];
    }
    clup_ladder_place(rungs, energies, ladders->rungs, rungs + ladders->rungs);
    for (uint32_t r = 0; r < ladders->rungs * ladders->ladders; r++)
        betas[r] = rungs[r / ladders->ladders];
    CLUP_TRY(clup_simulation_set_betas(simulation, betas));
done:
    return status;
}

clup_status clup_tempering_tune(clup_context *context, const clup_problem *problem,
                                const clup_method *method, const clup_plan *plan, uint64_t seed,
                                uint64_t sweeps, double *betas)
{
    CLUP_NEED(problem);
    CLUP_NEED(betas);
    clup_simulation *simulation = NULL;
    double *room = NULL, *tried = NULL;
    uint8_t *spins = NULL;
    clup_status status = CLUP_OK;
    if (sweeps < ROUNDS || sweeps > FIRST_SWEEP)
        return clup_fail(CLUP_ERROR_USAGE, "%llu sweeps: from %d to 2^47 can place temperatures",
                         (unsigned long long)sweeps, ROUNDS);
    CLUP_TRY(clup_simulation_create(context, problem, method, plan, seed, CLUP_START_ORDERED,
                                    &simulation));
    CLUP_TRY(clup_simulation_temper(simulation, 1));
    const size_t replicas = clup_problem_replicas(problem);
    spins = calloc(replicas * clup_spin_bytes(problem), (size_t)clup_problem_sites(problem));
    room = calloc(4 * replicas, sizeof *room);
    tried = calloc(replicas, sizeof *tried);
    if (spins == NULL || room == NULL || tried == NULL)
        CLUP_TRY(clup_fail_memory("the ladders"));
    for (size_t r = 0; r < replicas; r++)
        tried[r] = simulation->betas[r];
    clup_ordered_spins(clup_spin_numbers(problem), replicas * clup_problem_sites(problem), spins);
    CLUP_TRY(clup_simulation_set_state(simulation, FIRST_SWEEP, spins));
    for (unsigned k = 0; k < ROUNDS; k++)
        CLUP_TRY(place(simulation, sweeps / ROUNDS, tried, room));
    for (size_t r = 0; r < replicas; r++)
        betas[r] = tried[r];
done:
    free(spins);
    free(room);
    free(tried);
    clup_simulation_free(simulation);
    return status;
}
