/* SPDX-License-Identifier: BSD-3-Clause */
/* How often intervals of 95 % have the true value, how often two errors do, and what is left of the
 * bias of specific heat and susceptibility: of runs of the library on the host, of some 50 to 150
 * tau_int, at the critical point, above and below it, and where excitations are rare. Takes
 * minutes, and is no part of "make check", where t_interval looks at one place.
 *
 * coverage [RUNS]: 2000 by default. The true value of what is not known exactly is that of all runs
 * together. Of a share from n runs the error is sqrt(0.95 0.05/n); one that is off by 2 % and 3 of
 * these is marked, and the exit code is 1. The last columns are the shares of runs with the note on
 * few events, and of two errors' hits among these and the others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clup.h"
#include "tap.h"

static const struct place {
    uint32_t size;
    double beta_ratio;
    unsigned sweeps;
} places[] = {{16, 1, 175},    {16, 1, 260},    {16, 1, 525},   {8, 1, 200},   {32, 1, 350},
              {16, 1.05, 300}, {16, 0.92, 300}, {16, 1.6, 400}, {16, 2.5, 800}};

static const clup_observable rows[] = {CLUP_ENERGY, CLUP_ABS_M, CLUP_BINDER, CLUP_SPECIFIC_HEAT,
                                       CLUP_SUSCEPTIBILITY};
enum { ROWS = sizeof rows / sizeof *rows };

static int marked;

/* The exact value, or that of all runs together, whose means of this and that are known. */
static double truth_of(clup_observable observable, const clup_problem *problem,
                       const double means[CLUP_OBSERVABLES])
{
    const double sites = (double)clup_problem_sites(problem);
    double energy, heat;
    NEED(clup_exact_ising(problem, &energy, &heat));
    return observable == CLUP_ENERGY          ? energy
           : observable == CLUP_SPECIFIC_HEAT ? heat
           : observable == CLUP_SUSCEPTIBILITY
               ? problem->beta * sites * (means[CLUP_M2] - means[CLUP_ABS_M] * means[CLUP_ABS_M])
           : observable == CLUP_BINDER ? 1 - means[CLUP_M4] / (3 * means[CLUP_M2] * means[CLUP_M2])
                                       : means[observable];
}

static void print(const clup_estimate (*estimates)[CLUP_OBSERVABLES], uint32_t runs,
                  clup_observable observable, double truth)
{
    double mean = 0, scatter = 0, tau = 0;
    unsigned inside = 0, above = 0, by_errors = 0, noted = 0, noted_hits = 0, known = 0;
    for (uint32_t r = 0; r < runs; r++) {
        const clup_estimate *estimate = &estimates[r][observable];
        if (!(estimate->error > 0))
            continue;
        const int few = clup_estimate_note(estimate) == CLUP_NOTE_FEW_EVENTS,
                  hit = fabs(estimate->mean - truth) < 2 * estimate->error;
        known++;
        mean += estimate->mean;
        tau += estimate->tau_int;
        scatter += (estimate->mean - truth) * (estimate->mean - truth);
        inside += estimate->low <= truth && truth <= estimate->high;
        above += truth < estimate->low;
        by_errors += hit;
        noted += few;
        noted_hits += few && hit;
    }
    const double n = known, share = inside / n;
    const int off = fabs(share - 0.95) > 0.02 + 3 * sqrt(0.95 * 0.05 / n);
    marked |= off;
    printf("  %-16s%9.2f%10.4f +- %.4f%9.1f%8.1f%8.1f%9.1f%9.1f%9.1f%9.1f%s\n",
           clup_observable_name(observable), tau / n, mean / n / truth - 1,
           sqrt(scatter / n / n) / fabs(truth), 100 * share, 100 * above / n,
           100 * (n - inside - above) / n, 100 * by_errors / n, 100 * noted / n,
           noted > 0 ? 100. * noted_hits / noted : NAN,
           known > noted ? 100. * (by_errors - noted_hits) / (known - noted) : NAN,
           off ? " off" : "");
}

static void table(const struct place *place, uint32_t runs)
{
    const clup_problem problem = {.size = {place->size, place->size},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = place->beta_ratio *
                                          clup_critical_beta(CLUP_LATTICE_SQUARE, 2),
                                  .replicas = runs};
    const clup_plan_request request = {0};
    clup_plan plan;
    clup_simulation *simulation;
    double means[CLUP_OBSERVABLES] = {0};
    clup_estimate(*estimates)[CLUP_OBSERVABLES] = malloc(runs * sizeof *estimates);
    if (estimates == NULL)
        exit(1);
    NEED(clup_plan_choose(NULL, &problem, NULL, &request, &plan));
    NEED(clup_simulation_create(NULL, &problem, NULL, &plan, 1, CLUP_START_ORDERED, &simulation));
    NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, place->sweeps, 1, NULL, NULL));
    NEED(clup_simulation_estimates(simulation, 0, runs, estimates[0]));
    clup_simulation_free(simulation);
    for (uint32_t r = 0; r < runs; r++)
        for (unsigned k = 0; k < CLUP_OBSERVABLES; k++)
            means[k] += estimates[r][k].mean / runs;
    printf("%u x %u, %g beta_c, %u sweeps, %u runs\n  %-16s%9s%20s%9s%8s%8s%9s%9s%9s%9s\n",
           (unsigned)place->size, (unsigned)place->size, place->beta_ratio, place->sweeps,
           (unsigned)runs, "", "tau_int", "bias", "inside", "above", "below", "2 sigma", "noted",
           "hits", "others");
    for (unsigned k = 0; k < ROWS; k++)
        print((const clup_estimate(*)[CLUP_OBSERVABLES])estimates, runs, rows[k],
              truth_of(rows[k], &problem, means));
    fflush(stdout);
    free(estimates);
}

int main(int argc, char **argv)
{
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        table(&places[k], argc > 1 ? (uint32_t)atoi(argv[1]) : 2000);
    return marked;
}
