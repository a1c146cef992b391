/* SPDX-License-Identifier: BSD-3-Clause */
/* Population annealing: the energy and ln Z of a step, and their errors from the families of its
 * systems. */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/simulate/simulate.h"

/* From this memory on, systems resemble those that they are copies of so much that only families
 * count as independent. */
#define MEMORY_MOST 0.5

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
static double energy_error(const energies *all, const simulate_lineage *lineage, double count,
                           double rho, double memory)
{
    const double own = all->variance / count, away = lineage->start - all->origin - all->mean,
                 known = fmax(0, away * away - 2 * own), share = memory / (1 - memory);
    if (isnan(lineage->start))
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

static double ln_z_error(double rho, double count, double gap)
{
    const double families = (rho - 1) / count;
    /* the gap of a population that is large enough scatters by about the root of 3 families */
    return sqrt(families + fmax(0, gap * gap - 3 * families));
}

static clup_status read(const clup_simulation *simulation, uint32_t count, double sites,
                        simulate_lineage *lineage, double *values, energies *all)
{
    const size_t sweeps = (size_t)clup_simulation_measured(simulation);
    double squares = 0;
    for (uint32_t r = 0; r < count; r++) {
        const clup_status status = clup_simulation_series(simulation, r, CLUP_ENERGY, 0, sweeps,
                                                          values);
        if (status != CLUP_OK)
            return status;
        if (r == 0)
            all->origin = values[0];
        const double mean = add(all, values, sweeps, sites, lineage->difference);
        all->mean += mean / count;
        squares += mean * mean / count;
        lineage->energies[r] = values[sweeps - 1];
    }
    all->variance = fmax(0, squares - all->mean * all->mean);
    return CLUP_OK;
}

clup_status simulate_take_energies(const clup_simulation *simulation,
                                   const simulate_request *request, simulate_lineage *lineage,
                                   struct simulate_population *step)
{
    const uint32_t count = simulate_replicas(request);
    const size_t sweeps = (size_t)clup_simulation_measured(simulation);
    const double sites = (double)clup_problem_sites(&request->problem);
    step->energy = step->error = step->ln_z_error = NAN;
    if (sweeps == 0)
        return CLUP_OK;
    double *room = calloc(4 * sweeps, sizeof *room);
    if (room == NULL)
        exit(cli_fail_memory("the population"));
    energies all = {.sums = room + sweeps,
                    .squares = room + 2 * sweeps,
                    .products = room + 3 * sweeps,
                    .largest = -INFINITY};
    const clup_status status = read(simulation, count, sites, lineage, room, &all);
    if (status == CLUP_OK) {
        const double memory = memory_of(correlation(&all, sweeps, count), request->thermalize,
                                        sweeps);
        step->energy = all.origin + all.mean;
        step->error = energy_error(&all, lineage, count, step->rho, memory);
        if (!isnan(lineage->start))
            lineage->gap += other_ratio(&all, (double)sweeps * count) - lineage->ratio;
        step->ln_z_error = ln_z_error(step->rho, count, lineage->gap);
    }
    free(room);
    return status;
}
