/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ising model in a field: the same spins and energies on the device and on the host, energies
 * that are counted anew, energy and magnetisation of all states of small systems, and what is
 * refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/disorder.h"
#include "core/lattice.h"
#include "exact_means.h"
#include "last_sweep.h"
#include "refused.h"
#include "tap.h"

#define SWEEPS 5

static clup_context *context;
static clup_observable signed_m;

static const clup_method clusters = {0}, beside = {.heat_bath = 1},
                         alone = {.algorithm = CLUP_HEAT_BATH}, one = {.algorithm = CLUP_WOLFF};

/* Returns the energy of spins, and sets m to their magnetisation a site, in a system without
 * disorder. */
static double energy_of(const clup_problem *problem, const uint8_t *spins, double *m)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_problem_sites(problem);
    double energy = 0;
    *m = 0;
    for (uint64_t i = 0; i < sites; i++) {
        *m += (spins[i] == 0 ? 1. : -1.) / (double)sites;
        for (unsigned d = 0; d < clup_problem_directions(problem); d++) {
            uint64_t to;
            if (clup_lattice_forward(&lattice, d, (uint32_t)(i % lattice.nx),
                                     (uint32_t)(i / lattice.nx), &to))
                energy -= (problem->coupling[0] == 0 ? 1 : problem->coupling[d]) *
                          (spins[i] == spins[to] ? 1 : -1);
        }
    }
    return energy - problem->field * *m * (double)sites;
}

/* ---- the same spins -------------------------------------------------------------------------- */

/* What is simulated: energies and magnetisations of the last sweep. bonds is the layout; NULL for
 * any. */
static last_sweep run_of(const clup_method *method, const char *bonds)
{
    static clup_observable of[2];
    of[0] = CLUP_ENERGY, of[1] = signed_m;
    return (last_sweep){.method = method,
                        .request = {.bonds = bonds},
                        .start = CLUP_START_RANDOM,
                        .sweeps = SWEEPS,
                        .of = of,
                        .count = 2};
}

/* Energies are counted where counted is set. */
static void check_spins(const clup_problem *problem, const clup_method *method, const char *bonds,
                        bool counted)
{
    const uint64_t sites = clup_problem_sites(problem);
    const uint32_t replicas = clup_problem_replicas(problem);
    uint8_t *device = malloc(replicas * sites), *host = malloc(replicas * sites);
    double values[4][2], wanted[4][2];
    unsigned wrong = 0;
    const last_sweep run = run_of(method, bonds), reference = run_of(method, NULL);
    simulate_last(context, problem, &run, device, values[0]);
    simulate_last(NULL, problem, &reference, host, wanted[0]);
    for (uint32_t r = 0; r < replicas; r++) {
        double m, energy = energy_of(problem, host + r * sites, &m);
        wrong += values[r][0] != wanted[r][0] || values[r][1] != wanted[r][1] ||
                 fabs(values[r][1] - m) > 1e-9 ||
                 (counted && fabs(values[r][0] - energy / (double)sites) > 1e-9);
    }
    ok(memcmp(device, host, replicas * sites) == 0 && wrong == 0,
       "%s %u x %u x %u, h = %g, beta = %g, %s with %u%s%s: the spins of the host, and %u wrong "
       "energies or magnetisations",
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->size[2],
       problem->field, problem->beta, clup_algorithm_name(method->algorithm), method->heat_bath,
       bonds != NULL ? ", " : "", bonds != NULL ? bonds : "", wrong);
    free(device), free(host);
}

static void check_all_spins(void)
{
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_CHAIN; lattice++)
        for (unsigned k = 0; k < 2; k++) {
            const bool volume = clup_lattice_axes(lattice) > 2;
            clup_problem problem = {.model = CLUP_ISING,
                                    .lattice = lattice,
                                    .size = {33 + 31 * k, volume ? 5 - k : 19 + k, volume ? 4 : 1},
                                    .periodic = {1, (int)k, 1},
                                    .q = 2,
                                    .beta = volume ? 0.15 : 0.4,
                                    .field = k == 0 ? 0.25 : -0.6875,
                                    .replicas = 2};
            clup_lattice_fit(lattice, problem.size);
            check_spins(&problem, &clusters, NULL, true);
            if (k == 0)
                check_spins(&problem, &alone, NULL, true);
        }
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {67, 41},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.5,
                            .field = 0.125};
    check_spins(&problem, &clusters, "char", true);
    check_spins(&problem, &one, "char", true);
    check_spins(&problem, &one, "word", true);
    check_spins(&problem, &beside, "word", true);
    problem.coupling[0] = 1, problem.coupling[1] = -0.375;
    check_spins(&problem, &clusters, "word", true);
    check_spins(&problem, &beside, NULL, true);
    check_spins(&problem, &alone, NULL, true);
    problem.disorder[CLUP_SIGNS] = 0.4, problem.disorder[CLUP_ABSENT] = 0.2;
    problem.replicas = 3;
    check_spins(&problem, &clusters, NULL, false);
    check_spins(&problem, &alone, NULL, false);
    problem = (clup_problem){.model = CLUP_ISING,
                             .size = {40, 3},
                             .periodic = {1, 1},
                             .q = 2,
                             .beta = INFINITY,
                             .field = -16};
    check_spins(&problem, &clusters, NULL, true);
    problem.beta = 0, problem.size[0] = problem.size[1] = 1;
    check_spins(&problem, &clusters, NULL, true);
}

/* A field below half of the unit is none, and clusters are assigned spins as without it. */
static void check_none(void)
{
    clup_problem problem = {
        .model = CLUP_ISING, .size = {40, 33}, .periodic = {1, 1}, .q = 2, .beta = 0.4};
    uint8_t without[40 * 33], with[40 * 33];
    double values[2];
    const last_sweep run = run_of(&clusters, NULL);
    simulate_last(context, &problem, &run, without, values);
    problem.field = 0x1p-22;
    simulate_last(context, &problem, &run, with, values);
    ok(memcmp(without, with, sizeof with) == 0, "a field of 2^-22 is none");
}

/* ---- all states ------------------------------------------------------------------------------ */

static void exact(const clup_problem *problem, double means[2])
{
    const uint64_t sites = clup_problem_sites(problem);
    double z = 0;
    means[0] = means[1] = 0;
    for (uint32_t state = 0; state < 1u << sites; state++) {
        uint8_t spins[16];
        double m;
        for (uint64_t i = 0; i < sites; i++)
            spins[i] = state >> i & 1;
        const double energy = energy_of(problem, spins, &m), weight = exp(-problem->beta * energy);
        z += weight;
        means[0] += weight * energy / (double)sites;
        means[1] += weight * m;
    }
    means[0] /= z, means[1] /= z;
}

static void check_states(const clup_problem *problem, const clup_method *method)
{
    const clup_observable of[] = {CLUP_ENERGY, signed_m};
    double wanted[2];
    unsigned worst_of;
    exact(problem, wanted);
    const double worst = worst_sigma(context, problem, method, 64, 250, of, wanted, 2, &worst_of);
    ok(worst < 4.5,
       "%s %u x %u, h = %g, %s with %u: energy %.5f and m %.5f within %.1f sigma of the exact ones",
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->field,
       clup_algorithm_name(method->algorithm), method->heat_bath, wanted[0], wanted[1], worst);
}

static void check_all_states(void)
{
    const clup_problem problems[] = {
        {.model = CLUP_ISING, .size = {4, 3}, .periodic = {1, 0}, .beta = 0.4, .field = 0.2},
        {.model = CLUP_ISING, .size = {3, 3}, .periodic = {1, 1}, .beta = 0.3, .field = -0.75},
        {.model = CLUP_ISING,
         .lattice = CLUP_LATTICE_TRIANGULAR,
         .size = {4, 3},
         .periodic = {1, 1},
         .beta = 0.5,
         .field = 1.5,
         .coupling = {-1, -1, -1}},
        {.model = CLUP_ISING,
         .size = {4, 4},
         .periodic = {1, 1},
         .beta = 0.5,
         .field = -0.3,
         .coupling = {1, -0.3}},
        {.model = CLUP_ISING, .size = {1, 1}, .periodic = {0, 0}, .beta = 0.7, .field = 1},
    };
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        clup_problem problem = problems[p];
        problem.q = 2;
        check_states(&problem, &clusters);
        check_states(&problem, &beside);
        check_states(&problem, &alone);
        check_states(&problem, &one);
    }
}

/* The sites that a Wolff sweep updates, on the device and on the host. */
static void check_updated(void)
{
    enum { COUNT = 50 };
    const clup_observable of[] = {CLUP_UPDATED};
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {67, 41},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.42,
                                  .field = 0.001};
    double values[2][COUNT];
    unsigned moved = 0;
    for (unsigned host = 0; host < 2; host++) {
        clup_simulation *simulation;
        NEED(clup_simulation_create(host ? NULL : context, &problem, &one, NULL, 8,
                                    CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_observe(simulation, of, 1, 1));
        NEED(clup_simulation_run(simulation, COUNT, 1, NULL, NULL));
        NEED(clup_simulation_series(simulation, 0, CLUP_UPDATED, 0, COUNT, values[host]));
        clup_simulation_free(simulation);
    }
    for (unsigned t = 0; t < COUNT; t++)
        moved += values[1][t] > 0;
    ok(memcmp(values[0], values[1], sizeof values[0]) == 0 && moved > COUNT / 2,
       "sites that %u single clusters update are those of the host; %u clusters move", COUNT,
       moved);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(clup_model model, double field, clup_method method, const char *bonds,
                    const char *why)
{
    const clup_problem problem = {
        .model = model, .size = {64, 64}, .periodic = {1, 1}, .q = 2, .beta = 0.8, .field = field};
    refused_problem(context, &problem, method, bonds, why);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    NEED(clup_observable_named("m", &signed_m));
    printf("# on %s\n", clup_context_device(context)->name);
    check_all_spins();
    check_none();
    check_all_states();
    check_updated();
    refused(CLUP_ISING, 17, clusters, NULL, "is not between -16 and 16");
    refused(CLUP_ISING, NAN, clusters, NULL, "field = nan");
    refused(CLUP_ISING, 1,
            (clup_method){.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 2, .p_flip = 0.5}, NULL,
            "without a field");
    refused(CLUP_ISING, 1, clusters, "border", "border bonds");
    refused(CLUP_ISING, 1, (clup_method){.rng = "mwc"}, NULL, "");
    clup_context_free(context);
    return done_testing();
}
