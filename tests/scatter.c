/* SPDX-License-Identifier: BSD-3-Clause */
/* How well errors are known: of all observables, plain, improved and functions of means, the
 * scatter over independent systems, each with random numbers of its own, divided by the mean of
 * their quoted errors. Takes minutes, and is no part of "make check", where t_errors looks at some.
 *
 * scatter [SYSTEMS [SWEEPS]]: at the critical point, L = 16 and 32, q = 2 and 3. Of a ratio from n
 * systems the error is 1/sqrt(2 n); one that is off by 4 of these is marked, and the exit code is
 * 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clup.h"
#include "tap.h"

static int marked;

static void table(clup_context *context, uint32_t size, unsigned q, uint32_t systems,
                  uint64_t sweeps)
{
    const clup_problem problem = {.size = {size, size},
                                  .periodic = {1, 1},
                                  .q = q,
                                  .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, q),
                                  .replicas = systems};
    clup_simulation *simulation;
    clup_observable all[CLUP_OBSERVABLES];
    clup_estimate *estimates = malloc((size_t)systems * CLUP_OBSERVABLES * sizeof *estimates);
    if (estimates == NULL)
        exit(1);
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++)
        all[k] = k;
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, all, CLUP_OBSERVABLES, 1));
    NEED(clup_simulation_run(simulation, 300, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    for (uint32_t r = 0; r < systems; r++)
        NEED(clup_simulation_estimate(simulation, r, estimates + (size_t)r * CLUP_OBSERVABLES));
    clup_simulation_free(simulation);
    printf("%u x %u, q = %u, %llu sweeps, %u systems\n  %-18s%14s%14s%14s%9s%9s\n", (unsigned)size,
           (unsigned)size, q, (unsigned long long)sweeps, (unsigned)systems, "", "mean", "scatter",
           "error", "ratio", "tau_int");
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++) {
        const double n = systems, origin = estimates[k].mean;
        double sum = 0, squares = 0, error = 0, tau = 0;
        for (uint32_t r = 0; r < systems; r++) {
            const clup_estimate *estimate = &estimates[(size_t)r * CLUP_OBSERVABLES + k];
            const double off = estimate->mean - origin;
            sum += off / n;
            squares += off * off / n;
            error += estimate->error / n;
            tau += estimate->tau_int / n;
        }
        const double scatter = sqrt((squares - sum * sum) * n / (n - 1)), ratio = scatter / error;
        if (!(error > 0))
            continue;
        const int off = fabs(ratio - 1) > 4 / sqrt(2 * n);
        marked |= off;
        printf("  %-18s%14.7f%14.7f%14.7f%9.3f%9.2f%s\n", clup_observable_name(k), origin + sum,
               scatter, error, ratio, tau, off ? " off" : "");
    }
    fflush(stdout);
    free(estimates);
}

int main(int argc, char **argv)
{
    const uint32_t systems = argc > 1 ? (uint32_t)atoi(argv[1]) : 400;
    const uint64_t sweeps = argc > 2 ? (uint64_t)atoll(argv[2]) : 2000;
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    for (uint32_t size = 16; size <= 32; size *= 2)
        for (unsigned q = 2; q <= 3; q++)
            table(context, size, q, systems, sweeps);
    clup_context_free(context);
    return marked;
}
