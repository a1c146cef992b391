/* SPDX-License-Identifier: BSD-3-Clause */
/* Replicas are one result: means, Binder's cumulant and the specific heat over all replicas of a
 * temperature are those of one long run, and lie within two errors of the exact values as often as
 * a normal number does, whether errors are those of the single replicas or from their scatter.
 * Chi^2 of equal replicas is as improbable as it says, and finds those that are not equal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clup.h"
#include "estimate/distributions.h"
#include "estimate/parts.h"
#include "noise.h"
#include "tap.h"

enum { SEEDS = 1000, SIDE = 4, SITES = SIDE * SIDE, LONGEST = 20000 };
enum { ENERGY, BINDER, HEAT, ABS_M, WANTED };

static const clup_problem tiny = {.model = CLUP_ISING,
                                  .size = {SIDE, SIDE},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.4406868,
                                  .replicas = 1};
static clup_observable of[WANTED];

/* ---- synthetic series ------------------------------------------------------------------------ */

/* Fills values[count] with a stationary process of mean 0, variance 1 and rho(t) = keep^t. */
static void process(double keep, double *values, unsigned count)
{
    double value = normal();
    for (unsigned k = 0; k < count; k++) {
        values[k] = value;
        value = keep * value + sqrt(1 - keep * keep) * normal();
    }
}

/* Parts of a process: how often their mean is within two errors, by the series and by the scatter,
 * and how often chi^2 is as improbable as 1 in 20, where one of them is off by so many errors. */
static void check_process(unsigned parts, unsigned count, double keep, double off)
{
    const double error = sqrt((1 + keep) / (1 - keep) / count);
    double values[LONGEST];
    unsigned series = 0, scatter = 0, rare = 0, noted = 0;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        clup_parts all = {0};
        clup_average average = {.from = CLUP_FROM_SERIES};
        for (unsigned p = 0; p < parts; p++) {
            process(keep, values, count);
            for (unsigned k = 0; k < count && p == 0; k++)
                values[k] += off * error;
            const clup_part part = clup_part_of(values, count);
            clup_parts_add(&all, &part);
        }
        const clup_estimate by_scatter = clup_sums_estimate(&all.means);
        average.estimate = clup_parts_estimate(&all);
        clup_parts_compare(&all, &average);
        series += fabs(average.estimate.mean) < 2 * average.estimate.error;
        scatter += fabs(by_scatter.mean) < 2 * by_scatter.error;
        rare += average.probability < 0.05;
        noted += clup_average_note(&average) == CLUP_NOTE_DISAGREE;
    }
    printf("# %u series of %u values, rho = %g^t, the first off by %g errors: within two errors of "
           "the "
           "series %.1f %%, of the scatter %.1f %%; probability below 5 %% in %.1f %%, noted %.1f "
           "%%\n",
           parts, count, keep, off, 100. * series / SEEDS, 100. * scatter / SEEDS,
           100. * rare / SEEDS, 100. * noted / SEEDS);
    if (off > 0) {
        ok(noted > 0.95 * SEEDS, "%u series of which one is off by %g errors are noted", parts,
           off);
        return;
    }
    ok(fabs(series / (double)SEEDS - 0.954) < 0.02, "%u series of %u values: errors are right",
       parts, count);
    if (parts >= CLUP_SCATTER_LEAST)
        ok(fabs(scatter / (double)SEEDS - 0.954) < 0.02, "and those by their scatter");
    /* of short series fewer are rare, as their tau_int are uncertain */
    ok(rare > 0.02 * SEEDS && rare < 0.07 * SEEDS && noted == 0,
       "and chi^2 is, rare in %.1f %%, and none is noted", 100. * rare / SEEDS);
}

/* ---- replicas of a simulation ---------------------------------------------------------------- */

/* Sums over all states of the exact means. */
static void exact(double wanted[WANTED])
{
    double sums[5] = {0};
    for (uint32_t spins = 0; spins < 1u << SITES; spins++) {
        int energy = 0, m = 0;
        for (unsigned i = 0; i < SITES; i++) {
            const unsigned right = i / SIDE * SIDE + (i + 1) % SIDE, below = (i + SIDE) % SITES;
            const int s = spins >> i & 1 ? 1 : -1;
            m += s;
            energy -= s * ((spins >> right & 1 ? 1 : -1) + (spins >> below & 1 ? 1 : -1));
        }
        const double e = (double)energy / SITES, a = fabs((double)m) / SITES,
                     weight = exp(-tiny.beta * energy - 30);
        const double terms[] = {1, e, e * e, a * a, a};
        for (unsigned k = 0; k < 5; k++)
            sums[k] += weight * terms[k];
        wanted[BINDER] += weight * a * a * a * a;
    }
    const double m2 = sums[3] / sums[0], m4 = wanted[BINDER] / sums[0];
    wanted[ENERGY] = sums[1] / sums[0];
    wanted[ABS_M] = sums[4] / sums[0];
    wanted[BINDER] = 1 - m4 / (3 * m2 * m2);
    wanted[HEAT] = tiny.beta * tiny.beta * SITES *
                   (sums[2] / sums[0] - wanted[ENERGY] * wanted[ENERGY]);
}

static clup_simulation *simulate(const clup_problem *problem, uint64_t seed, uint64_t sweeps)
{
    clup_simulation *simulation;
    NEED(clup_simulation_create(NULL, problem, NULL, NULL, seed, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 20, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    return simulation;
}

static void check_coverage(const double wanted[WANTED], uint32_t replicas, uint64_t sweeps,
                           unsigned seeds)
{
    unsigned inside[WANTED] = {0}, between[WANTED] = {0};
    double bias[WANTED] = {0}, squares[WANTED] = {0};
    clup_problem problem = tiny;
    problem.replicas = replicas;
    for (unsigned seed = 0; seed < seeds; seed++) {
        clup_simulation *simulation = simulate(&problem, 1 + seed, sweeps);
        clup_average averages[WANTED];
        NEED(clup_simulation_averages(simulation, 0, of, WANTED, averages, NULL, NULL));
        for (unsigned k = 0; k < WANTED; k++) {
            const clup_estimate *estimate = &averages[k].estimate;
            const double off = (estimate->mean - wanted[k]) / estimate->error;
            inside[k] += fabs(off) < 2;
            between[k] += estimate->low <= wanted[k] && wanted[k] <= estimate->high;
            bias[k] += off / seeds;
            squares[k] += off * off / seeds;
        }
        clup_simulation_free(simulation);
    }
    for (unsigned k = 0; k < WANTED; k++) {
        const double share = inside[k] / (double)seeds, least = k == HEAT ? 0.92 : 0.934;
        ok(share > least && share < 0.974 && between[k] > 0.93 * seeds && fabs(bias[k]) < 0.15,
           "%s of %u replicas of %u sweeps: %.1f %% within two errors, %.1f %% from low to high, "
           "off by %.2f errors on average, scatter %.2f",
           clup_observable_name(of[k]), replicas, (unsigned)sweeps, 100 * share,
           100. * between[k] / seeds, bias[k], sqrt(squares[k]));
    }
}

/* Averages over replicas are functions of the means over all of their sweeps. */
static void check_pooled(void)
{
    enum { REPLICAS = 3, SWEEPS = 60 };
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {SIDE, SIDE},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.4406868,
                                  .replicas = REPLICAS};
    clup_simulation *simulation = simulate(&problem, 5, SWEEPS);
    clup_average averages[WANTED];
    clup_estimate own[REPLICAS];
    double values[3][SWEEPS], sums[4] = {0}, errors = 0;
    uint32_t systems, samples;
    for (uint32_t r = 0; r < REPLICAS; r++) {
        NEED(clup_simulation_series(simulation, r, CLUP_ENERGY, 0, SWEEPS, values[0]));
        NEED(clup_simulation_series(simulation, r, CLUP_M2, 0, SWEEPS, values[1]));
        NEED(clup_simulation_series(simulation, r, CLUP_M4, 0, SWEEPS, values[2]));
        NEED(clup_simulation_estimates_of(simulation, of, 1, r, 1, &own[r]));
        errors += own[r].error * own[r].error;
        for (unsigned k = 0; k < SWEEPS; k++) {
            sums[0] += values[0][k] / (REPLICAS * SWEEPS);
            sums[1] += values[0][k] * values[0][k] / (REPLICAS * SWEEPS);
            sums[2] += values[1][k] / (REPLICAS * SWEEPS);
            sums[3] += values[2][k] / (REPLICAS * SWEEPS);
        }
    }
    NEED(clup_simulation_averages(simulation, 1, of, WANTED, averages, &systems, &samples));
    ok(systems == REPLICAS && samples == REPLICAS, "%u systems", systems);
    ok(fabs(averages[ENERGY].estimate.mean - sums[0]) < 1e-12 &&
           averages[ENERGY].from == CLUP_FROM_SERIES &&
           fabs(averages[ENERGY].estimate.error - sqrt(errors) / REPLICAS) < 1e-12,
       "a mean is that of all, and its error that of all errors");
    ok(fabs(averages[BINDER].estimate.mean - (1 - sums[3] / (3 * sums[2] * sums[2]))) < 1e-12,
       "Binder's cumulant is that of the means over all");
    const double error = averages[ENERGY].estimate.error,
                 heat = tiny.beta * tiny.beta * SITES *
                        (sums[1] - sums[0] * sums[0] + error * error);
    ok(fabs(averages[HEAT].estimate.mean - heat) < 1e-10 && averages[HEAT].estimate.bias > 0,
       "the specific heat is that of all, without the bias of the mean over all");
    clup_simulation_free(simulation);
}

/* The scatter of few systems that have a single value each is no error. */
static void check_few(void)
{
    clup_problem problem = tiny;
    clup_average averages[WANTED];
    for (problem.replicas = 2; problem.replicas < 6; problem.replicas++) {
        clup_simulation *simulation = simulate(&problem, 5, 1);
        NEED(clup_simulation_averages(simulation, 0, of, WANTED, averages, NULL, NULL));
        ok(problem.replicas < 4
               ? isnan(averages[BINDER].estimate.error) &&
                     averages[ENERGY].from == CLUP_FROM_NOTHING
               : averages[BINDER].estimate.error > 0 && averages[ENERGY].from == CLUP_FROM_SCATTER,
           "%u replicas of one sweep", (unsigned)problem.replicas);
        clup_simulation_free(simulation);
    }
}

/* Each value of an observable with several values has the average of its means. */
static void check_vector(void)
{
    enum { REPLICAS = 2, MOST = 16 };
    clup_problem problem = tiny;
    clup_simulation *simulation;
    const clup_observable pairs = CLUP_CORRELATION_X;
    clup_average averages[MOST];
    clup_estimate own[REPLICAS][MOST];
    double at[MOST], worst = 0;
    problem.replicas = REPLICAS;
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, &pairs, 1, 1));
    NEED(clup_simulation_run(simulation, 100, 1, NULL, NULL));
    const size_t length = clup_simulation_vector_length(simulation, pairs);
    for (uint32_t r = 0; r < REPLICAS; r++)
        NEED(clup_simulation_vector(simulation, r, pairs, at, own[r]));
    NEED(clup_simulation_average_vector(simulation, 0, pairs, at, averages));
    for (size_t k = 0; k < length; k++)
        worst = fmax(
            worst,
            fabs(averages[k].estimate.mean - (own[0][k].mean + own[1][k].mean) / 2) +
                fabs(averages[k].estimate.error - hypot(own[0][k].error, own[1][k].error) / 2));
    ok(length > 0 && at[0] == 1 && worst < 1e-12, "averages of %zu values", length);
    clup_simulation_free(simulation);
}

int main(void)
{
    double wanted[WANTED] = {0};
    NEED(clup_observable_named("energy", &of[ENERGY]));
    NEED(clup_observable_named("binder", &of[BINDER]));
    NEED(clup_observable_named("specific_heat", &of[HEAT]));
    NEED(clup_observable_named("abs_m", &of[ABS_M]));
    ok(fabs(clup_f_above(3.0983912, 3, 20) - 0.05) < 1e-7 &&
           fabs(clup_f_above(18.307038 / 10, 10, 1e9) - 0.05) < 1e-5 &&
           fabs(clup_f_above(161.44764, 1, 1) - 0.05) < 1e-7,
       "the F distribution has its tabled values");
    check_process(4, 1000, 0.8, 0);
    check_process(40, 500, 0.6, 0);
    check_process(4, 1000, 0.8, 12);
    exact(wanted);
    check_pooled();
    check_vector();
    check_few();
    check_coverage(wanted, 4, 200, SEEDS);
    check_coverage(wanted, 40, 60, SEEDS / 2);
    return done_testing();
}
