/* SPDX-License-Identifier: BSD-3-Clause */
/* Quoted errors are the standard deviations of means. Simulates many independent systems. For each
 * observable, divides the standard deviation of their means by the mean of their errors; for skewed
 * observables, where a few runs have most of the deviation, by the root mean square of the errors.
 * The exact specific heat must be in as many of their intervals as the intervals claim. Runs are at
 * least 50 tau_int long. Seeds are fixed, so that figures are reproducible.
 *
 * t_errors [SEEDS [SWEEPS L Q LATTICE BETA_RATIO]] prints the table for so many seeds, also of one
 * more system. */
#include <math.h>
#include <stdlib.h>

#include "clup.h"
#include "tap.h"

static clup_context *context;

/* When more than this fraction of runs have a note about few events, errors may be wrong. */
#define NOTED_MOST 0.25
#define LEAST 0.95
#define MOST 1.10

static const struct trial {
    clup_lattice_kind lattice;
    uint32_t size;
    unsigned q, sweeps;
    double beta_ratio;
} trials[] = {
    {CLUP_LATTICE_SQUARE, 16, 2, 180, 1},
    {CLUP_LATTICE_SQUARE, 16, 2, 600, 1},
    {CLUP_LATTICE_SQUARE, 12, 4, 600, 1},
    {CLUP_LATTICE_CUBIC, 6, 2, 300, 1},
    {CLUP_LATTICE_SQUARE, 16, 2, 100, 0.5 / 0.881373587},
};

/* Results of one observable in all systems. */
typedef struct scatter {
    double sum, squares, errors, squared_errors, taus;
    unsigned noted, shorter, inside;
} scatter;

static void add(scatter *scatter, const clup_estimate *estimate, double origin, double exact)
{
    const clup_note note = clup_estimate_note(estimate);
    scatter->sum += estimate->mean - origin;
    scatter->squares += (estimate->mean - origin) * (estimate->mean - origin);
    scatter->errors += estimate->error;
    scatter->squared_errors += estimate->error * estimate->error;
    scatter->inside += estimate->low <= exact && exact <= estimate->high;
    scatter->taus += estimate->tau_int;
    scatter->noted += note == CLUP_NOTE_FEW_EVENTS;
    scatter->shorter += note == CLUP_NOTE_SHORT;
}

static void check(const struct trial *trial, uint32_t seeds)
{
    const int space = clup_lattice_axes(trial->lattice) > 2;
    const clup_problem problem = {.lattice = trial->lattice,
                                  .size = {trial->size, trial->size, space ? trial->size : 1},
                                  .periodic = {1, 1, 1},
                                  .q = trial->q,
                                  .beta = trial->beta_ratio *
                                          clup_critical_beta(trial->lattice, trial->q),
                                  .replicas = seeds};
    const clup_plan_request request = {0};
    scatter scatters[CLUP_OBSERVABLES] = {0};
    double origins[CLUP_OBSERVABLES], energy, heat = 0;
    const int known = clup_exact_ising(&problem, &energy, &heat) == CLUP_OK;
    clup_simulation *simulation;
    clup_plan plan;
    /* labels are slow on small lattices, and the spins are equal on the host */
    clup_context *where = trial->lattice == CLUP_LATTICE_SQUARE ? context : NULL;
    NEED(clup_plan_choose(where, &problem, NULL, &request, &plan));
    NEED(clup_simulation_create(where, &problem, NULL, &plan, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, (const clup_observable[]){CLUP_CLUSTERS}, 1, 1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, trial->sweeps, 1, NULL, NULL));
    for (uint32_t r = 0; r < seeds; r++) {
        clup_estimate estimates[CLUP_OBSERVABLES];
        NEED(clup_simulation_estimate(simulation, r, estimates));
        for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++) {
            origins[k] = r == 0 ? estimates[k].mean : origins[k];
            add(&scatters[k], &estimates[k], origins[k], heat);
        }
    }
    clup_simulation_free(simulation);
    printf("# %s %u, q = %u, beta = %.4g beta_c, %u sweeps, %u systems\n",
           clup_lattice_name(trial->lattice), trial->size, trial->q, trial->beta_ratio,
           trial->sweeps, seeds);
    for (clup_observable k = 0; k < CLUP_UPDATED; k++) {
        const scatter *of = &scatters[k];
        const double n = seeds, tau = of->taus / n,
                     ratio = sqrt((of->squares - of->sum * of->sum / n) / (n - 1)) /
                             (of->errors / n),
                     by_squares = ratio * of->errors / n / sqrt(of->squared_errors / n),
                     noted = of->noted / n;
        const int shorter = trial->sweeps < 50 * tau;
        ok((ratio > LEAST && ratio < MOST) || (by_squares > LEAST && by_squares < MOST) ||
               noted > NOTED_MOST || (shorter && of->shorter > seeds / 4),
           "%s: %.2f or %.2f, tau_int %.2f, %.0f tau_int, few events in %.0f %%",
           clup_observable_name(k), ratio, by_squares, tau, trial->sweeps / tau, 100 * noted);
    }
    const double share = 100. * scatters[CLUP_SPECIFIC_HEAT].inside / seeds;
    ok(!known || fabs(share - 95) < 2 + 2 * 100 * sqrt(0.95 * 0.05 / seeds),
       "the exact specific heat is in %.1f %% of the intervals", share);
}

int main(int argc, char **argv)
{
    const uint32_t seeds = argc > 1 ? (uint32_t)atoi(argv[1]) : 800;
    NEED(clup_context_create(NULL, &context));
    if (argc > 6)
        check(&(struct trial){(clup_lattice_kind)atoi(argv[5]), (uint32_t)atoi(argv[3]),
                              (unsigned)atoi(argv[4]), (unsigned)atoi(argv[2]), atof(argv[6])},
              seeds);
    for (size_t k = 0; k < sizeof trials / sizeof *trials && argc <= 6; k++)
        check(&trials[k], seeds);
    clup_context_free(context);
    return done_testing();
}
