/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages over samples of disorder, beside averages that are made of the series; and over systems
 * without disorder. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "clup.h"
#include "tap.h"

enum { SAMPLES = 3, COPIES = 2, SYSTEMS = SAMPLES * COPIES, BETAS = 2, COUNT = 50 };
enum { ENERGY, SPECIFIC_HEAT, BINDER, OVERLAP2, OVERLAP_BINDER, AVERAGED };

static clup_context *context;
static clup_observable of[AVERAGED], m2, m4, overlap4;

/* Returns the mean of an observable over the sweeps of a replica. */
static double mean_of(const clup_simulation *simulation, uint32_t replica,
                      clup_observable observable)
{
    double values[COUNT], mean = 0;
    NEED(clup_simulation_series(simulation, replica, observable, 0, COUNT, values));
    for (unsigned t = 0; t < COUNT; t++)
        mean += values[t] / COUNT;
    return mean;
}

/* Returns the mean of numbers[SAMPLES], but for one. */
static double mean_but(const double *numbers, unsigned without)
{
    double sum = 0;
    for (unsigned s = 0; s < SAMPLES; s++)
        sum += s != without ? numbers[s] : 0;
    return sum / (SAMPLES - (without < SAMPLES));
}

/* Averages over samples: of a ratio where fourths is not NULL, 1 - [fourths]/(3 [numbers]^2). */
static clup_average average_of(const double *numbers, const double *fourths)
{
    double values[SAMPLES + 1], mean = 0, squares = 0;
    for (unsigned s = 0; s <= SAMPLES; s++) {
        const double own = mean_but(numbers, s);
        values[s] = fourths == NULL ? own : 1 - mean_but(fourths, s) / (3 * own * own);
    }
    for (unsigned s = 0; s < SAMPLES; s++)
        mean += values[s] / SAMPLES;
    for (unsigned s = 0; s < SAMPLES; s++)
        squares += (values[s] - mean) * (values[s] - mean);
    return (clup_average){
        .estimate = {.mean = values[SAMPLES], .error = sqrt(squares * (SAMPLES - 1) / SAMPLES)}};
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static void check(const clup_simulation *simulation, uint32_t first)
{
    double means[AVERAGED + 2][SAMPLES] = {{0}};
    clup_average found[AVERAGED], wanted[AVERAGED];
    uint32_t systems, samples;
    for (uint32_t r = 0; r < SYSTEMS; r++) {
        clup_estimate heat;
        const unsigned s = r % SAMPLES;
        NEED(clup_simulation_estimates_of(simulation, &of[SPECIFIC_HEAT], 1, first + r, 1, &heat));
        means[ENERGY][s] += mean_of(simulation, first + r, CLUP_ENERGY) / COPIES;
        means[SPECIFIC_HEAT][s] += heat.mean / COPIES;
        means[BINDER][s] += mean_of(simulation, first + r, m2) / COPIES;
        means[OVERLAP2][s] += mean_of(simulation, first + r, of[OVERLAP2]) / COPIES;
        means[AVERAGED][s] += mean_of(simulation, first + r, m4) / COPIES;
        means[AVERAGED + 1][s] += mean_of(simulation, first + r, overlap4) / COPIES;
    }
    for (unsigned k = 0; k < AVERAGED; k++)
        wanted[k] = average_of(means[k], NULL);
    wanted[BINDER] = average_of(means[BINDER], means[AVERAGED]);
    wanted[OVERLAP_BINDER] = average_of(means[OVERLAP2], means[AVERAGED + 1]);
    NEED(clup_simulation_averages(simulation, first + SYSTEMS - 1, of, AVERAGED, found, &systems,
                                  &samples));
    ok(systems == SYSTEMS && samples == SAMPLES, "%u systems of %u samples", systems, samples);
    for (unsigned k = 0; k < AVERAGED; k++)
        ok(near(found[k].estimate.mean, wanted[k].estimate.mean) &&
               near(found[k].estimate.error, wanted[k].estimate.error),
           "%s: %.9g(%.3g), by the series %.9g(%.3g)", clup_observable_name(of[k]),
           found[k].estimate.mean, found[k].estimate.error, wanted[k].estimate.mean,
           wanted[k].estimate.error);
}

static clup_simulation *simulate(const clup_problem *problem)
{
    clup_simulation *simulation;
    NEED(clup_simulation_create(context, problem, NULL, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, of, AVERAGED, 1));
    NEED(clup_simulation_run(simulation, COUNT, 1, NULL, NULL));
    return simulation;
}

int main(void)
{
    static const char *const names[] = {"energy", "specific_heat", "binder", "overlap2",
                                        "overlap_binder"};
    double betas[BETAS * SYSTEMS];
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {12, 10},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.4,
                            .betas = betas,
                            .disorder = {0.3, 0.2},
                            .disorder_samples = SAMPLES,
                            .replicas = BETAS * SYSTEMS};
    clup_average found[AVERAGED];
    uint32_t systems, samples;
    NEED(clup_context_create(NULL, &context));
    for (unsigned k = 0; k < AVERAGED; k++)
        NEED(clup_observable_named(names[k], &of[k]));
    NEED(clup_observable_named("m2", &m2));
    NEED(clup_observable_named("m4", &m4));
    NEED(clup_observable_named("overlap4", &overlap4));
    for (unsigned r = 0; r < BETAS * SYSTEMS; r++)
        betas[r] = 0.4 + 0.2 * (r / SYSTEMS);
    clup_simulation *simulation = simulate(&problem);
    check(simulation, 0);
    check(simulation, SYSTEMS);
    clup_simulation_free(simulation);

    problem.disorder[0] = problem.disorder[1] = 0, problem.betas = NULL;
    simulation = simulate(&problem);
    NEED(clup_simulation_averages(simulation, 0, of, AVERAGED, found, &systems, &samples));
    ok(systems == BETAS * SYSTEMS && samples == systems && found[ENERGY].estimate.error > 0,
       "without disorder, %u systems count as %u samples", systems, samples);
    ok(found[OVERLAP2].estimate.mean > 0 && isnan(found[OVERLAP2].estimate.error),
       "of their overlaps the error is not known");
    clup_simulation_free(simulation);
    clup_context_free(context);
    return done_testing();
}
