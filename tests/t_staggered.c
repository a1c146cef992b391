/* SPDX-License-Identifier: BSD-3-Clause */
/* The staggered magnetisation: on the device and on the host, in each layout, beside its
 * definition; over all states of a small antiferromagnet; and where there are no sublattices. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/lattice.h"
#include "last_sweep.h"
#include "tap.h"

#define SWEEPS 4
#define TWO_PI 6.28318530717958647692

static clup_context *context;
static clup_observable staggered_m, staggered_m2;

/* Returns the square of the staggered magnetisation a site. */
static double square_of(const clup_problem *problem, const uint8_t *spins)
{
    const unsigned sublattices = clup_problem_sublattices(problem);
    const uint64_t sites = clup_problem_sites(problem);
    double complex sums[256] = {0}, along[2] = {0};
    double complex common = 0;
    double square = 0;
    for (uint64_t i = 0; i < sites; i++) {
        const int x = (int)(i % problem->size[0]), row = (int)(i / problem->size[0]),
                  y = row % (int)problem->size[1], z = row / (int)problem->size[1];
        sums[spins[i]] += cexp(I * TWO_PI * (sublattices == 2 ? x + y + z : x - y) / sublattices);
    }
    for (unsigned s = 0; s < problem->q; s++)
        common += sums[s] / problem->q;
    for (unsigned s = 0; s < problem->q; s++) {
        /* of the vectors to the corners of a simplex */
        square += problem->q / (problem->q - 1.) * cabs(sums[s] - common) * cabs(sums[s] - common);
        along[0] += cos(TWO_PI * s / problem->q) * sums[s];
        along[1] += sin(TWO_PI * s / problem->q) * sums[s];
    }
    if (problem->model == CLUP_CLOCK)
        square = cabs(along[0]) * cabs(along[0]) + cabs(along[1]) * cabs(along[1]);
    return square / (double)sites / (double)sites;
}

/* What is simulated: squares of the last sweep, clusters beside them. */
static last_sweep run_of(const char *bonds)
{
    static clup_observable of[2];
    of[0] = staggered_m2, of[1] = CLUP_CLUSTERS;
    return (last_sweep){.request = {.bonds = bonds},
                        .start = CLUP_START_RANDOM,
                        .sweeps = SWEEPS,
                        .every = 2,
                        .of = of,
                        .count = 2};
}

static void check(const clup_problem *problem, const char *bonds)
{
    const uint64_t sites = clup_problem_sites(problem);
    const uint32_t replicas = clup_problem_replicas(problem);
    uint8_t *device = malloc(replicas * sites), *host = malloc(replicas * sites);
    double squares[4][2], wanted[4][2];
    unsigned other = 0, wrong = 0;
    const last_sweep run = run_of(bonds), reference = run_of(NULL);
    simulate_last(context, problem, &run, device, squares[0]);
    simulate_last(NULL, problem, &reference, host, wanted[0]);
    for (uint32_t r = 0; r < replicas; r++) {
        other += squares[r][0] != wanted[r][0];
        wrong += !(fabs(wanted[r][0] - square_of(problem, host + r * sites)) < 1e-7);
    }
    ok(memcmp(device, host, replicas * sites) == 0 && other == 0 && wrong == 0,
       "%s q = %u, %s %u x %u x %u, %s: %.4f; %u of another value than on the host, %u than by "
       "definition",
       clup_model_name(problem->model), problem->q, clup_lattice_name(problem->lattice),
       problem->size[0], problem->size[1], problem->size[2], bonds, squares[0][0], other, wrong);
    free(device), free(host);
}

static void check_all(void)
{
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {70, 34},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.4,
                            .coupling = {-1, -1},
                            .replicas = 2};
    static const char *const layouts[] = {"word", "border", "resident"};
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        check(&problem, layouts[k]);
    problem.replicas = 1;
    check(&problem, "char");
    problem.model = CLUP_POTTS, problem.q = 3, problem.beta = 1.1;
    check(&problem, "word");
    problem.periodic[0] = problem.periodic[1] = 0, problem.size[0] = 33, problem.size[1] = 7;
    check(&problem, "word");
    problem.model = CLUP_CLOCK, problem.q = 5;
    check(&problem, "word");
    problem = (clup_problem){.lattice = CLUP_LATTICE_TRIANGULAR,
                             .size = {99, 36},
                             .periodic = {1, 1},
                             .q = 3,
                             .beta = 1.5,
                             .coupling = {-1, -1, -1}};
    check(&problem, "word");
    problem.model = CLUP_CLOCK, problem.q = 6;
    check(&problem, "word");
    problem = (clup_problem){.lattice = CLUP_LATTICE_CUBIC,
                             .size = {34, 6, 5},
                             .periodic = {1, 1, 0},
                             .q = 17,
                             .beta = 0.5};
    check(&problem, "border");
}

/* All states of an antiferromagnet of 4 x 3 sites. */
static void check_states(void)
{
    enum { SYSTEMS = 32, COUNT = 400 };
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {4, 3},
                                  .periodic = {1, 0},
                                  .q = 2,
                                  .beta = 0.3,
                                  .coupling = {-1, -1},
                                  .replicas = SYSTEMS};
    double z = 0, wanted = 0, sum = 0, squares = 0, values[COUNT];
    clup_simulation *simulation;
    for (unsigned state = 0; state < 1u << 12; state++) {
        uint8_t spins[12];
        double energy = 0;
        for (unsigned i = 0; i < 12; i++)
            spins[i] = state >> i & 1;
        for (unsigned i = 0; i < 12; i++) {
            energy += spins[i] == spins[i % 4 == 3 ? i - 3 : i + 1] ? 1 : -1;
            if (i < 8)
                energy += spins[i] == spins[i + 4] ? 1 : -1;
        }
        z += exp(-problem.beta * energy);
        wanted += exp(-problem.beta * energy) * square_of(&problem, spins);
    }
    wanted /= z;
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, &staggered_m2, 1, 1));
    NEED(clup_simulation_run(simulation, 30, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, COUNT, 1, NULL, NULL));
    for (uint32_t r = 0; r < SYSTEMS; r++) {
        double mean = 0;
        NEED(clup_simulation_series(simulation, r, staggered_m2, 0, COUNT, values));
        for (unsigned t = 0; t < COUNT; t++)
            mean += values[t] / COUNT;
        sum += mean / SYSTEMS, squares += mean * mean / SYSTEMS;
    }
    const double sigma = fabs(sum - wanted) / sqrt((squares - sum * sum) / (SYSTEMS - 1));
    ok(sigma < 4.5, "an antiferromagnet of 4 x 3 sites: %.5f, exact %.5f, %.1f sigma", sum, wanted,
       sigma);
    clup_simulation_free(simulation);
}

static void check_none(void)
{
    clup_problem problem = {.size = {8, 7}, .periodic = {1, 1}, .q = 2, .beta = 0.5};
    uint8_t spins[56];
    double squares[2];
    const last_sweep run = run_of(NULL);
    simulate_last(context, &problem, &run, spins, squares);
    ok(isnan(squares[0]) && clup_problem_sublattices(&problem) == 0,
       "an odd periodic axis has no sublattices");
    problem.periodic[1] = 0;
    ok(clup_problem_sublattices(&problem) == 2, "an open one has");
    problem.lattice = CLUP_LATTICE_TRIANGULAR;
    ok(clup_problem_sublattices(&problem) == 0, "8 is no multiple of 3");
    problem.size[0] = 9;
    ok(clup_problem_sublattices(&problem) == 3, "9 is one");
    problem.lattice = CLUP_LATTICE_SQUARE_8;
    ok(clup_problem_sublattices(&problem) == 0 && clup_problem_sublattices(NULL) == 0,
       "none with diagonals");
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    NEED(clup_observable_named("staggered_m", &staggered_m));
    NEED(clup_observable_named("staggered_m2", &staggered_m2));
    printf("# on %s\n", clup_context_device(context)->name);
    check_all();
    check_states();
    check_none();
    clup_context_free(context);
    return done_testing();
}
