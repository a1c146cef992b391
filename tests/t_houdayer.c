/* SPDX-License-Identifier: BSD-3-Clause */
/* Houdayer's cluster moves: the same spins on the device and on the host, beside sw and the heat
 * bath, and with exchanged temperatures; the sum of the energies of two systems stays; all states
 * of small systems; and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/couplings.h"
#include "core/disorder.h"
#include "core/source.h"
#include "estimate/overlap.h"
#include "family/houdayer.h"
#include "tap.h"
#include "update/update.h"
#include "lattices.h"

static clup_context *context;

/* ---- the device and the host ----------------------------------------------------------------- */

static void simulate(clup_context *where, const clup_problem *problem, const clup_method *method,
                     const clup_plan *plan, uint64_t swap_every, uint8_t *spins)
{
    clup_simulation *simulation;
    NEED(clup_simulation_create(where, problem, method, plan, 5, CLUP_START_RANDOM, &simulation));
    if (swap_every > 0)
        NEED(clup_simulation_temper(simulation, swap_every));
    NEED(clup_simulation_run(simulation, 4, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 4, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    clup_simulation_free(simulation);
}

static void check_spins(const clup_problem *problem, clup_method method, uint64_t swap_every,
                        const char *what)
{
    const uint64_t bytes = clup_problem_replicas(problem) * clup_problem_sites(problem);
    uint8_t *device = malloc(bytes), *host = malloc(bytes), *without = malloc(bytes);
    simulate(context, problem, &method, NULL, swap_every, device);
    simulate(NULL, problem, &method, NULL, swap_every, host);
    ok(memcmp(device, host, bytes) == 0, "%s, %s: the same spins as on the host",
       clup_lattice_name(problem->lattice), what);
    method.houdayer = 0;
    simulate(NULL, problem, &method, NULL, swap_every, without);
    ok(memcmp(host, without, bytes) != 0, "and others than without moves");
    free(device), free(host), free(without);
}

static void check_all_spins(void)
{
    const clup_method sites = {.algorithm = CLUP_HEAT_BATH, .houdayer = 2},
                      both = {.heat_bath = 1, .houdayer = 1}, clusters = {.houdayer = 3};
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICES; lattice = lattice_after(lattice)) {
        const bool volume = clup_lattice_axes(lattice) > 2;
        clup_problem problem = {.model = CLUP_ISING,
                                .lattice = lattice,
                                .size = {35, volume ? 4 : 11, volume ? 5 : 1},
                                .periodic = {1, 0, 1},
                                .q = 2,
                                .beta = 0.4,
                                .replicas = 5,
                                .disorder = {0.5, 0.2},
                                .disorder_samples = 2};
        clup_lattice_fit(lattice, problem.size);
        check_spins(&problem, lattice % 2 == 0 ? clusters : sites, 0, "a glass");
    }
    const double betas[] = {0.2, 0.2, 0.2, 0.2, 0.4, 0.4, 0.4, 0.4};
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {33, 9},
                            .periodic = {1, 1},
                            .q = 2,
                            .replicas = 8,
                            .betas = betas,
                            .disorder = {0, 0, 1},
                            .disorder_samples = 2};
    check_spins(&problem, sites, 1, "normal couplings and exchanged temperatures");
    problem = (clup_problem){
        .size = {45, 12}, .periodic = {1, 1}, .q = 5, .beta = 0.8, .replicas = 3, .field = 0.5};
    check_spins(&problem, both, 0, "Potts in a field");
}

/* The stages of a plan that has labels of sites label the moves as well. */
static void check_plan(void)
{
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {67, 16},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.4,
                                  .replicas = 4,
                                  .disorder = {0.5, 0.2},
                                  .disorder_samples = 2};
    const clup_method method = {.houdayer = 2};
    const clup_plan_request request = {.bonds = "word", .local = "runs", .tile = 8};
    clup_plan plan;
    enum { BYTES = 4 * 67 * 16 };
    uint8_t device[BYTES], host[BYTES];
    NEED(clup_plan_choose(context, &problem, &method, &request, &plan));
    simulate(context, &problem, &method, &plan, 0, device);
    simulate(NULL, &problem, &method, NULL, 0, host);
    ok(memcmp(device, host, BYTES) == 0, "moves labelled by %s and %s of the plan", plan.local,
       plan.consolidate);
}

/* What is measured of Fortuin-Kasteleyn clusters, those of the spins before a sweep. */
static void check_clusters(void)
{
    enum { SWEEPS = 20 };
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {16, 16},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.44,
                                  .replicas = 2};
    const clup_method method = {.houdayer = 1};
    double values[2][SWEEPS];
    clup_observable of;
    NEED(clup_observable_named("wrap_x", &of));
    for (unsigned k = 0; k < 2; k++) {
        clup_simulation *simulation;
        NEED(clup_simulation_create(k == 0 ? context : NULL, &problem, &method, NULL, 5,
                                    CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_observe(simulation, &of, 1, 1));
        NEED(clup_simulation_run(simulation, SWEEPS, 1, NULL, NULL));
        NEED(clup_simulation_series(simulation, 1, of, 0, SWEEPS, values[k]));
        clup_simulation_free(simulation);
    }
    ok(memcmp(values[0], values[1], sizeof *values) == 0, "clusters wrap as on the host");
}

/* ---- energies -------------------------------------------------------------------------------- */

/* Returns the sum of the weights of the satisfied bonds of two systems. */
static uint64_t satisfied_of(const clup_host *const hosts[2])
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned d = 0; d < clup_lattice_of(&hosts[k]->lattice)->directions; d++)
            for (uint64_t i = 0; i < clup_lattice_sites(&hosts[k]->lattice); i++)
                if (clup_bond_is_satisfied(&hosts[k]->lattice, &hosts[k]->laws, hosts[k]->spins, d,
                                           i))
                    sum += clup_bond_weight(&hosts[k]->lattice, &hosts[k]->laws, d, i);
    return sum;
}

/* Moves two random systems at the same sample. */
static void check_energies(void)
{
    const clup_problem problem = {.model = CLUP_ISING,
                                  .lattice = CLUP_LATTICE_TRIANGULAR,
                                  .size = {30, 20},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 1,
                                  .replicas = 1,
                                  .disorder = {0, 0.2, 1},
                                  .disorder_samples = 1};
    enum { SITES = 600 };
    const clup_method method = {.houdayer = 1};
    clup_reference references[2];
    uint8_t before[2][SITES], again[SITES];
    unsigned moved = 0, wrong = 0;
    for (unsigned k = 0; k < 2; k++) {
        NEED(clup_reference_create(&problem, &method, "fk", 1 + k, &references[k]));
        clup_start_spins(&references[k].host.lattice, &problem, references[k].host.key,
                         CLUP_START_RANDOM, references[k].host.spins);
        memcpy(before[k], references[k].host.spins, SITES);
    }
    clup_host *hosts[2] = {&references[0].host, &references[1].host};
    const uint64_t satisfied = satisfied_of((const clup_host *const *)hosts);
    NEED(clup_houdayer_reference(hosts[0], hosts[1], 0));
    for (unsigned i = 0; i < SITES; i++) {
        const bool stays = hosts[0]->spins[i] == before[0][i],
                   kept = hosts[1]->spins[i] == before[stays ? 1 : 0][i] &&
                          hosts[0]->spins[i] == before[stays ? 0 : 1][i];
        moved += !stays;
        wrong += !kept;
    }
    ok(wrong == 0 && moved > 50 && moved < 250, "two systems exchange spins, here at %u sites",
       moved);
    ok(satisfied_of((const clup_host *const *)hosts) == satisfied,
       "the sum of their energies stays: %llu", (unsigned long long)satisfied);
    memcpy(again, hosts[0]->spins, SITES);
    for (unsigned k = 0; k < 2; k++)
        memcpy(hosts[k]->spins, before[k], SITES);
    NEED(clup_houdayer_reference(hosts[0], hosts[1], 1));
    ok(memcmp(again, hosts[0]->spins, SITES) != 0, "the next move draws other numbers");
    for (unsigned k = 0; k < 2; k++)
        clup_reference_clear(&references[k]);
}

/* ---- all states ------------------------------------------------------------------------------ */

enum { SMALL = 12, STATES = 1 << SMALL };

/* The energy of a state of a small system, with the laws of its sample. */
static double energy_of(const lattice_args *lattice, const clup_laws *laws, uint32_t state)
{
    double energy = 0;
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        for (uint64_t i = 0; i < SMALL; i++) {
            uint64_t to;
            if (clup_bond_exists(lattice, laws, d, i, &to)) {
                const bool equal = (state >> i & 1) == (state >> to & 1);
                energy += equal == clup_bond_is_unequal(lattice, laws, d, i) ? 1 : -1;
            }
        }
    return energy;
}

static void near(const clup_estimate *estimate, double wanted, const char *what)
{
    const double sigma = fabs(estimate->mean - wanted) / estimate->error;
    ok(sigma < 4.5, "%s %.6f +- %.6f, exact %.6f: %.1f sigma", what, estimate->mean,
       estimate->error, wanted, sigma);
}

static void check_states(clup_method method, const char *what)
{
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {4, 3},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.6,
                                  .replicas = 2,
                                  .disorder = {0.5, 0.1},
                                  .disorder_samples = 1,
                                  .disorder_seed = 2};
    const lattice_args lattice = clup_lattice_args(&problem);
    uint32_t *words = malloc(clup_disorder_words(&problem, &lattice) * sizeof *words);
    clup_laws laws = clup_problem_laws(&problem, problem.beta);
    double z = 0, energy = 0, correlations[SMALL][SMALL] = {{0}}, overlap2 = 0;
    NEED(clup_disorder_fill(&problem, &lattice, 0, words));
    clup_disorder_in(&problem, &lattice, words, &laws);
    for (uint32_t state = 0; state < STATES; state++) {
        const double of = energy_of(&lattice, &laws, state), weight = exp(-problem.beta * of);
        z += weight, energy += weight * of;
        for (unsigned i = 0; i < SMALL; i++)
            for (unsigned j = 0; j < SMALL; j++)
                correlations[i][j] += (state >> i ^ state >> j) & 1 ? -weight : weight;
    }
    for (unsigned i = 0; i < SMALL; i++)
        for (unsigned j = 0; j < SMALL; j++)
            overlap2 += pow(correlations[i][j] / z / SMALL, 2);
    clup_observable of[2] = {CLUP_ENERGY};
    NEED(clup_observable_named("overlap2", &of[1]));
    clup_simulation *simulation;
    clup_estimate estimates[2];
    NEED(clup_simulation_create(context, &problem, &method, NULL, 3, CLUP_START_RANDOM,
                                &simulation));
    NEED(clup_simulation_observe(simulation, of, 2, 1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 20000, 1, NULL, NULL));
    printf("# %s\n", what);
    NEED(clup_simulation_estimates_of(simulation, of, 2, 0, 1, estimates));
    near(&estimates[0], energy / z / SMALL, "energy");
    near(&estimates[1], overlap2, "overlap2");
    NEED(clup_simulation_estimates_of(simulation, of, 2, 1, 1, estimates));
    near(&estimates[0], energy / z / SMALL, "energy of the other system");
    clup_simulation_free(simulation);
    free(words);
}

/* ---- pairs, and what is refused -------------------------------------------------------------- */

static void refused(const clup_problem *problem, const clup_method *method, const char *why)
{
    clup_simulation *simulation;
    ok(clup_simulation_create(NULL, problem, method, NULL, 1, CLUP_START_ORDERED, &simulation) ==
               CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), why) != NULL,
       "refused: %s", clup_error_detail());
}

static void check_refused(void)
{
    static const uint32_t wanted[] = {2, 3, 0, 1, 6, 5, 4, 7}, three[] = {1, 0, 2};
    const double betas[] = {1, 1, 1, 1, 2, 1, 2, 2};
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {8, 8},
                            .q = 2,
                            .replicas = 4,
                            .beta = 1,
                            .disorder = {0.5},
                            .disorder_samples = 2};
    clup_method method = {.houdayer = 1};
    uint32_t mates[8];
    NEED(clup_problem_mates(&problem, mates));
    ok(memcmp(mates, wanted, 4 * sizeof *mates) == 0, "mates have the same sample");
    problem.disorder[0] = 0, problem.replicas = 3;
    NEED(clup_problem_mates(&problem, mates));
    ok(memcmp(mates, three, sizeof three) == 0, "of three systems the last has none");
    problem.replicas = 8, problem.betas = betas;
    NEED(clup_problem_mates(&problem, mates));
    ok(mates[4] == 6 && mates[6] == 4 && mates[7] == 7 && mates[3] == 2 && mates[5] == 5,
       "mates have the same temperature");
    problem.betas = NULL, problem.replicas = 3, problem.disorder[0] = 0.5;
    refused(&problem, &method, "replica 1 has no other such system");
    problem.replicas = 4, problem.model = CLUP_CLOCK, problem.disorder[0] = 0;
    refused(&problem, &method, "Houdayer's moves are for the Potts and the Ising model");
    problem.model = CLUP_ISING, problem.replicas = 1, method.algorithm = CLUP_WOLFF;
    refused(&problem, &method, "go with sw and heat-bath, not with wolff");
    problem.replicas = 4, method.algorithm = CLUP_SWENDSEN_WANG, method.houdayer = 33;
    refused(&problem, &method, "at most 32 before a sweep");
    method.houdayer = 1, method.rng = "mwc";
    refused(&problem, &method, "draw with philox alone");
    method.rng = NULL;
    clup_plan_request request = {.bonds = "resident"};
    clup_plan plan;
    ok(clup_plan_choose(context, &problem, &method, &request, &plan) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "without Houdayer's moves between them") != NULL,
       "refused: %s", clup_error_detail());
    request.bonds = "char";
    ok(clup_plan_choose(context, &problem, &method, &request, &plan) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "work on planes of spins") != NULL,
       "refused: %s", clup_error_detail());
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    check_all_spins();
    check_plan();
    check_clusters();
    check_energies();
    check_states((clup_method){.algorithm = CLUP_HEAT_BATH, .houdayer = 1}, "the heat bath");
    check_states((clup_method){.houdayer = 2}, "clusters");
    check_refused();
    clup_context_free(context);
    return done_testing();
}
