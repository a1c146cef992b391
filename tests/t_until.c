/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulation ends when its errors are small enough: after a number of sweeps that is a function
 * of the measured values, also where it ran in parts; not while it is short, or its replicas
 * disagree; and with a mean that is within two errors of the exact value nearly as often as that of
 * a run of fixed length. */
#include <math.h>
#include <stdlib.h>

#include "clup.h"
#include "run/checkpoint.h"
#include "run/simulation.h"
#include "tap.h"

enum { SEEDS = 1000, SIDE = 4, MOST = 20000 };

static const clup_problem tiny = {.model = CLUP_ISING,
                                  .size = {SIDE, SIDE},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.4406868,
                                  .replicas = 1};

static clup_simulation *create(const clup_problem *problem, uint64_t seed)
{
    clup_simulation *simulation;
    NEED(clup_simulation_create(NULL, problem, NULL, NULL, seed, CLUP_START_RANDOM, &simulation));
    return simulation;
}

/* How often the exact energy is within two errors of runs that ended by themselves. */
static void check_coverage(uint32_t replicas, double error, double inside_least, double bias_most)
{
    const clup_target target = {.observable = CLUP_ENERGY, .error = error};
    const clup_observable energy = CLUP_ENERGY;
    clup_problem problem = tiny;
    double exact, heat, bias = 0, sweeps = 0;
    unsigned inside = 0, ended = 0;
    problem.replicas = replicas;
    NEED(clup_exact_ising(&tiny, &exact, &heat));
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        clup_simulation *simulation = create(&problem, 1 + seed);
        clup_average average;
        int reached;
        NEED(clup_simulation_run(simulation, 20, 0, NULL, NULL));
        NEED(clup_simulation_run_until(simulation, &target, 1, 0, MOST, NULL, NULL, &reached));
        NEED(clup_simulation_averages(simulation, 0, &energy, 1, &average, NULL, NULL));
        const double off = (average.estimate.mean - exact) / average.estimate.error;
        inside += fabs(off) < 2;
        bias += off / SEEDS;
        ended += reached && average.estimate.error <= error;
        sweeps += (double)clup_simulation_measured(simulation) / SEEDS;
        clup_simulation_free(simulation);
    }
    ok(ended == SEEDS && inside > inside_least * SEEDS && inside < 0.97 * SEEDS &&
           fabs(bias) < bias_most,
       "energy to %g by %u replicas, after %.0f sweeps on average: the exact one is within two "
       "errors in %.1f %%, off by %.2f errors on average",
       error, replicas, sweeps, 100. * inside / SEEDS, bias);
}

static void check_lengths(void)
{
    clup_target targets[] = {{.observable = CLUP_ENERGY, .error = 0.02},
                             {.observable = CLUP_BINDER, .error = 0.02, .relative = 1}};
    clup_simulation *whole = create(&tiny, 3), *parts = create(&tiny, 3);
    clup_estimate estimates[CLUP_OBSERVABLES];
    int reached;
    NEED(clup_simulation_run_until(whole, targets, 2, 0, MOST, NULL, NULL, &reached));
    const uint64_t length = clup_simulation_measured(whole);
    NEED(clup_simulation_estimate(whole, 0, estimates));
    ok(reached && estimates[CLUP_ENERGY].error <= 0.02 &&
           estimates[CLUP_BINDER].error <= 0.02 * estimates[CLUP_BINDER].mean,
       "errors are reached after %u sweeps", (unsigned)length);
    /* in parts, each from a checkpoint of the one before */
    for (uint64_t run = 77; clup_simulation_measured(parts) < length; run += 100) {
        clup_checkpoint *checkpoint;
        clup_simulation *next;
        NEED(clup_simulation_run(parts,
                                 run < length - clup_simulation_measured(parts)
                                     ? run
                                     : length - clup_simulation_measured(parts),
                                 1, NULL, NULL));
        NEED(clup_checkpoint_take(parts, &checkpoint));
        NEED(clup_simulation_load(NULL, checkpoint, NULL, &next));
        clup_checkpoint_free(checkpoint);
        clup_simulation_free(parts);
        parts = next;
        if (clup_simulation_measured(parts) > length / 2)
            break;
    }
    NEED(clup_simulation_run_until(parts, targets, 2, 0, MOST, NULL, NULL, &reached));
    ok(reached && clup_simulation_measured(parts) == length, "in parts too");
    NEED(clup_simulation_run_until(parts, targets, 2, 0, MOST, NULL, NULL, &reached));
    ok(reached && clup_simulation_measured(parts) == length, "and then no sweep is left");
    targets[0].error = 1e-9;
    NEED(clup_simulation_run_until(parts, targets, 2, 0, 100, NULL, NULL, &reached));
    ok(!reached && clup_simulation_measured(parts) == length + 100, "or all that are allowed are");
    clup_simulation_free(whole);
    clup_simulation_free(parts);
}

/* What is no error does not end a run. */
static void check_refused(void)
{
    const clup_target loose = {.observable = CLUP_ENERGY, .error = 10};
    clup_problem frozen = tiny;
    int reached;
    clup_simulation *simulation = create(&tiny, 5);
    NEED(clup_simulation_reached(simulation, &loose, 1, &reached));
    ok(!reached, "nothing is reached without sweeps");
    NEED(clup_simulation_run(simulation, 30, 1, NULL, NULL));
    NEED(clup_simulation_reached(simulation, &loose, 1, &reached));
    ok(!reached, "nor in a short run");
    clup_simulation_free(simulation);
    frozen.beta = 20;
    simulation = create(&frozen, 5);
    NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
    NEED(clup_simulation_run_until(simulation, &loose, 1, 0, 300, NULL, NULL, &reached));
    ok(!reached && clup_simulation_measured(simulation) == 300, "nor where nothing changes");
    clup_simulation_free(simulation);
}

/* Replicas in different phases have small errors that say nothing. */
static void check_disagree(void)
{
    const clup_target target = {.observable = CLUP_ENERGY, .error = 0.04, .relative = 1};
    const clup_method method = {.algorithm = CLUP_HEAT_BATH};
    clup_problem problem = tiny;
    clup_simulation *simulation;
    clup_average average;
    int reached;
    problem.model = CLUP_POTTS;
    problem.size[0] = problem.size[1] = 16;
    problem.beta = 2.5;
    problem.replicas = 12;
    NEED(clup_simulation_create(NULL, &problem, &method, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run_until(simulation, &target, 1, 0, 1500, NULL, NULL, &reached));
    NEED(clup_simulation_averages(simulation, 0, &target.observable, 1, &average, NULL, NULL));
    ok(!reached && average.estimate.error < 0.04 * fabs(average.estimate.mean) &&
           clup_average_note(&average) == CLUP_NOTE_DISAGREE,
       "errors of replicas that disagree do not end a run");
    clup_simulation_free(simulation);
}

/* Replicas of one temperature need not be neighbours. */
static void check_apart(void)
{
    static const double betas[] = {0.3, 0.8, 0.3};
    clup_target target = {.observable = CLUP_ENERGY};
    clup_problem problem = tiny;
    clup_simulation *simulation;
    clup_average average;
    clup_estimate own[3];
    int reached;
    problem.betas = betas;
    problem.replicas = 3;
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 1000, 1, NULL, NULL));
    NEED(clup_simulation_averages(simulation, 0, &target.observable, 1, &average, NULL, NULL));
    NEED(clup_simulation_estimates_of(simulation, &target.observable, 1, 0, 3, own));
    target.error = fmax(1.01 * own[1].error, 1.01 * average.estimate.error);
    NEED(clup_simulation_reached(simulation, &target, 1, &reached));
    ok(reached && own[0].error > target.error && own[2].error > target.error,
       "replicas of one temperature that are apart count together");
    clup_simulation_free(simulation);
}

/* Samples of disorder: enough of them, and the series of each system long enough. */
static void check_samples(void)
{
    const clup_target loose = {.observable = CLUP_ENERGY, .error = 10};
    clup_problem problem = tiny;
    clup_simulation *simulation;
    int reached;
    problem.disorder[0] = 0.5;
    problem.size[0] = problem.size[1] = 8;
    problem.replicas = CLUP_SAMPLES_LEAST - 1;
    simulation = create(&problem, 1);
    ok(clup_simulation_run_until(simulation, &loose, 1, 0, 100, NULL, NULL, &reached) ==
               CLUP_ERROR_USAGE &&
           clup_simulation_measured(simulation) == 0,
       "few samples are refused before a sweep");
    clup_simulation_free(simulation);
    problem.replicas = CLUP_SAMPLES_LEAST;
    simulation = create(&problem, 1);
    NEED(clup_simulation_run(simulation, 30, 1, NULL, NULL));
    NEED(clup_simulation_reached(simulation, &loose, 1, &reached));
    ok(!reached, "errors by samples do not count while the systems' series are short");
    NEED(clup_simulation_run(simulation, 5000, 1, NULL, NULL));
    NEED(clup_simulation_reached(simulation, &loose, 1, &reached));
    ok(reached, "and count then");
    clup_simulation_free(simulation);
}

/* Averages that have no error, however long the run. */
static void check_unknown(void)
{
    clup_target target = {.error = 1};
    clup_problem problem = tiny;
    clup_simulation *simulation;
    int reached;
    problem.replicas = 2;
    NEED(clup_observable_named("overlap2", &target.observable));
    simulation = create(&problem, 1);
    ok(clup_simulation_run_until(simulation, &target, 1, 0, 100, NULL, NULL, &reached) ==
           CLUP_ERROR_USAGE,
       "overlaps of equal systems have no error");
    clup_simulation_free(simulation);
}

/* With sweeps that lead to equilibrium left out, each look has those of its own. */
static void check_settled(void)
{
    const clup_target target = {.observable = CLUP_ENERGY, .error = 0.01};
    const clup_method method = {.algorithm = CLUP_HEAT_BATH};
    clup_problem problem = tiny;
    clup_simulation *simulation;
    clup_equilibration equilibration;
    int reached;
    problem.size[0] = problem.size[1] = 16;
    problem.beta = 0.5;
    NEED(clup_simulation_create(NULL, &problem, &method, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run_until(simulation, &target, 1, 1, MOST, NULL, NULL, &reached));
    NEED(clup_simulation_equilibration(simulation, &equilibration));
    const uint64_t all = clup_simulation_measured(simulation);
    ok(reached && equilibration.left_out > 0 && all % 128 * (all % 181) == 0,
       "%u sweeps with the %u that lead to equilibrium", (unsigned)all,
       (unsigned)equilibration.left_out);
    NEED(clup_simulation_leave_out(simulation, equilibration.left_out));
    NEED(clup_simulation_reached(simulation, &target, 1, &reached));
    ok(reached, "the others have the error");
    clup_simulation_free(simulation);
}

int main(void)
{
    check_refused();
    check_disagree();
    check_apart();
    check_samples();
    check_unknown();
    check_lengths();
    check_settled();
    /* as short as runs can end, where the bias of ending is largest */
    check_coverage(1, 0.05, 0.89, 0.3);
    check_coverage(4, 0.03, 0.92, 0.15);
    return done_testing();
}
