/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by tests that compare means with exact ones. */
#ifndef CLUP_TESTS_EXACT_MEANS_H
#define CLUP_TESTS_EXACT_MEANS_H
#include <math.h>
#include <stdlib.h>

#include "clup.h"
#include "tap.h"

/* Simulates so many systems with one sample of disorder, and compares the means of observables over
 * count sweeps with those that are wanted, by the spread between the systems. Returns the largest
 * distance in standard deviations; *worst_of becomes the number of that observable. Those whose
 * wanted mean is NAN are not compared. Wolff's algorithm, which has one system at a time, has seeds
 * in place of systems. */
static inline double worst_sigma(clup_context *context, const clup_problem *problem,
                                 const clup_method *method, uint32_t systems, uint64_t count,
                                 const clup_observable *of, const double *wanted,
                                 unsigned observables, unsigned *worst_of)
{
    clup_problem several = *problem;
    clup_simulation *simulation;
    const uint32_t seeds = method != NULL && method->algorithm == CLUP_WOLFF ? systems : 1;
    double worst = 0, *values = malloc(count * sizeof *values),
           *sums = calloc(2 * observables, sizeof *sums), *squares = sums + observables;
    several.replicas = systems / seeds;
    several.disorder_samples = 1;
    *worst_of = 0;
    for (uint32_t seed = 0; seed < seeds; seed++) {
        NEED(clup_simulation_create(context, &several, method, NULL, 3 + seed, CLUP_START_RANDOM,
                                    &simulation));
        NEED(clup_simulation_observe(simulation, of, observables, 1));
        NEED(clup_simulation_run(simulation, 30, 0, NULL, NULL));
        NEED(clup_simulation_run(simulation, count, 1, NULL, NULL));
        for (unsigned k = 0; k < observables; k++)
            for (uint32_t r = 0; r < several.replicas; r++) {
                double mean = 0;
                NEED(clup_simulation_series(simulation, r, of[k], 0, count, values));
                for (uint64_t t = 0; t < count; t++)
                    mean += values[t] / (double)count;
                sums[k] += mean / systems;
                squares[k] += mean * mean / systems;
            }
        clup_simulation_free(simulation);
    }
    for (unsigned k = 0; k < observables; k++) {
        /* what no state changes has no spread */
        const double away = fabs(sums[k] - wanted[k]),
                     error = sqrt((squares[k] - sums[k] * sums[k]) / (systems - 1)),
                     sigma = away < 1e-6 ? 0 : away / error;
        if (!isnan(wanted[k]) && !(sigma <= worst))
            worst = sigma, *worst_of = k;
    }
    free(values), free(sums);
    return worst;
}

#endif
