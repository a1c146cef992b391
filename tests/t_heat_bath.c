/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat bath, alone and beside clusters: no bond within a colour, weights and thresholds beside
 * those of the mathematical library, the same spins on the device and on the host, and all states
 * of small systems. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/disorder.h"
#include "core/heat.h"
#include "refused.h"
#include "lattices.h"
#include "tap.h"

static clup_context *context;

/* ---- colours --------------------------------------------------------------------------------- */

/* Counts bonds between two sites of a colour, sites whose colour does not exist, and pairs of sites
 * of a colour that would be decided by one random number. */
static void check_colours(clup_lattice_kind kind, const uint32_t size[3], unsigned periodic)
{
    clup_problem problem = {.lattice = kind, .size = {size[0], size[1], size[2]}, .q = 2};
    clup_lattice_fit(kind, problem.size);
    for (unsigned a = 0; a < 3; a++)
        problem.periodic[a] = periodic >> a & 1;
    const lattice_args lattice = clup_lattice_args(&problem);
    const uint32_t checkered = clup_is_checkered(&lattice),
                   colours = heat_colours(lattice, checkered);
    const uint64_t sites = clup_problem_sites(&problem),
                   numbers = 32ull * lattice.words * 2 * (lattice.ny + 1) * lattice.nz;
    uint32_t *colour = malloc(sites * sizeof *colour);
    uint8_t *taken = calloc(numbers, colours);
    unsigned alike = 0, beyond = 0, shared = 0;
    for (uint64_t i = 0; i < sites; i++) {
        const uint32_t x = (uint32_t)(i % lattice.nx), row = (uint32_t)(i / lattice.nx),
                       z = row / lattice.ny, y = row % lattice.ny;
        colour[i] = heat_colour(lattice, checkered, x, y, z);
        beyond += colour[i] >= colours;
        const uint64_t number = 32 * heat_index(lattice, checkered, colour[i], x / 32, y, z) +
                                x % 32;
        shared += taken[number * colours + colour[i] % colours]++;
    }
    for (uint64_t i = 0; i < sites; i++)
        for (unsigned d = 0; d < clup_problem_directions(&problem); d++) {
            uint64_t to;
            if (clup_lattice_forward(&lattice, d, (uint32_t)(i % lattice.nx),
                                     (uint32_t)(i / lattice.nx), &to))
                alike += to != i && colour[to] == colour[i];
        }
    ok(alike == 0 && beyond == 0 && shared == 0,
       "%s %u x %u x %u, periodic %u: %u colours; %u bonds within one, %u numbers shared",
       clup_lattice_name(kind), size[0], size[1], size[2], periodic, colours, alike, shared);
    free(colour), free(taken);
}

static void check_all_colours(void)
{
    static const uint32_t planes[][3] = {{34, 6, 1}, {33, 7, 1}, {1, 5, 1},
                                         {2, 3, 1},  {65, 2, 1}, {1, 4, 1}},
                          volumes[][3] = {{34, 4, 6}, {33, 5, 3}, {3, 1, 4},
                                          {2, 2, 2},  {5, 4, 1},  {4, 6, 1}};
    for (clup_lattice_kind kind = 0; kind < CLUP_LATTICE_GRAPH; kind++)
        for (unsigned s = 0; s < 6; s++)
            for (unsigned periodic = 0; periodic < 8; periodic += 7)
                check_colours(kind, clup_lattice_axes(kind) > 2 ? volumes[s] : planes[s], periodic);
}

/* ---- weights --------------------------------------------------------------------------------- */

static void check_laws(void)
{
    static const double betas[] = {0, 1e-6, 0.1, 0.44, 0.7, 1.5, 20, INFINITY};
    const clup_problem problem = {.model = CLUP_ISING, .lattice = CLUP_LATTICE_CUBIC_26, .q = 2};
    double worst = 0;
    unsigned wrong = 0;
    for (unsigned b = 0; b < sizeof betas / sizeof *betas; b++) {
        const heat_law law = clup_heat_law_of(&problem, betas[b]);
        for (int v = 0; v <= 4 * 13; v++) {
            /* 1/(1 + exp(2 beta (n(1) - n(0)))) */
            const double zero = 1 / (1 + exp(v == 26 ? 0 : 2 * betas[b] * (v - 26))),
                         got = (law.always >> v & 1) + law.below[v] * 0x1p-32,
                         off = fabs(got - zero);
            worst = off > worst ? off : worst;
        }
        wrong += law.below[26] != 0x80000000u || (law.always >> 26 & 1) != 0;
    }
    ok(worst < 0x1p-31, "probabilities of the heat bath: off by %.3g at most", worst);
    ok(wrong == 0, "both states alike: exactly 1/2");
    const heat_law frozen = clup_heat_law_of(&problem, INFINITY);
    ok((frozen.always & 0x3FFFFFF) == 0x3FFFFFF && frozen.below[27] == 0,
       "nothing is left to chance at zero temperature");
}

/* ---- the same spins -------------------------------------------------------------------------- */

static void simulate(clup_context *where, const clup_problem *problem, const clup_method *method,
                     const char *action, const char *bonds, uint8_t *spins, double *energies)
{
    clup_simulation *simulation;
    clup_plan_request request = {.action = action, .bonds = bonds, .seed = 1};
    clup_plan plan;
    if (where != NULL)
        NEED(clup_plan_choose(where, problem, method, &request, &plan));
    NEED(clup_simulation_create(where, problem, method, where != NULL ? &plan : NULL, 5,
                                CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 4, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    for (uint32_t r = 0; r < clup_problem_replicas(problem); r++)
        NEED(clup_simulation_series(simulation, r, CLUP_ENERGY, 0, 4, &energies[4 * r]));
    clup_simulation_free(simulation);
}

static void check_spins(const clup_problem *problem, const clup_method *method, const char *action,
                        const char *bonds)
{
    const uint64_t all = clup_problem_replicas(problem) * clup_problem_sites(problem);
    uint8_t *device = malloc(all), *host = malloc(all);
    double energies[8] = {0}, wanted[8] = {0};
    simulate(context, problem, method, action, bonds, device, energies);
    simulate(NULL, problem, method, NULL, NULL, host, wanted);
    ok(memcmp(device, host, all) == 0 && memcmp(energies, wanted, sizeof wanted) == 0,
       "%s, %u x %u x %u, q = %u, %s%s%s: the same spins and energies as on the host",
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->size[2],
       problem->q, clup_algorithm_name(method->algorithm), action != NULL ? ", " : "",
       action != NULL ? action : "");
    free(device), free(host);
}

static clup_problem problem_on(clup_lattice_kind lattice, unsigned k)
{
    const bool volume = clup_lattice_axes(lattice) > 2;
    clup_problem problem = {.model = CLUP_ISING,
                            .lattice = lattice,
                            .size = {33 + k, volume ? 5 - k : 9 + k, volume ? 4 : 1},
                            .periodic = {1, (int)k, 1},
                            .q = 2,
                            .beta = volume ? 0.15 : 0.4};
    clup_lattice_fit(lattice, problem.size);
    return problem;
}

static void check_all_spins(void)
{
    const clup_method alone = {.algorithm = CLUP_HEAT_BATH}, beside = {.heat_bath = 2},
                      wolff = {.algorithm = CLUP_WOLFF, .heat_bath = 1};
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICES; lattice = lattice_after(lattice))
        for (unsigned k = 0; k < 2; k++) {
            clup_problem problem = problem_on(lattice, k);
            check_spins(&problem, &alone, "heat_bits", NULL);
            problem.disorder[CLUP_SIGNS] = 0.4, problem.disorder[CLUP_ABSENT] = 0.2;
            problem.replicas = 2;
            check_spins(&problem, &alone, "heat_bits", NULL);
            if (lattice < CLUP_LATTICE_SQUARE_8)
                check_spins(&problem, &alone, "heat_bath", NULL);
        }
    clup_problem problem = problem_on(CLUP_LATTICE_SQUARE, 0);
    check_spins(&problem, &beside, NULL, "word");
    check_spins(&problem, &beside, NULL, "border");
    check_spins(&problem, &wolff, NULL, "word");
    problem.coupling[0] = 1, problem.coupling[1] = -0.375;
    check_spins(&problem, &alone, NULL, NULL);
    check_spins(&problem, &beside, NULL, NULL);
    problem = (clup_problem){.size = {37, 6}, .periodic = {1, 1}, .q = 5, .beta = 1.1};
    check_spins(&problem, &alone, NULL, NULL);
    problem.beta = INFINITY;
    check_spins(&problem, &alone, NULL, NULL);
    problem.q = 256, problem.beta = 2.5;
    check_spins(&problem, &beside, NULL, NULL);
    /* nine colours: the last launch copies the spins */
    problem = (clup_problem){
        .model = CLUP_ISING, .size = {33, 9}, .periodic = {1, 1}, .q = 2, .beta = 0.4};
    check_spins(&problem, &alone, "heat_bits", NULL);
    check_spins(&problem, &alone, "heat_bath", NULL);
    problem = (clup_problem){.model = CLUP_ISING, .size = {1, 1}, .periodic = {1, 1}, .q = 2};
    check_spins(&problem, &alone, NULL, NULL);
}

/* ---- all states ------------------------------------------------------------------------------ */

/* Returns the exact energy a site: sums over all states of a system with couplings, without
 * disorder. */
static double energy_of_all(const clup_problem *problem)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_problem_sites(problem);
    uint8_t spins[16] = {0};
    double z = 0, sum = 0;
    for (bool more = true; more;) {
        double energy = 0;
        for (uint64_t i = 0; i < sites; i++)
            for (unsigned d = 0; d < clup_problem_directions(problem); d++) {
                uint64_t to;
                if (!clup_lattice_forward(&lattice, d, (uint32_t)(i % lattice.nx),
                                          (uint32_t)(i / lattice.nx), &to))
                    continue;
                const double coupling = problem->coupling[0] == 0 ? 1 : problem->coupling[d];
                const bool equal = spins[i] == spins[to];
                energy -= coupling * (equal ? 1 : problem->model == CLUP_ISING ? -1 : 0);
            }
        z += exp(-problem->beta * energy);
        sum += energy * exp(-problem->beta * energy);
        uint64_t i = 0;
        while (i < sites && ++spins[i] == problem->q)
            spins[i++] = 0;
        more = i < sites;
    }
    return sum / z / (double)sites;
}

static void check_states(const clup_problem *problem, const clup_method *method)
{
    enum { SYSTEMS = 64 };
    clup_problem several = *problem;
    clup_simulation *simulation;
    const bool one = method->algorithm == CLUP_WOLFF;
    const uint32_t systems = one ? 1 : SYSTEMS;
    const double wanted = energy_of_all(problem);
    double sum = 0, squares = 0, error = 0;
    several.replicas = systems;
    NEED(
        clup_simulation_create(context, &several, method, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, one ? 20000 : 600, 1, NULL, NULL));
    for (uint32_t r = 0; r < systems; r++) {
        clup_estimate estimates[CLUP_OBSERVABLES];
        NEED(clup_simulation_estimate(simulation, r, estimates));
        sum += estimates[CLUP_ENERGY].mean;
        squares += estimates[CLUP_ENERGY].mean * estimates[CLUP_ENERGY].mean;
        error = estimates[CLUP_ENERGY].error;
    }
    clup_simulation_free(simulation);
    const double mean = sum / systems;
    if (!one)
        error = sqrt((squares / systems - mean * mean) / (systems - 1));
    ok(fabs(mean - wanted) < 4.5 * error,
       "%s %u x %u, q = %u, %s with %u: energy %.5f +- %.5f, exact %.5f",
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->q,
       clup_algorithm_name(method->algorithm), method->heat_bath, mean, error, wanted);
}

static void check_all_states(void)
{
    const clup_method methods[] = {
        {.algorithm = CLUP_HEAT_BATH}, {.heat_bath = 1}, {.algorithm = CLUP_WOLFF, .heat_bath = 2}};
    const clup_problem problems[] = {
        {.model = CLUP_ISING, .size = {4, 3}, .periodic = {1, 0}, .q = 2, .beta = 0.4},
        {.model = CLUP_ISING, .size = {3, 3}, .periodic = {1, 1}, .q = 2, .beta = 0.5},
        {.model = CLUP_ISING,
         .lattice = CLUP_LATTICE_TRIANGULAR,
         .size = {4, 3},
         .periodic = {1, 1},
         .q = 2,
         .beta = 0.6,
         .coupling = {-1, -1, -1}},
        {.model = CLUP_ISING,
         .size = {4, 3},
         .periodic = {1, 1},
         .q = 2,
         .beta = 0.5,
         .coupling = {1, -0.3}},
        {.size = {3, 3}, .periodic = {1, 1}, .q = 3, .beta = 0.8},
        {.size = {4, 2}, .periodic = {0, 1}, .q = 4, .beta = 1, .coupling = {1, 0.4}},
    };
    for (unsigned p = 0; p < sizeof problems / sizeof *problems; p++)
        for (unsigned m = 0; m < (p == 2 ? 3 : 2); m++)
            check_states(&problems[p], &methods[m]);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(clup_method method, const char *bonds, const char *why)
{
    const clup_problem problem = {.size = {64, 64}, .periodic = {1, 1}, .q = 2, .beta = 0.8};
    refused_problem(context, &problem, method, bonds, why);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_all_colours();
    check_laws();
    check_all_spins();
    check_all_states();
    refused((clup_method){.heat_bath = 33}, NULL, "at most 32");
    refused((clup_method){.algorithm = CLUP_HEAT_BATH, .heat_bath = 1}, NULL, "clusters");
    refused((clup_method){.heat_bath = 1, .rng = "mwc"}, NULL, "philox alone");
    refused((clup_method){.heat_bath = 1}, "char", "planes of spins");
    refused((clup_method){.heat_bath = 1}, "resident", "without sweeps of the heat bath");
    clup_context_free(context);
    return done_testing();
}
