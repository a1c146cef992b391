/* SPDX-License-Identifier: BSD-3-Clause */
/* The marginal standard error rule leaves out what leads to equilibrium: the mean of the other
 * values has no bias beside its error, and lies within two errors as often as that of a series that
 * began in equilibrium. What is left out of a simulation is left out of all that it gives, and a
 * checkpoint keeps it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clup.h"
#include "estimate/mser.h"
#include "estimate/series.h"
#include "run/checkpoint.h"
#include "noise.h"
#include "tap.h"

enum { SEEDS = 1000, COUNT = 4000 };

/* A process of mean 0, variance 1 and rho = keep^t, with a start that is so far away and is
 * forgotten in so many values. */
static void process(double keep, double away, double forgotten, double *values)
{
    double value = normal();
    for (unsigned k = 0; k < COUNT; k++) {
        values[k] = value + away * exp(-(double)k / forgotten);
        value = keep * value + sqrt(1 - keep * keep) * normal();
    }
}

static void check_process(double keep, double away, double forgotten, double bias_most,
                          double inside_least)
{
    static double values[COUNT];
    double left_out = 0, bias = 0, without = 0;
    unsigned inside = 0, unsettled = 0;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        bool settled;
        process(keep, away, forgotten, values);
        const size_t d = clup_mser(values, COUNT, &settled);
        const clup_estimate estimate = clup_series_estimate(values + d, COUNT - d),
                            all = clup_series_estimate(values, COUNT);
        left_out += (double)d / SEEDS;
        bias += estimate.mean / estimate.error / SEEDS;
        without += all.mean / all.error / SEEDS;
        inside += fabs(estimate.mean) < 2 * estimate.error;
        unsettled += !settled;
    }
    printf("# rho = %g^t, %g away and forgotten in %g values: %.0f of %d left out, not settled "
           "%.1f %%, off by %.2f errors, %.2f with all values; within two errors %.1f %%\n",
           keep, away, forgotten, left_out, COUNT, 100. * unsettled / SEEDS, bias, without,
           100. * inside / SEEDS);
    ok(inside > inside_least * SEEDS && inside < 0.974 * SEEDS && fabs(bias) < bias_most &&
           fabs(bias) <= 0.1 + 0.7 * without && unsettled < 0.05 * SEEDS,
       "the start, %g away, is left out", away);
}

static void check_bounds(void)
{
    static double values[COUNT];
    bool settled;
    ok(clup_mser(values, 19, &settled) == 0 && !settled, "19 values do not tell");
    ok(clup_mser(values, COUNT, &settled) == 0 && settled, "of equal values none is left out");
    for (unsigned k = 0; k < 1000; k++)
        values[k] = 1;
    ok(clup_mser(values, COUNT, &settled) == 1000 && settled,
       "all that differ from later, equal ones are");
    for (unsigned k = 0; k < COUNT; k++)
        values[k] = k;
    ok(clup_mser(values, COUNT, &settled) == COUNT / 2 && !settled,
       "half of a series that goes on changing, which is said");
    ok(clup_mser(values, COUNT + 3 - 5, &settled) == (COUNT - 2) / 2, "of any length");
}

static clup_simulation *simulate(uint64_t unmeasured, uint64_t sweeps)
{
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {8, 8},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.42,
                                  .replicas = 3};
    const clup_method method = {.algorithm = CLUP_HEAT_BATH};
    clup_simulation *simulation;
    NEED(clup_simulation_create(NULL, &problem, &method, NULL, 1, CLUP_START_ORDERED, &simulation));
    if (unmeasured > 0)
        NEED(clup_simulation_run(simulation, unmeasured, 0, NULL, NULL));
    /* in parts, which are in several chunks */
    for (uint64_t done = unmeasured; done < sweeps; done += 100)
        NEED(clup_simulation_run(simulation, sweeps - done < 100 ? sweeps - done : 100, 1, NULL,
                                 NULL));
    return simulation;
}

static void check_simulation(void)
{
    enum { SWEEPS = 8000, REPLICAS = 3 };
    clup_simulation *simulation = simulate(0, SWEEPS);
    clup_equilibration found, again;
    NEED(clup_simulation_equilibration(simulation, &found));
    ok(found.left_out > 0 && found.left_out < SWEEPS / 10 && found.settled && found.replica == 0,
       "%u sweeps lead to equilibrium, by %s", (unsigned)found.left_out,
       clup_observable_name(found.observable));
    static const uint64_t numbers[] = {0, 1, 5000, 7990, 7};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const uint64_t d = k == 0 ? found.left_out : numbers[k];
        clup_simulation *shorter = simulate(d, SWEEPS);
        clup_estimate a[REPLICAS][CLUP_OBSERVABLES], b[REPLICAS][CLUP_OBSERVABLES];
        double worst = 0;
        NEED(clup_simulation_leave_out(simulation, d));
        NEED(clup_simulation_estimates(simulation, 0, REPLICAS, a[0]));
        NEED(clup_simulation_estimates(shorter, 0, REPLICAS, b[0]));
        for (unsigned r = 0; r < REPLICAS; r++)
            worst = fmax(worst, fabs(a[r][CLUP_BINDER].mean - b[r][CLUP_BINDER].mean) +
                                    fabs(a[r][CLUP_ENERGY].error - b[r][CLUP_ENERGY].error));
        ok(worst == 0 && clup_simulation_measured(simulation) == SWEEPS - d,
           "without %u sweeps estimates are those of the others", (unsigned)d);
        clup_simulation_free(shorter);
    }
    ok(clup_simulation_leave_out(simulation, SWEEPS) == CLUP_ERROR_USAGE, "all cannot be left out");
    clup_checkpoint *checkpoint;
    clup_simulation *loaded;
    NEED(clup_simulation_leave_out(simulation, 1000));
    NEED(clup_checkpoint_take(simulation, &checkpoint));
    NEED(clup_simulation_load(NULL, checkpoint, NULL, &loaded));
    NEED(clup_simulation_equilibration(loaded, &again));
    ok(clup_simulation_measured(loaded) == SWEEPS && again.left_out == found.left_out,
       "a checkpoint has all sweeps, and they tell the same");
    clup_checkpoint_free(checkpoint);
    clup_simulation_free(loaded);
    clup_simulation_free(simulation);
}

int main(void)
{
    check_bounds();
    check_process(0.8, 0, 1, 0.1, 0.934);
    check_process(0.8, 10, 50, 0.3, 0.934);
    check_process(0.95, 5, 20, 0.15, 0.93);
    /* what is hidden in the scatter of the values is left out in part alone */
    check_process(0.5, 1, 100, 0.7, 0.89);
    check_simulation();
    return done_testing();
}
