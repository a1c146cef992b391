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
 * wanted mean is NAN are not compared. */
static inline double worst_sigma(clup_context *context, const clup_problem *problem,
                                 const clup_method *method, uint32_t systems, uint64_t count,
                                 const clup_observable *of, const double *wanted,
                                 unsigned observables, unsigned *worst_of)
{
    clup_problem several = *problem;
    clup_simulation *simulation;
    double worst = 0, *values = malloc(count * sizeof *values);
    several.replicas = systems;
    several.disorder_samples = 1;
    *worst_of = 0;
    NEED(
        clup_simulation_create(context, &several, method, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, of, observables, 1));
    NEED(clup_simulation_run(simulation, 30, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, count, 1, NULL, NULL));
    for (unsigned k = 0; k < observables; k++) {
        double sum = 0, squares = 0;
        for (uint32_t r = 0; r < systems; r++) {
            double mean = 0;
            NEED(clup_simulation_series(simulation, r, of[k], 0, count, values));
            for (uint64_t t = 0; t < count; t++)
                mean += values[t] / (double)count;
            sum += mean / systems;
            squares += mean * mean / systems;
        }
        /* what no state changes has no spread */
        const double error = sqrt((squares - sum * sum) / (systems - 1)),
                     sigma = fabs(sum - wanted[k]) < 1e-6 ? 0 : fabs(sum - wanted[k]) / error;
        if (!isnan(wanted[k]) && !(sigma <= worst))
            worst = sigma, *worst_of = k;
    }
    clup_simulation_free(simulation);
    free(values);
    return worst;
}

#endif
