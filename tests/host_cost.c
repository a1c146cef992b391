/* SPDX-License-Identifier: BSD-3-Clause */
/* What the host does for each record of a simulation whose sweeps cost nothing, in nanoseconds: of
 * running, by the wall clock and by all processors, and then of the estimates of all replicas. Is
 * no part of "make check".
 *
 * host_cost [SIZE [REPLICAS [SWEEPS [GROUP]]]]: square lattices, q = 2; GROUP is that of the
 * observables, spins or clusters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/simulation.h"
#include "tap.h"

/* Records of so many sweeps, which come again and again. */
#define PERIOD 1024u
static uint32_t *period, words, replicas;
static uint64_t at;

/* A noise with tau_int = 3, as energies and magnetisations of small critical lattices have. */
static void make_records(uint32_t sites, uint32_t format)
{
    const double rest = 5. / 7;
    words = record_words(format);
    period = calloc((size_t)PERIOD * replicas, words * sizeof *period);
    if (period == NULL)
        exit(1);
    for (uint32_t r = 0; r < replicas; r++) {
        double noise = 0;
        for (uint32_t k = 0; k < PERIOD; k++) {
            noise = rest * noise + (1 - rest) * ((double)rand() / RAND_MAX - 0.5);
            sweep_record record = {.satisfied = (uint32_t)(sites * (1.7 + 0.2 * noise)),
                                   .majority = (uint32_t)(sites * (0.8 + 0.3 * noise))};
            record.clusters = (uint32_t)(sites * (0.1 - 0.05 * noise));
            record.largest = (uint32_t)(sites * (0.7 + 0.3 * noise));
            record.squares_0 = record.largest * record.largest;
            record.fourths_0 = record.squares_0 & 0xFFFFF;
            record.fourths_1 = record.squares_0 * record.squares_0 >> 20;
            record_put(period + ((size_t)k * replicas + r) * words, format, &record);
        }
    }
}

static clup_status give_records(clup_engine *engine, unsigned count, double expected_s,
                                void *records, unsigned *done)
{
    (void)engine, (void)expected_s;
    const size_t row = (size_t)replicas * words;
    for (unsigned k = 0; k < count; k++)
        memcpy((uint32_t *)records + k * row, period + (at + k) % PERIOD * row,
               row * sizeof *period);
    at += count;
    *done = count;
    return CLUP_OK;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void say(const char *what, double wall, double processors, double records)
{
    printf("%-10s %8.2f ns a record by the wall clock, %8.2f by processors\n", what,
           1e9 * (seconds(CLOCK_MONOTONIC) - wall) / records,
           1e9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - processors) / records);
}

int main(int argc, char **argv)
{
    const uint32_t size = argc > 1 ? (uint32_t)atoi(argv[1]) : 16;
    replicas = argc > 2 ? (uint32_t)atoi(argv[2]) : 256;
    const uint64_t sweeps = argc > 3 ? (uint64_t)atoll(argv[3]) : 20000;
    const int clusters = argc > 4 && strcmp(argv[4], "clusters") == 0;
    const double records = (double)replicas * (double)sweeps;
    const clup_problem problem = {.size = {size, size},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2),
                                  .replicas = replicas};
    const clup_observable wanted = CLUP_CLUSTERS;
    clup_simulation *simulation;
    clup_estimate(*estimates)[CLUP_OBSERVABLES] = calloc(replicas, sizeof *estimates);
    double wall, processors;
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    NEED(clup_simulation_observe(simulation, &wanted, clusters, 1));
    const clup_engine_kind *own = simulation->engine->kind;
    clup_engine_kind free_of_cost = *own;
    free_of_cost.batch = give_records;
    simulation->engine->kind = &free_of_cost;
    make_records(size * size, simulation->engine->measuring.format);
    wall = seconds(CLOCK_MONOTONIC), processors = seconds(CLOCK_PROCESS_CPUTIME_ID);
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    say("run", wall, processors, records);
    wall = seconds(CLOCK_MONOTONIC), processors = seconds(CLOCK_PROCESS_CPUTIME_ID);
    NEED(clup_simulation_estimates(simulation, 0, replicas, estimates[0]));
    say("estimates", wall, processors, records);
    char sha256[65];
    clup_sha256(estimates, replicas * sizeof *estimates, sha256);
    printf("tau_int %.3f, sha256 of estimates %s\n", estimates[0][CLUP_ENERGY].tau_int, sha256);
    simulation->engine->kind = own;
    clup_simulation_free(simulation);
    free(period), free(estimates);
    return 0;
}
