/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by tests of spin models: the same spins and values on the device and on the host, and
 * values that are counted anew from the spins. */
#ifndef CLUP_TESTS_LAST_SWEEP_H
#define CLUP_TESTS_LAST_SWEEP_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "tap.h"

/* What is simulated beside a problem, and what is taken of the last sweep. */
typedef struct last_sweep {
    const clup_method *method; /* NULL for Swendsen-Wang */
    clup_plan_request request; /* of the device's plan */
    clup_start start;
    uint64_t sweeps, every;    /* sweeps, of which every so many are measured; 0 stands for 1 */
    const clup_observable *of; /* of[count] */
    unsigned count;
} last_sweep;

/* Simulates on the device, or on the host for NULL. Writes the last spins of all replicas, and
 * values[replicas][count] of the last sweep. */
static inline void simulate_last(clup_context *where, const clup_problem *problem,
                                 const last_sweep *run, uint8_t *spins, double *values)
{
    const uint64_t every = run->every > 0 ? run->every : 1;
    clup_simulation *simulation;
    clup_plan plan;
    if (where != NULL)
        NEED(clup_plan_choose(where, problem, run->method, &run->request, &plan));
    NEED(clup_simulation_create(where, problem, run->method, where != NULL ? &plan : NULL, 5,
                                run->start, &simulation));
    NEED(clup_simulation_observe(simulation, run->of, run->count, every));
    NEED(clup_simulation_run(simulation, run->sweeps, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    for (uint32_t r = 0; r < clup_problem_replicas(problem); r++)
        for (unsigned k = 0; k < run->count; k++)
            NEED(clup_simulation_series(simulation, r, run->of[k], run->sweeps / every - 1, 1,
                                        values++));
    clup_simulation_free(simulation);
}

/* Counts the values of a replica anew from its spins; NAN where there must be none. user is what
 * the caller of compare_last gave. */
typedef void count_anew(const void *user, const clup_problem *problem, uint32_t replica,
                        const uint8_t *spins, double *values);

typedef struct compared {
    bool same;          /* the device has the host's spins */
    unsigned other;     /* values that differ between device and host */
    unsigned wrong, of; /* values that are not as counted, and the number of the last of them */
} compared;

/* Simulates on the device and on the host, and compares. */
static inline compared compare_last(clup_context *context, const clup_problem *problem,
                                    const last_sweep *run, count_anew *count, const void *user)
{
    const uint32_t replicas = clup_problem_replicas(problem);
    const size_t system = clup_problem_sites(problem) * clup_spin_bytes(problem),
                 all = replicas * system;
    uint8_t *device = malloc(all), *host = malloc(all);
    double *values = malloc(3 * replicas * run->count * sizeof *values),
           *wanted = values + replicas * run->count, *counted = wanted + replicas * run->count;
    compared found = {0};
    last_sweep reference = *run;
    reference.request = (clup_plan_request){0};
    simulate_last(context, problem, run, device, values);
    simulate_last(NULL, problem, &reference, host, wanted);
    for (uint32_t r = 0; r < replicas; r++)
        count(user, problem, r, host + r * system, counted + r * run->count);
    for (unsigned k = 0; k < replicas * run->count; k++) {
        if (isnan(counted[k]) && isnan(values[k]) && isnan(wanted[k]))
            continue;
        found.other += values[k] != wanted[k];
        if (!(fabs(values[k] - counted[k]) < 1e-5 * (1 + fabs(counted[k]))))
            found.wrong++, found.of = k % run->count;
    }
    found.same = memcmp(device, host, all) == 0;
    free(device), free(host), free(values);
    return found;
}

#endif
