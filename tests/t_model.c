/* SPDX-License-Identifier: BSD-3-Clause */
/* Spin models that share kernels and differ in their energy: the Ising model has the spins of the
 * Potts model with two states at twice the beta, bit for bit, whatever is done with them, and its
 * own energy. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/couplings.h"
#include "tap.h"

#define SWEEPS 12

static clup_context *context;

static clup_problem problem_of(clup_model model, clup_lattice_kind lattice, double beta)
{
    const unsigned axes = clup_lattice_axes(lattice);
    clup_problem problem = {.model = model,
                            .lattice = lattice,
                            .size = {axes > 2 ? 9 : 21, 7, axes > 2 ? 5 : 1},
                            .periodic = {1, 0, 1},
                            .q = 2,
                            .beta = model == CLUP_ISING ? beta / 2 : beta};
    clup_lattice_fit(lattice, problem.size);
    return problem;
}

/* Simulates a problem. The caller frees *spins and *energies, of one system. */
static void simulate(clup_context *where, const clup_problem *problem, const clup_method *method,
                     clup_start start, uint8_t **spins, double **energies)
{
    clup_simulation *simulation;
    *spins = malloc(clup_problem_sites(problem));
    *energies = malloc(SWEEPS * sizeof **energies);
    NEED(clup_simulation_create(where, problem, method, NULL, 5, start, &simulation));
    NEED(clup_simulation_run(simulation, SWEEPS, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, *spins));
    NEED(clup_simulation_series(simulation, 0, CLUP_ENERGY, 0, SWEEPS, *energies));
    clup_simulation_free(simulation);
}

static double all_bonds(const clup_problem *problem)
{
    double bonds = 0;
    for (unsigned d = 0; d < clup_problem_directions(problem); d++)
        bonds += (double)clup_problem_bonds(problem, d);
    return bonds;
}

/* Returns -sum s_i s_j over all bonds, spins being +-1. */
static double energy_of(const clup_problem *problem, const uint8_t *spins)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_problem_sites(problem);
    double energy = 0;
    for (uint64_t i = 0; i < sites; i++)
        for (unsigned d = 0; d < clup_lattice_of(&lattice)->directions; d++) {
            uint64_t to;
            if (clup_lattice_forward(&lattice, d, (uint32_t)(i % lattice.nx),
                                     (uint32_t)(i / lattice.nx), &to))
                energy += spins[i] == spins[to] ? -1 : 1;
        }
    return energy;
}

static void check_spins(clup_context *where, clup_lattice_kind lattice, clup_algorithm algorithm)
{
    const clup_problem potts = problem_of(CLUP_POTTS, lattice, 0.7),
                       ising = problem_of(CLUP_ISING, lattice, 0.7);
    const clup_method method = {.algorithm = algorithm, .seeds_per_side = 2, .p_flip = 0.4};
    const double sites = (double)clup_problem_sites(&ising), bonds = all_bonds(&ising);
    uint8_t *of_potts, *of_ising;
    double *low, *energies;
    unsigned wrong = 0;
    simulate(where, &potts, &method, CLUP_START_RANDOM, &of_potts, &low);
    simulate(where, &ising, &method, CLUP_START_RANDOM, &of_ising, &energies);
    ok(memcmp(of_potts, of_ising, (size_t)sites) == 0, "%s, %s on the %s: the same spins",
       clup_lattice_name(lattice), clup_algorithm_name(algorithm),
       where != NULL ? "device" : "host");
    const double counted = energy_of(&ising, of_ising);
    ok(fabs(energies[SWEEPS - 1] * sites - counted) < 1e-9, "energy: %.9g, counted %.9g",
       energies[SWEEPS - 1] * sites, counted);
    for (unsigned k = 0; k < SWEEPS; k++)
        wrong += fabs(energies[k] - 2 * low[k] - bonds / sites) > 1e-12;
    ok(wrong == 0, "each is twice that of Potts, plus the bonds (%u are not)", wrong);
    free(of_potts), free(of_ising), free(low), free(energies);
}

/* Bonds of lattices with short axes, and open ones. */
static void check_bonds(void)
{
    static const uint32_t sizes[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 5, 2}, {3, 2, 4}, {6, 5, 3}};
    unsigned wrong = 0;
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_GRAPH; lattice++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int periodic = 0; periodic < 8; periodic++) {
                clup_problem problem = {.model = CLUP_ISING,
                                        .lattice = lattice,
                                        .size = {sizes[s][0], sizes[s][1], sizes[s][2]},
                                        .periodic = {periodic & 1, periodic & 2, periodic & 4},
                                        .q = 2};
                const uint8_t spins[6 * 5 * 4] = {0};
                if (clup_lattice_axes(lattice) < 3)
                    problem.size[2] = 1;
                wrong += energy_of(&problem, spins) != -all_bonds(&problem) ||
                         clup_energy_of(&problem, all_bonds(&problem)) !=
                             energy_of(&problem, spins);
            }
    ok(wrong == 0, "bonds of small lattices (%u are wrong)", wrong);
}

/* Two temperatures that change places, as those of the Potts model do; and a population. */
static void check_temperatures(clup_context *where)
{
    static const clup_model models[] = {CLUP_POTTS, CLUP_ISING};
    uint8_t *spins[2];
    double ln[2], bonds = 0;
    uint32_t sources[2][4];
    for (unsigned k = 0; k < 2; k++) {
        const double unit = k == 0 ? 1 : 0.5, betas[] = {0.6 * unit, 0.7 * unit, 0.85 * unit, unit};
        clup_problem problem = problem_of(models[k], CLUP_LATTICE_SQUARE, 0.7);
        const size_t sites = (size_t)clup_problem_sites(&problem);
        clup_simulation *simulation;
        problem.replicas = 4, problem.betas = betas;
        spins[k] = malloc(4 * sites);
        NEED(
            clup_simulation_create(where, &problem, NULL, NULL, 5, CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_temper(simulation, 1));
        NEED(clup_simulation_run(simulation, 40, 1, NULL, NULL));
        NEED(clup_simulation_spins(simulation, spins[k]));
        clup_simulation_free(simulation);
        problem.betas = NULL;
        NEED(
            clup_simulation_create(where, &problem, NULL, NULL, 5, CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_run(simulation, 10, 0, NULL, NULL));
        NEED(clup_simulation_resample(simulation, 0.8 * unit, sources[k], &ln[k]));
        clup_simulation_free(simulation);
        bonds = all_bonds(&problem);
    }
    ok(memcmp(spins[0], spins[1], 4 * 21 * 7) == 0, "tempering: the same spins");
    ok(memcmp(sources[0], sources[1], sizeof sources[0]) == 0, "population: the same systems");
    /* Z of Ising is that of Potts times exp(-beta bonds), with beta of Ising */
    ok(fabs(ln[1] - (ln[0] - 0.05 * bonds)) < 1e-9, "ln Z: %.9g, wanted %.9g", ln[1],
       ln[0] - 0.05 * bonds);
    free(spins[0]), free(spins[1]);
}

static void check_exact(void)
{
    clup_problem problem = {.model = CLUP_ISING, .size = {2, 2}, .periodic = {1, 1}, .q = 2};
    double energy, heat, sum = 0, first = 0, second = 0;
    problem.beta = 0.31;
    for (unsigned state = 0; state < 16; state++) {
        const uint8_t spins[4] = {state & 1, state >> 1 & 1, state >> 2 & 1, state >> 3 & 1};
        const double of = energy_of(&problem, spins), weight = exp(-problem.beta * of);
        sum += weight, first += weight * of, second += weight * of * of;
    }
    first /= sum, second /= sum;
    NEED(clup_exact_ising(&problem, &energy, &heat));
    ok(fabs(4 * energy - first) < 1e-9, "2 x 2, enumerated: energy %.12g, exact %.12g", first / 4,
       energy);
    ok(fabs(4 * heat - problem.beta * problem.beta * (second - first * first)) < 1e-9,
       "specific heat");
    ok(fabs(clup_problem_critical_beta(&problem) - log(1 + sqrt(2)) / 2) < 1e-15,
       "critical at beta = ln(1 + sqrt 2)/2");
    problem.model = CLUP_BOND_PERCOLATION;
    ok(isnan(clup_problem_critical_beta(&problem)) && isnan(clup_problem_critical_beta(NULL)),
       "percolation has no temperatures");
    problem.model = CLUP_ISING, problem.q = 3;
    ok(clup_problem_check(&problem) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "the Ising model has q = 2, not 3") != NULL,
       "three states are refused: %s", clup_error_detail());
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_bonds();
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_KAGOME; lattice++)
        check_spins(NULL, lattice, CLUP_SWENDSEN_WANG);
    check_spins(context, CLUP_LATTICE_SQUARE, CLUP_SWENDSEN_WANG);
    check_spins(context, CLUP_LATTICE_CUBIC, CLUP_SWENDSEN_WANG);
    check_spins(context, CLUP_LATTICE_SQUARE, CLUP_WOLFF);
    check_spins(context, CLUP_LATTICE_SQUARE, CLUP_FEW_CLUSTER);
    check_temperatures(NULL);
    check_temperatures(context);
    check_exact();
    clup_context_free(context);
    return done_testing();
}
