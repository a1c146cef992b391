/* SPDX-License-Identifier: BSD-3-Clause */
/* Population annealing: the families of its systems; the energy and ln Z of a step, and their
 * errors from the families. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "clup/tempering.h"
#include "run/simulation.h"

/* From this memory on, systems resemble those that they are copies of so much that only families
 * count as independent. */
#define MEMORY_MOST 0.5

struct clup_population {
    clup_simulation *simulation;
    uint32_t count;
    uint32_t *families; /* families[count]: the system of the first step that each descends from */
    uint32_t *sources, *room; /* [count] */
    double *energies;         /* energies[count]: after the last sweep */
    double start;             /* mean energy of the systems that were drawn; NAN where not known */
    double ln_z, ratio;       /* ln Z so far, and ln of the ratio of Z of the last step */
    double difference;        /* between the last two temperatures */
    double gap; /* sum over the steps before of ln of the ratio taken from the other end, less ln of
                   the ratio; and with the present step: */
    double gap_now;
    uint64_t began; /* sweeps that were done when the step began, */
    uint64_t taken; /* and when it was taken; UINT64_MAX for not yet */
};

/* Sums over the energies of all systems. */
typedef struct energies {
    double mean, variance;             /* of the mean energy of a system over its sweeps */
    double *sums, *squares, *products; /* for each sweep; products for pairs of successive sweeps */
    double largest, weights;           /* sum of exp(difference E - largest) over all energies */
    double origin;                     /* subtracted from all energies */
} energies;

/* Adds the sweeps of a system with so many sites. Returns the mean of its energy. */
static double add(energies *all, const double *values, size_t sweeps, double sites,
                  double difference)
{
    double mean = 0;
    for (size_t k = 0; k < sweeps; k++) {
        const double off = values[k] - all->origin, weight = difference * sites * values[k];
        mean += off / (double)sweeps;
        all->sums[k] += off;
        all->squares[k] += off * off;
        if (k > 0)
            all->products[k] += off * (values[k - 1] - all->origin);
        if (weight > all->largest) {
            all->weights *= exp(all->largest - weight);
            all->largest = weight;
        }
        all->weights += exp(weight - all->largest);
    }
    return mean;
}

/* The correlation of a system's energies in successive sweeps, over all systems; NAN for a single
 * sweep. */
static double correlation(const energies *all, size_t sweeps, double count)
{
    double both = 0, own = 0;
    for (size_t k = 1; k < sweeps; k++) {
        const double before = all->sums[k - 1] / count, now = all->sums[k] / count;
        both += all->products[k] / count - before * now;
        own += sqrt(fmax(0, all->squares[k - 1] / count - before * before) *
                    fmax(0, all->squares[k] / count - now * now));
    }
    return own > 0 ? fmin(fmax(0, both / own), 1) : NAN;
}

/* The share of the deviation at the beginning of a step that is left in the mean over its sweeps.
 * Slow modes weigh more in the deviation than in the correlation between two sweeps: for
 * Swendsen-Wang at the critical point that correlation is 0.7, but each later sweep keeps 0.76 of
 * the deviation. */
static double memory_of(double correlation, uint64_t before, size_t sweeps)
{
    const double slow = 0.8 * correlation + 0.2;
    double memory = 0;
    for (size_t k = 1; k <= sweeps; k++)
        memory += pow(slow, (double)before + (double)k) / (double)sweeps;
    return memory;
}

/* The error of the mean energy. The copies forget the systems that they come from. What is left of
 * the deviation that all of them began with is an error that they have in common. */
static double energy_error(const energies *all, const clup_population *population, double count,
                           double rho, double memory)
{
    const double own = all->variance / count, away = population->start - all->origin - all->mean,
                 known = fmax(0, away * away - 2 * own), share = memory / (1 - memory);
    if (isnan(population->start))
        return sqrt(own);
    return sqrt(memory < MEMORY_MOST ? own + known * share * share : own * rho);
}

/* ln of the ratio of Z of a step, taken from the other end: from the mean of exp(difference E) over
 * the systems after the step. With too few systems one of the two ratios is too small and the other
 * one too large. */
static double other_ratio(const energies *all, double values)
{
    return -(all->largest + log(all->weights / values));
}

/* The error of ln Z follows from the families. It is larger when the ratios of Z taken from the
 * other end of each step differ in sum by a gap that the families do not explain. */
static double ln_z_error(double rho, double count, double gap)
{
    const double families = (rho - 1) / count;
    /* the gap of a population that is large enough scatters by about the root of 3 families */
    return sqrt(families + fmax(0, gap * gap - 3 * families));
}

/* Reads the energies of all measured sweeps, and keeps the last ones. */
static clup_status read_averages(clup_population *population, size_t sweeps, double *values,
                                 energies *all)
{
    const double sites = (double)clup_problem_sites(&population->simulation->problem),
                 count = population->count;
    double squares = 0;
    for (uint32_t r = 0; r < population->count; r++) {
        const clup_status status = clup_simulation_series(population->simulation, r, CLUP_ENERGY, 0,
                                                          sweeps, values);
        if (status != CLUP_OK)
            return status;
        if (r == 0)
            all->origin = values[0];
        const double mean = add(all, values, sweeps, sites, population->difference);
        all->mean += mean / count;
        squares += mean * mean / count;
        population->energies[r] = values[sweeps - 1];
    }
    all->variance = fmax(0, squares - all->mean * all->mean);
    return CLUP_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

clup_status clup_population_create(clup_simulation *simulation, clup_population **out)
{
    clup_status status = CLUP_OK;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(simulation);
    const uint32_t count = clup_problem_replicas(&simulation->problem);
    clup_population *population = calloc(1, sizeof *population);
    if (population == NULL)
        return clup_fail_memory("the population");
    population->simulation = simulation;
    population->count = count;
    population->start = NAN;
    population->began = simulation->sweeps;
    population->taken = UINT64_MAX;
    population->families = calloc(count, sizeof *population->families);
    population->sources = calloc(count, sizeof *population->sources);
    population->room = calloc(count, sizeof *population->room);
    population->energies = calloc(count, sizeof *population->energies);
    if (population->families == NULL || population->sources == NULL || population->room == NULL ||
        population->energies == NULL)
        CLUP_TRY(clup_fail_memory("the population"));
    for (uint32_t r = 0; r < count; r++)
        population->families[r] = r;
    *out = population;
done:
    if (status != CLUP_OK)
        clup_population_free(population);
    return status;
}

void clup_population_free(clup_population *population)
{
    if (population == NULL)
        return;
    free(population->families);
    free(population->sources);
    free(population->room);
    free(population->energies);
    free(population);
}

clup_status clup_population_resample(clup_population *population, double beta)
{
    CLUP_NEED(population);
    const clup_simulation *simulation = population->simulation;
    const double before = simulation->betas[0];
    const bool known = simulation->records.count > 0;
    clup_population_step last;
    double ratio;
    clup_status status;
    /* for the last energies */
    if (population->taken != simulation->sweeps)
        CLUP_TRY(clup_population_take(population, &last));
    CLUP_TRY(clup_simulation_resample(population->simulation, beta, population->sources, &ratio));
    memcpy(population->room, population->families, population->count * sizeof *population->room);
    population->difference = beta - before;
    population->ratio = ratio;
    population->ln_z += ratio;
    population->gap = population->gap_now;
    population->began = simulation->sweeps;
    population->taken = UINT64_MAX;
    population->start = known ? 0 : NAN;
    for (uint32_t r = 0; r < population->count; r++) {
        population->families[r] = population->room[population->sources[r]];
        population->start += population->energies[population->sources[r]] / population->count;
    }
done:
    return status;
}

/* Counts the families, and computes the mean size of the family of a system. */
static void count_families(const clup_population *population, clup_population_step *step)
{
    uint32_t *sizes = population->room;
    memset(sizes, 0, population->count * sizeof *sizes);
    for (uint32_t r = 0; r < population->count; r++)
        sizes[population->families[r]]++;
    for (uint32_t f = 0; f < population->count; f++) {
        step->families += sizes[f] > 0;
        step->rho += (double)sizes[f] * sizes[f];
    }
    step->rho /= population->count;
    step->effective = population->count / step->rho;
    step->collapsed = step->effective < CLUP_FAMILIES_LEAST && step->rho > 1;
}

clup_status clup_population_take(clup_population *population, clup_population_step *step)
{
    clup_status status = CLUP_OK;
    CLUP_NEED(population);
    CLUP_NEED(step);
    const clup_simulation *simulation = population->simulation;
    const size_t sweeps = simulation->records.count;
    const double count = population->count;
    *step = (clup_population_step){.beta = simulation->betas[0],
                                   .energy = NAN,
                                   .error = NAN,
                                   .ln_z = population->ln_z,
                                   .ln_z_error = NAN};
    count_families(population, step);
    if (sweeps == 0)
        return CLUP_OK;
    const uint64_t done = simulation->sweeps - population->began,
                   measured = sweeps * simulation->engine->measuring.every,
                   before = done > measured ? done - measured : 0;
    double *room = calloc(4 * sweeps, sizeof *room);
    if (room == NULL)
        return clup_fail_memory("the population");
    energies all = {.sums = room + sweeps,
                    .squares = room + 2 * sweeps,
                    .products = room + 3 * sweeps,
                    .largest = -INFINITY};
    CLUP_TRY(read_averages(population, sweeps, room, &all));
    const double memory = memory_of(correlation(&all, sweeps, count), before, sweeps);
    step->energy = all.origin + all.mean;
    step->error = energy_error(&all, population, count, step->rho, memory);
    population->gap_now = population->gap;
    if (!isnan(population->start))
        population->gap_now += other_ratio(&all, (double)sweeps * count) - population->ratio;
    population->taken = simulation->sweeps;
    step->ln_z_error = ln_z_error(step->rho, count, population->gap_now);
done:
    free(room);
    return status;
}
