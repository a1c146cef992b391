/* SPDX-License-Identifier: BSD-3-Clause */
/* Couplings of either sign, one for each direction, and disorder: the same spins on the device and
 * on the host, energies that are counted anew bond by bond, all states of small systems, and the
 * energy on the Nishimori line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "base/dtype.h"
#include "core/couplings.h"
#include "core/disorder.h"
#include "io/image.h"
#include "tap.h"

#define SWEEPS 10

static clup_context *context;

/* The 32-bit number of bond d of site x of a row, as the comment in random.clh says it. */
static uint32_t number_of(const clup_problem *problem, const lattice_args *lattice,
                          unsigned purpose, uint32_t replica, unsigned d, uint32_t x, uint32_t row)
{
    const uint32_t words = lattice->words;
    const random_key key = {problem->disorder_seed, 0, 0, replica << 16};
    uint32_t number = 0;
    for (unsigned k = 0; k < 32; k++) {
        const philox_block block = random_block(
            key, purpose, (uint64_t)words * lattice_rows(*lattice) * d + words * row + x / 32,
            k / 4);
        number |= (block.v[k % 4] >> x % 32 & 1) << (31 - k);
    }
    return number;
}

/* The normal number of bond d of site x of a row, likewise. */
static double normal_of(const clup_problem *problem, const lattice_args *lattice, uint32_t replica,
                        unsigned d, uint32_t x, uint32_t row)
{
    const uint32_t words = lattice->words;
    const random_key key = {problem->disorder_seed, 0, 0, replica << 16};
    const philox_block block = random_block(
        key, PURPOSE_NORMAL, (uint64_t)words * lattice_rows(*lattice) * d + words * row + x / 32,
        x % 32);
    return sqrt(-2 * log((2. * block.v[0] + 1) / 8589934592.0)) *
           cos(2 * acos(-1) * block.v[1] / 4294967296.0);
}

/* The numbers of the last couplings of single bonds that were made. */
static double *given;

/* Gives each bond of a problem a coupling between -2 and 2, or if signs is false from 0.25 to 2. */
static void give_couplings(clup_problem *problem, bool signs)
{
    const uint64_t sites = clup_problem_sites(problem),
                   count = sites * clup_problem_directions(problem);
    given = realloc(given, count * sizeof *given);
    for (uint64_t k = 0; k < count; k++) {
        const double number = random_block((random_key){3, 0, 0, 0}, 0, k, 0).v[0] / 4294967296.0;
        given[k] = signs ? 4 * number - 2 : 0.25 + 1.75 * number;
    }
    NEED(clup_bond_couplings_make(given, clup_problem_directions(problem), sites,
                                  &problem->bond_couplings));
}

/* Returns the coupling of bond d of a site: 0 where it is absent. */
static double coupling_of(const clup_problem *problem, const lattice_args *lattice,
                          uint32_t replica, unsigned d, uint64_t i)
{
    const uint32_t x = (uint32_t)(i % lattice->nx), row = (uint32_t)(i / lattice->nx);
    bool all_zero = true;
    for (unsigned k = 0; k < 16; k++)
        all_zero = all_zero && problem->coupling[k] == 0;
    const double coupling = all_zero ? 1 : problem->coupling[d];
    const uint32_t sample = problem->disorder_samples > 0 ? replica % problem->disorder_samples
                                                          : replica;
    if (number_of(problem, lattice, PURPOSE_ABSENT, sample, d, x, row) <
        round(problem->disorder[1] * 4294967296.0))
        return 0;
    if (problem->bond_couplings != NULL)
        return given[d * clup_problem_sites(problem) + i];
    if (problem->disorder[2] > 0)
        return coupling * problem->disorder[2] * normal_of(problem, lattice, sample, d, x, row);
    return number_of(problem, lattice, PURPOSE_SIGN, sample, d, x, row) <
                   round(problem->disorder[0] * 4294967296.0)
               ? -coupling
               : coupling;
}

/* The bonds of a replica, one by one. */
typedef struct bond {
    uint64_t from, to;
    double coupling;
} bond;

static size_t bonds_of(const clup_problem *problem, uint32_t replica, bond **bonds)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_problem_sites(problem);
    const unsigned directions = clup_problem_directions(problem);
    size_t count = 0;
    *bonds = malloc(sites * directions * sizeof **bonds);
    for (uint64_t i = 0; i < sites; i++)
        for (unsigned d = 0; d < directions; d++) {
            uint64_t to;
            if (clup_lattice_forward(&lattice, d, (uint32_t)(i % lattice.nx),
                                     (uint32_t)(i / lattice.nx), &to))
                (*bonds)[count++] = (bond){i, to, coupling_of(problem, &lattice, replica, d, i)};
        }
    return count;
}

static double energy_of(const clup_problem *problem, const bond *bonds, size_t count,
                        const uint8_t *spins)
{
    const bool ising = problem->model == CLUP_ISING;
    double energy = 0;
    for (size_t k = 0; k < count; k++) {
        const bool equal = spins[bonds[k].from] == spins[bonds[k].to];
        energy -= bonds[k].coupling * (equal ? 1 : ising ? -1 : 0);
    }
    for (uint64_t i = 0; i < clup_problem_sites(problem) && problem->field != 0; i++)
        energy -= problem->field * (1 - 2 * spins[i]);
    return energy;
}

/* ---- the same spins, and their energy -------------------------------------------------------- */

/* Simulates on the device, or on the host for NULL. The caller frees *spins, of all replicas. */
static void simulate(clup_context *where, const clup_problem *problem, const clup_method *method,
                     uint8_t **spins, double *energies)
{
    clup_simulation *simulation;
    *spins = malloc(clup_problem_replicas(problem) * clup_problem_sites(problem));
    NEED(clup_simulation_create(where, problem, method, NULL, 5, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, SWEEPS, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, *spins));
    for (uint32_t r = 0; r < clup_problem_replicas(problem); r++)
        NEED(clup_simulation_series(simulation, r, CLUP_ENERGY, SWEEPS - 1, 1, &energies[r]));
    clup_simulation_free(simulation);
}

static void check_spins(clup_problem problem, const clup_method *method, const char *what)
{
    const uint64_t sites = clup_problem_sites(&problem);
    const uint32_t replicas = clup_problem_replicas(&problem);
    uint8_t *device, *host;
    double energies[8], on_host[8];
    unsigned wrong = 0;
    simulate(context, &problem, method, &device, energies);
    simulate(NULL, &problem, method, &host, on_host);
    ok(memcmp(device, host, replicas * sites) == 0, "%s, %s, %s: the same spins as on the host",
       clup_lattice_name(problem.lattice), what,
       clup_algorithm_name(method != NULL ? method->algorithm : CLUP_SWENDSEN_WANG));
    for (uint32_t r = 0; r < replicas; r++) {
        bond *bonds;
        const size_t count = bonds_of(&problem, r, &bonds);
        const double counted = energy_of(&problem, bonds, count, host + r * sites);
        /* the coupling of a single bond is a multiple of 2^-20 */
        const bool rounded = problem.disorder[2] > 0 || problem.bond_couplings != NULL;
        const double most = rounded ? 0x1p-20 * (double)count : 1e-9;
        wrong += !(fabs(energies[r] * (double)sites - counted) < most) || energies[r] != on_host[r];
        free(bonds);
    }
    ok(wrong == 0, "energies are those of the bonds (%u are not)", wrong);
    free(device), free(host);
}

static void check_all_spins(void)
{
    const clup_method wolff = {.algorithm = CLUP_WOLFF}, heated = {.heat_bath = 1},
                      sites_alone = {.algorithm = CLUP_HEAT_BATH};
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_CHAIN; lattice++) {
        const bool volume = clup_lattice_axes(lattice) > 2;
        clup_problem problem = {.model = CLUP_ISING,
                                .lattice = lattice,
                                .size = {volume ? 35 : 45, volume ? 7 : 37, volume ? 5 : 1},
                                .periodic = {1, 0, 1},
                                .q = 2,
                                .beta = volume ? 0.2 : 0.5};
        clup_lattice_fit(lattice, problem.size);
        for (unsigned d = 0; d < clup_problem_directions(&problem); d++)
            problem.coupling[d] = d % 3 == 1 ? -0.75 : 1 - 0.125 * (d % 2);
        /* the same kernels with disorder, which compile long for many directions */
        if (lattice < CLUP_LATTICE_CUBIC_18)
            check_spins(problem, NULL, "couplings");
        problem.disorder[0] = 0.3, problem.disorder[1] = 0.25, problem.disorder_seed = 7;
        check_spins(problem, lattice == CLUP_LATTICE_CUBIC ? &wolff : NULL,
                    "couplings and disorder");
        problem.disorder[0] = 0;
        if (lattice % 2 == 0) {
            problem.disorder[2] = 0.75;
            check_spins(problem, lattice == CLUP_LATTICE_SQUARE ? &wolff : NULL,
                        "normal couplings");
        } else {
            problem.replicas = 2;
            memset(problem.coupling, 0, sizeof problem.coupling);
            give_couplings(&problem, true);
            check_spins(problem, NULL, "given couplings and dilution");
        }
    }
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {33, 20},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.7,
                            .replicas = 5,
                            .disorder = {0.5, 0},
                            .disorder_samples = 2};
    check_spins(problem, NULL, "five systems with two samples");
    problem.disorder_samples = 0;
    check_spins(problem, NULL, "five systems with a sample each");
    problem.disorder[0] = 1;
    check_spins(problem, NULL, "every sign turned");
    problem.disorder[0] = 0, problem.disorder[1] = 1;
    check_spins(problem, NULL, "no bond");
    problem.disorder[1] = 0, problem.disorder[2] = 1, problem.disorder_samples = 2;
    check_spins(problem, &heated, "normal couplings, five systems with two samples");
    problem.field = -0.5, problem.coupling[0] = problem.coupling[1] = 1.5;
    check_spins(problem, NULL, "normal couplings in a field");
    check_spins(problem, &sites_alone, "normal couplings in a field");
    problem.beta = INFINITY;
    check_spins(problem, NULL, "normal couplings at zero temperature");
    problem.size[0] = 1;
    check_spins(problem, &heated, "normal couplings of a column");
    problem.size[0] = 90, problem.size[1] = 70, problem.beta = 0.5;
    check_spins(problem, NULL, "normal couplings whose sum has more than 32 bits");
    problem = (clup_problem){.size = {45, 70},
                             .periodic = {1, 1},
                             .q = 5,
                             .beta = 1.2,
                             .coupling = {1, 0.3125},
                             .disorder = {0, 0.2}};
    check_spins(problem, NULL, "Potts");
    problem.beta = INFINITY;
    check_spins(problem, NULL, "Potts at zero temperature");
    problem.beta = 0.6, problem.disorder[1] = 0, problem.coupling[0] = problem.coupling[1] = 0;
    give_couplings(&problem, false);
    check_spins(problem, &heated, "Potts, given couplings");
    check_spins(problem, &wolff, "Potts, given couplings");
}

/* ---- all states ------------------------------------------------------------------------------ */

typedef struct exact {
    double ln_z, energy, heat, m2;
} exact;

static exact enumerate(const clup_problem *problem, uint32_t replica)
{
    const uint64_t sites = clup_problem_sites(problem);
    bond *bonds;
    const size_t count = bonds_of(problem, replica, &bonds);
    double z = 0, energy = 0, squares = 0, m2 = 0;
    for (uint32_t state = 0; state < 1u << sites; state++) {
        uint8_t spins[16];
        for (uint64_t i = 0; i < sites; i++)
            spins[i] = state >> i & 1;
        const double of = energy_of(problem, bonds, count, spins),
                     weight = exp(-problem->beta * of),
                     m = 2 * (double)__builtin_popcount(state) / (double)sites - 1;
        z += weight, energy += weight * of, squares += weight * of * of, m2 += weight * m * m;
    }
    free(bonds);
    energy /= z, squares /= z;
    return (exact){log(z), energy / (double)sites,
                   problem->beta * problem->beta * (squares - energy * energy) / (double)sites,
                   m2 / z};
}

static void near(const clup_estimate *estimate, double wanted, const char *what)
{
    const double sigma = fabs(estimate->mean - wanted) / estimate->error;
    ok(sigma < 4.5, "%s %.6f +- %.6f, exact %.6f: %.1f sigma", what, estimate->mean,
       estimate->error, wanted, sigma);
}

static void check_states(clup_problem problem, const clup_method *method, const char *what)
{
    clup_simulation *simulation;
    clup_estimate estimates[CLUP_OBSERVABLES];
    const exact wanted = enumerate(&problem, 0);
    NEED(
        clup_simulation_create(context, &problem, method, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 20000, 1, NULL, NULL));
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    clup_simulation_free(simulation);
    printf("# %s on the %s lattice\n", what, clup_lattice_name(problem.lattice));
    near(&estimates[CLUP_ENERGY], wanted.energy, "energy");
    near(&estimates[CLUP_M2], wanted.m2, "m2");
    near(&estimates[CLUP_SPECIFIC_HEAT], wanted.heat, "specific heat");
}

static void check_all_states(void)
{
    const clup_method wolff = {.algorithm = CLUP_WOLFF}, heat_bath = {.algorithm = CLUP_HEAT_BATH};
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {4, 3},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.4,
                            .coupling = {1, -0.5}};
    check_states(problem, NULL, "couplings of both signs");
    check_states(problem, &wolff, "couplings of both signs, wolff");
    problem.disorder[0] = 0.5, problem.disorder[1] = 0.2;
    check_states(problem, NULL, "disorder");
    problem.periodic[0] = 0, problem.disorder_seed = 3;
    check_states(problem, &wolff, "disorder, open, wolff");
    problem.lattice = CLUP_LATTICE_TRIANGULAR;
    problem.size[0] = problem.size[1] = 3, problem.periodic[0] = 1;
    problem.disorder[0] = problem.disorder[1] = 0;
    problem.coupling[0] = problem.coupling[1] = problem.coupling[2] = -1;
    check_states(problem, NULL, "an antiferromagnet");
    problem.disorder[2] = 1;
    check_states(problem, NULL, "normal couplings");
    check_states(problem, &wolff, "normal couplings, wolff");
    check_states(problem, &heat_bath, "normal couplings, the heat bath");
    problem.disorder[2] = 0;
    problem.lattice = CLUP_LATTICE_CUBIC;
    problem.size[0] = 3, problem.size[1] = problem.size[2] = 2;
    problem.periodic[1] = 0, problem.periodic[2] = 1;
    problem.disorder[0] = 0.5;
    check_states(problem, NULL, "a spin glass");
    problem.disorder[0] = 0;
    memset(problem.coupling, 0, sizeof problem.coupling);
    give_couplings(&problem, true);
    check_states(problem, NULL, "given couplings");
    problem.model = CLUP_POTTS;
    give_couplings(&problem, false);
    check_states(problem, NULL, "Potts, given couplings");
    check_states(problem, &heat_bath, "Potts, given couplings, the heat bath");
}

/* ---- normal numbers -------------------------------------------------------------------------- */

/* Moments of the couplings that a large lattice has, and how many are beyond two deviations. */
static void check_normal(void)
{
    enum { BONDS = 2 * 512 * 512 };
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {512, 512},
                                  .q = 2,
                                  .periodic = {1, 1},
                                  .disorder = {0, 0, 0.5}};
    const lattice_args lattice = clup_lattice_args(&problem);
    uint32_t *words = malloc(clup_disorder_words(&problem, &lattice) * sizeof *words);
    clup_laws laws = {.classes = 1};
    double moments[5] = {0}, beyond = 0, far = 0;
    NEED(clup_disorder_fill(&problem, &lattice, 0, words));
    clup_disorder_in(&problem, &lattice, words, &laws);
    for (unsigned d = 0; d < 2; d++)
        for (uint64_t i = 0; i < BONDS / 2; i++) {
            const double size = clup_bond_weight(&lattice, &laws, d, i) * 0x1p-20 / 0.5,
                         x = clup_bond_is_unequal(&lattice, &laws, d, i) ? -size : size,
                         wanted = normal_of(&problem, &lattice, 0, d, (uint32_t)(i % 512),
                                            (uint32_t)(i / 512));
            for (unsigned k = 1; k < 5; k++)
                moments[k] += pow(x, k) / BONDS;
            beyond += (size > 2) / (double)BONDS;
            far = fmax(far, fabs(x - wanted));
        }
    ok(far < 0x1p-19 + 1e-7, "normal numbers are those of Box and Muller: %.2g away", far);
    const double error = 1 / sqrt(BONDS);
    ok(fabs(moments[1]) < 4.5 * error && fabs(moments[2] - 1) < 4.5 * sqrt(2) * error &&
           fabs(moments[3]) < 4.5 * sqrt(15) * error &&
           fabs(moments[4] - 3) < 4.5 * sqrt(96) * error,
       "their moments are %.4f, %.4f, %.4f and %.4f: 0, 1, 0, 3", moments[1], moments[2],
       moments[3], moments[4]);
    ok(fabs(beyond - 0.0455003) < 4.5 * sqrt(0.0455) * error,
       "%.5f of them are beyond two deviations, exact 0.04550", beyond);
    free(words);
}

/* ---- the Nishimori line ---------------------------------------------------------------------- */

/* At exp(-2 beta) = p/(1 - p) the energy, averaged over samples of a share p of couplings -1, is
 * -(1 - 2p) a bond: H. Nishimori, Prog. Theor. Phys. 66, 1169 (1981). */
static void check_nishimori(clup_lattice_kind lattice, double p, double dilute)
{
    enum { SAMPLES = 400 };
    const bool volume = clup_lattice_axes(lattice) > 2;
    clup_problem problem = {.model = CLUP_ISING,
                            .lattice = lattice,
                            .size = {volume ? 6 : 12, volume ? 5 : 10, volume ? 4 : 1},
                            .periodic = {1, 1, 0},
                            .q = 2,
                            .beta = log((1 - p) / p) / 2,
                            .replicas = SAMPLES,
                            .disorder = {p, dilute}};
    const double sites = (double)clup_problem_sites(&problem);
    clup_simulation *simulation;
    double bonds = 0, sum = 0, squares = 0;
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 200, 1, NULL, NULL));
    for (uint32_t r = 0; r < SAMPLES; r++) {
        clup_estimate estimates[CLUP_OBSERVABLES];
        NEED(clup_simulation_estimate(simulation, r, estimates));
        sum += estimates[CLUP_ENERGY].mean;
        squares += estimates[CLUP_ENERGY].mean * estimates[CLUP_ENERGY].mean;
    }
    clup_simulation_free(simulation);
    for (unsigned d = 0; d < clup_problem_directions(&problem); d++)
        bonds += (double)clup_problem_bonds(&problem, d);
    const double mean = sum / SAMPLES,
                 error = sqrt((squares / SAMPLES - mean * mean) / (SAMPLES - 1)),
                 wanted = -(1 - 2 * p) * (1 - dilute) * bonds / sites;
    ok(fabs(mean - wanted) < 4.5 * error, "%s, p = %g, dilute %g: energy %.5f +- %.5f, exact %.5f",
       clup_lattice_name(lattice), p, dilute, mean, error, wanted);
}

/* ---- temperatures ---------------------------------------------------------------------------- */

static void check_tempering(void)
{
    const double betas[] = {0.3, 0.3, 0.5, 0.5, 0.8, 0.8};
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {8, 6},
                            .periodic = {1, 1},
                            .q = 2,
                            .betas = betas,
                            .replicas = 6,
                            .coupling = {1, 0.5},
                            .disorder = {0.5, 0.1},
                            .disorder_samples = 2};
    const uint64_t sites = clup_problem_sites(&problem);
    clup_simulation *simulation;
    clup_tempering tempering;
    uint8_t *spins = malloc(6 * sites);
    unsigned wrong = 0;
    uint64_t moved = 0;
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_temper(simulation, 1));
    for (unsigned k = 0; k < 20; k++) {
        NEED(clup_simulation_run(simulation, 1, 1, NULL, NULL));
        NEED(clup_simulation_spins(simulation, spins));
    }
    NEED(clup_simulation_tempering(simulation, &tempering));
    /* after the exchange each place's spins are those of a system with the sample of its ladder */
    for (uint32_t r = 0; r < 6; r++) {
        clup_rung rung;
        NEED(clup_simulation_rung(simulation, r, &rung));
        moved += rung.accepted;
        wrong += rung.system % 2 != r % 2;
    }
    ok(wrong == 0 && moved > 0, "systems keep to the sample of their ladder (%llu exchanges)",
       (unsigned long long)moved);
    clup_simulation_free(simulation);
    problem.disorder_samples = 0;
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    ok(clup_simulation_temper(simulation, 1) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "the same disorder") != NULL,
       "systems with samples of their own do not change places: %s", clup_error_detail());
    clup_simulation_free(simulation);
    free(spins);
}

/* ln Z of a small system by a population. */
static void check_population(void)
{
    enum { SYSTEMS = 4000, STEPS = 8 };
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {4, 3},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0,
                            .replicas = SYSTEMS,
                            .coupling = {1, -0.5},
                            .disorder = {0.5, 0.25},
                            .disorder_samples = 1};
    clup_simulation *simulation;
    uint32_t *sources = malloc(SYSTEMS * sizeof *sources);
    double ln_z = 12 * log(2), ratio;
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    for (unsigned k = 1; k <= STEPS; k++) {
        NEED(clup_simulation_resample(simulation, 0.1 * k, sources, &ratio));
        NEED(clup_simulation_run(simulation, 3, 0, NULL, NULL));
        ln_z += ratio;
    }
    problem.beta = 0.1 * STEPS;
    const double wanted = enumerate(&problem, 0).ln_z;
    ok(fabs(ln_z - wanted) < 0.05, "ln Z of a population: %.4f, exact %.4f", ln_z, wanted);
    clup_simulation_free(simulation);
    problem.disorder_samples = 0, problem.beta = 0;
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    ok(clup_simulation_resample(simulation, 0.1, sources, &ratio) == CLUP_ERROR_USAGE,
       "systems with samples of their own are no population: %s", clup_error_detail());
    clup_simulation_free(simulation);
    free(sources);
}

/* ---- what there is and is not ---------------------------------------------------------------- */

static void check_critical(void)
{
    clup_problem problem = {.model = CLUP_ISING, .size = {8, 8}, .q = 2, .coupling = {1, -0.25}};
    const double beta = clup_problem_critical_beta(&problem);
    ok(fabs(sinh(2 * beta) * sinh(0.5 * beta) - 1) < 1e-12,
       "square, 1 and -1/4: sinh(2 beta) sinh(beta/2) = 1 at %.12g", beta);
    problem.coupling[1] = 0;
    ok(isnan(clup_problem_critical_beta(&problem)), "chains have no critical point");
    problem.coupling[0] = problem.coupling[1] = 2;
    ok(fabs(clup_problem_critical_beta(&problem) - log(1 + sqrt(2)) / 4) < 1e-15,
       "couplings of 2: half of it");
    problem.lattice = CLUP_LATTICE_TRIANGULAR;
    problem.coupling[1] = problem.coupling[0] = 1, problem.coupling[2] = 0;
    ok(fabs(clup_problem_critical_beta(&problem) - log(1 + sqrt(2)) / 2) < 1e-12,
       "triangular without its third direction is square");
    problem.coupling[2] = -1;
    ok(isnan(clup_problem_critical_beta(&problem)), "frustrated triangles have none that is known");
    problem.coupling[1] = -0.5;
    ok(clup_problem_critical_beta(&problem) > 0, "two negative couplings are not frustrated");
}

/* Couplings that count as 0 have no critical point, and end nothing. */
static void check_nothing(void)
{
    clup_problem problem = {.model = CLUP_ISING, .size = {8, 8}, .q = 2, .coupling = {1e-9, 1e-9}};
    ok(isnan(clup_problem_critical_beta(&problem)), "couplings that count as 0: no critical point");
    problem.coupling[0] = 1e300;
    ok(isnan(clup_problem_critical_beta(&problem)), "nor have couplings that are too large");
    problem.coupling[0] = 1, problem.coupling[1] = 1 + 1e-9;
    ok(!clup_bonds_differ(&problem), "couplings that count as 1 are 1");
    problem.lattice = CLUP_LATTICE_TRIANGULAR;
    problem.coupling[1] = 0.3, problem.coupling[2] = 0;
    const double beta = clup_problem_critical_beta(&problem);
    ok(fabs(sinh(2 * beta) * sinh(0.6 * beta) - 1) < 1e-5, "triangular, 1, 0.3 and 0: %.9g", beta);
    problem.lattice = (clup_lattice_kind)99;
    char text[CLUP_FIELD_TEXT];
    NEED(clup_problem_get(&problem, "coupling", text));
    problem.model = CLUP_BOND_PERCOLATION, problem.lattice = CLUP_LATTICE_SQUARE;
    problem.coupling[0] = problem.coupling[1] = 1e-9;
    ok(clup_problem_check(&problem) == CLUP_OK, "percolation does not read couplings");
}

static void refused(const clup_problem *problem, const char *why)
{
    ok(clup_problem_check(problem) == CLUP_ERROR_USAGE && strstr(clup_error_detail(), why) != NULL,
       "refused: %s", clup_error_detail());
}

static void check_refused(void)
{
    static const char *const texts[] = {"1,2,3", "",  "1,",  "x",   "1,nan",
                                        "inf",   "0", "0,0", "1 2", "1,2x"},
                             *const disorders[] = {"pm",      "pm=",     "pm=2",   "pm=-0.1",
                                                   "gauss=",  "gauss=3", "gauss2", "pm=0.1,pm=0.2",
                                                   "pm=0.1,", "pm=nan",  ""};
    clup_problem problem = {.model = CLUP_ISING, .size = {8, 8}, .q = 2};
    char text[CLUP_FIELD_TEXT];
    unsigned wrong = 0;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        wrong += clup_problem_set(&problem, "coupling", texts[k]) != CLUP_ERROR_USAGE;
    for (size_t k = 0; k < sizeof disorders / sizeof *disorders; k++)
        wrong += clup_problem_set(&problem, "disorder", disorders[k]) != CLUP_ERROR_USAGE;
    ok(wrong == 0, "texts that are no couplings and no disorder are refused (%u are not)", wrong);
    NEED(clup_problem_get(&problem, "coupling", text));
    ok(strcmp(text, "1") == 0,
       "without couplings all are 1"
       ": %s",
       text);
    NEED(clup_problem_set(&problem, "coupling", "-1e-1,2"));
    NEED(clup_problem_get(&problem, "coupling", text));
    ok(strcmp(text, "-0.1,2") == 0,
       "couplings as text"
       ": %s",
       text);
    NEED(clup_problem_set(&problem, "disorder", "dilute=0.5,pm=0.25"));
    NEED(clup_problem_get(&problem, "disorder", text));
    ok(strcmp(text, "pm=0.25,dilute=0.5") == 0,
       "disorder as text"
       ": %s",
       text);
    NEED(clup_problem_set(&problem, "disorder", "gauss,dilute=0.5"));
    NEED(clup_problem_get(&problem, "disorder", text));
    ok(strcmp(text, "dilute=0.5,gauss=1") == 0, "normal couplings as text: %s", text);
    problem.disorder[0] = 0.5;
    refused(&problem, "does not go with pm");
    problem.disorder[0] = 0, problem.coupling[1] = 2.5;
    refused(&problem, "times the coupling 2.5 is more than 2");
    problem.coupling[1] = 2, problem.disorder[2] = 1e-7;
    refused(&problem, "makes all couplings count as 0");
    problem.disorder[2] = -1;
    refused(&problem, "disorder gauss=-1 is not from 0 to 2");
    NEED(clup_problem_set(&problem, "disorder", "none"));
    problem.coupling[1] = 17;
    refused(&problem, "coupling 17 is not between -16 and 16");
    problem.coupling[1] = NAN;
    refused(&problem, "is not between -16 and 16");
    problem.coupling[0] = problem.coupling[1] = 1e-9;
    refused(&problem, "count as 0");
    problem.coupling[0] = problem.coupling[1] = 1, problem.disorder[0] = NAN;
    refused(&problem, "is no probability");
    problem.model = CLUP_ISING, problem.disorder[0] = 0, problem.coupling[1] = -1,
    problem.beta = 0.4;
    problem.periodic[0] = problem.periodic[1] = 1;
    double energy, heat;
    ok(clup_exact_ising(&problem, &energy, &heat) == CLUP_ERROR_USAGE,
       "no exact energy of unequal couplings: %s", clup_error_detail());
    clup_simulation *simulation;
    clup_estimate estimates[CLUP_OBSERVABLES];
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, (clup_observable[]){CLUP_CLUSTERS, CLUP_S0_IMPROVED},
                                 2, 1));
    NEED(clup_simulation_run(simulation, 20, 1, NULL, NULL));
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    ok(estimates[CLUP_CLUSTERS].mean > 0 && isnan(estimates[CLUP_M2_IMPROVED].mean) &&
           estimates[CLUP_S0_IMPROVED].mean > 0,
       "clusters are counted; where their spins are not equal, their sums alone give m2");
    clup_simulation_free(simulation);
}

/* ---- couplings of single bonds --------------------------------------------------------------- */

/* Writes an array of NumPy. */
static void write_array(const char *path, clup_dtype dtype, const size_t *shape, unsigned axes,
                        const void *numbers)
{
    char header[CLUP_NPY_HEADER];
    const size_t bytes = clup_npy_header(header, dtype, shape, axes);
    size_t size = clup_dtype_bytes(dtype);
    for (unsigned axis = 0; axis < axes; axis++)
        size *= shape[axis];
    FILE *file = fopen(path, "wb");
    NEED(file != NULL && fwrite(header, 1, bytes, file) == bytes &&
                 fwrite(numbers, 1, size, file) == size && fclose(file) == 0
             ? CLUP_OK
             : CLUP_ERROR_RUNTIME);
}

static void refused_numbers(const double *numbers, unsigned directions, uint64_t sites,
                            const char *why)
{
    const clup_bond_couplings *made;
    ok(clup_bond_couplings_make(numbers, directions, sites, &made) == CLUP_ERROR_USAGE &&
           made == NULL && strstr(clup_error_detail(), why) != NULL,
       "refused: %s", clup_error_detail());
}

static void check_given(void)
{
    enum { SITES = 6 * 4, COUNT = 2 * SITES };
    const size_t rows[] = {2, 4, 6}, flat[] = {2, SITES};
    const char *const path = "t_couplings.npy";
    clup_problem problem = {.model = CLUP_ISING, .size = {6, 4}, .q = 2};
    const clup_bond_couplings *read, *again;
    char text[CLUP_FIELD_TEXT], id[7 + 65] = "sha256:";
    double numbers[COUNT];
    int8_t signs[COUNT];
    struct {
        uint64_t directions, sites;
        int32_t units[COUNT];
    } words = {2, SITES, {0}};

    /* couplings whose id is known before they are */
    for (unsigned k = 0; k < COUNT; k++) {
        signs[k] = k % 3 == 0 ? -1 : 1;
        numbers[k] = signs[k];
        words.units[k] = signs[k] * (1 << 20);
    }
    clup_sha256(&words, sizeof words, id + 7);
    NEED(clup_problem_set(&problem, "bond_couplings", id));
    clup_simulation *simulation;
    ok(clup_problem_check(&problem) == CLUP_OK &&
           clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_ORDERED, &simulation) ==
               CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "has to be given again") != NULL,
       "refused: %s", clup_error_detail());
    write_array(path, CLUP_DTYPE_I8, rows, 3, signs);
    ok(clup_bond_couplings_read(path, &read) == CLUP_ERROR_RUNTIME, "three axes are refused: %s",
       clup_error_detail());
    write_array(path, CLUP_DTYPE_I8, flat, 2, signs);
    NEED(clup_bond_couplings_read(path, &read));
    ok(read == problem.bond_couplings && clup_problem_check(&problem) == CLUP_OK,
       "couplings take the place of their id");
    NEED(clup_problem_get(&problem, "bond_couplings", text));
    ok(strcmp(text, id) == 0, "couplings as text: %s", text);
    write_array(path, CLUP_DTYPE_F64, flat, 2, numbers);
    NEED(clup_bond_couplings_read(path, &read));
    ok(read == problem.bond_couplings, "equal couplings, of another type, are the same");
    write_array(path, CLUP_DTYPE_F64, flat + 1, 1, numbers);
    NEED(clup_bond_couplings_read(path, &read));
    clup_bond_couplings_make(numbers, 1, flat[1], &again);
    ok(read == again, "one axis is one direction");
    remove(path);
    ok(clup_bond_couplings_read(path, &read) == CLUP_ERROR_RUNTIME, "so is no file: %s",
       clup_error_detail());
    NEED(clup_problem_set(&problem, "bond_couplings", "none"));
    ok(problem.bond_couplings == NULL &&
           clup_problem_set(&problem, "bond_couplings", "sha256:12") == CLUP_ERROR_USAGE &&
           clup_problem_set(&problem, "bond_couplings", "F.npy") == CLUP_ERROR_USAGE,
       "other texts are none");

    NEED(clup_problem_set(&problem, "bond_couplings", id));
    problem.size[1] = 5;
    refused(&problem, "for 2 directions and 24 sites: the square lattice has 2 directions and, of "
                      "this size, 30 sites");
    problem.size[1] = 4, problem.lattice = CLUP_LATTICE_TRIANGULAR;
    refused(&problem, "for 2 directions");
    problem.lattice = CLUP_LATTICE_SQUARE, problem.coupling[0] = 2;
    refused(&problem, "without couplings of directions");
    problem.coupling[0] = 0, problem.disorder[0] = 0.5;
    refused(&problem, "without disorder but dilution");
    problem.disorder[0] = 0, problem.disorder[2] = 1;
    refused(&problem, "without disorder but dilution");
    const clup_problem large = {.model = CLUP_XY, .size = {1 << 20, 1 << 17}, .q = 2, .beta = 1},
                       strong = {.model = CLUP_ISING,
                                 .size = {1 << 20, 1 << 20},
                                 .q = 2,
                                 .beta = 1,
                                 .coupling = {16, 0x1p-20}};
    refused(&large, "at most 2^36");
    refused(&strong, "do not fit 63 bits");
    numbers[SITES + 5] = NAN;
    refused_numbers(numbers, 2, SITES, "along direction 1 from site 5, nan, is not between");
    numbers[SITES + 5] = -16.5;
    refused_numbers(numbers, 2, SITES, "-16.5, is not between -16 and 16");
    refused_numbers(numbers, 0, SITES, "no couplings of 0 directions");
    memset(numbers, 0, sizeof numbers);
    refused_numbers(numbers, 2, SITES, "count as 0");
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_all_spins();
    check_all_states();
    check_normal();
    check_nishimori(CLUP_LATTICE_SQUARE, 0.2, 0);
    check_nishimori(CLUP_LATTICE_TRIANGULAR, 0.3, 0.25);
    check_nishimori(CLUP_LATTICE_CUBIC, 0.3, 0);
    check_tempering();
    check_population();
    check_critical();
    check_nothing();
    check_refused();
    check_given();
    clup_context_free(context);
    return done_testing();
}
