/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlaps: which systems are compared; on the device and on the host, in each layout and with
 * exchanged temperatures, beside the definition; over all states of small systems. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/disorder.h"
#include "core/lattice.h"
#include "run/simulation.h"
#include "last_sweep.h"
#include "tap.h"

#define TWO_PI 6.28318530717958647692

enum { OVERLAP, OVERLAP2, OVERLAP_SK, LINK_OVERLAP, OBSERVED_HERE };
static clup_context *context;
static clup_observable of[OBSERVED_HERE];

/* Returns the mean of unlike links of two systems, as s s' t t', over the bonds that a replica has;
 * NAN for models that have no such. */
static double links_of(const clup_problem *problem, uint32_t replica, const uint8_t *spins,
                       const uint8_t *partner)
{
    const lattice_args lattice = clup_lattice_args(problem);
    uint32_t *words = malloc((clup_disorder_words(problem, &lattice) + 1) * sizeof *words);
    clup_laws laws = {.classes = 1};
    double sum = 0, count = 0;
    NEED(clup_disorder_fill(problem, &lattice, replica, words));
    clup_disorder_in(problem, &lattice, words, &laws);
    for (unsigned d = 0; d < clup_problem_directions(problem); d++)
        for (uint64_t i = 0; i < clup_problem_sites(problem); i++) {
            uint64_t to;
            if (!clup_bond_exists(&lattice, &laws, d, i, &to))
                continue;
            sum += (1 - 2 * spins[i]) * (1 - 2 * spins[to]) * (1 - 2 * partner[i]) *
                   (1 - 2 * partner[to]);
            count++;
        }
    free(words);
    return problem->q == 2 ? sum / count : NAN;
}

/* Counts the overlap of a replica with its partner; user are the partners. */
static void count_overlap(const void *user, const clup_problem *problem, uint32_t replica,
                          const uint8_t *spins, double *values)
{
    const uint32_t *partners = user;
    const uint64_t sites = clup_problem_sites(problem), nx = problem->size[0],
                   ny = problem->size[1];
    const uint8_t *partner = spins + ((int64_t)partners[replica] - replica) * (int64_t)sites;
    double complex waves[3] = {0};
    double sum = 0, length = 0, structure = 0, axes = 0;
    for (uint64_t i = 0; i < sites; i++) {
        const double own = (problem->q * (spins[i] == partner[i]) - 1.) / (problem->q - 1.);
        const uint64_t at[] = {i % nx, i / nx % ny, i / nx / ny};
        sum += own;
        for (unsigned axis = 0; axis < 3; axis++)
            waves[axis] += own * cexp(I * TWO_PI * (double)at[axis] / problem->size[axis]);
    }
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        if (problem->periodic[axis] && problem->size[axis] > 1)
            length = fmax(length, problem->size[axis]);
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        if (problem->periodic[axis] && problem->size[axis] == length) {
            structure += cabs(waves[axis]) * cabs(waves[axis]) / (double)sites;
            axes++;
        }
    values[OVERLAP] = sum / (double)sites;
    values[OVERLAP2] = values[OVERLAP] * values[OVERLAP];
    values[OVERLAP_SK] = structure / axes;
    values[LINK_OVERLAP] = links_of(problem, replica, spins, partner);
}

static void check(clup_problem problem, const char *bonds, unsigned heat_bath)
{
    const uint32_t replicas = clup_problem_replicas(&problem);
    const clup_method method = {.heat_bath = heat_bath};
    const last_sweep run = {.method = &method,
                            .request = {.bonds = bonds},
                            .start = CLUP_START_RANDOM,
                            .sweeps = 4,
                            .every = 2,
                            .of = of,
                            .count = OBSERVED_HERE};
    uint32_t *partners = malloc(replicas * sizeof *partners);
    NEED(clup_problem_partners(&problem, partners));
    const compared found = compare_last(context, &problem, &run, count_overlap, partners);
    ok(found.same && found.other == 0 && found.wrong == 0,
       "%s q = %u, %s %u x %u x %u, %u systems, %s: %u values other than on the host, %u than by "
       "definition, of number %u",
       clup_model_name(problem.model), problem.q, clup_lattice_name(problem.lattice),
       problem.size[0], problem.size[1], problem.size[2], replicas, bonds != NULL ? bonds : "any",
       found.other, found.wrong, found.of);
    free(partners);
}

static void check_all(void)
{
    static const char *const layouts[] = {"word", "border", "resident", NULL};
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {70, 34},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.7,
                            .disorder = {0.5, 0.2},
                            .disorder_samples = 2,
                            .replicas = 4};
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        check(problem, layouts[k], 0);
    check(problem, NULL, 1);
    problem.disorder[0] = 0, problem.disorder[2] = 1;
    check(problem, NULL, 1);
    problem.disorder[0] = 0.5, problem.disorder[2] = 0;
    problem.lattice = CLUP_LATTICE_CUBIC, problem.replicas = 6, problem.field = 0.1;
    problem.size[0] = 9, problem.size[1] = 6, problem.size[2] = 9;
    problem.periodic[2] = 1;
    check(problem, "word", 0);
    check((clup_problem){.lattice = CLUP_LATTICE_TRIANGULAR,
                         .size = {33, 100},
                         .periodic = {0, 1},
                         .q = 2,
                         .beta = 0.5,
                         .replicas = 2},
          "border", 0);
    for (unsigned q = 3; q <= 17; q += 7)
        check((clup_problem){.size = {65, 65},
                             .periodic = {1, 1},
                             .q = q,
                             .beta = 1.1,
                             .disorder = {0, 0.1},
                             .disorder_samples = 1,
                             .replicas = 3},
              q == 3 ? "border" : "word", 0);
    /* an antiferromagnet, whose energies are a matrix */
    check((clup_problem){.size = {40, 12},
                         .periodic = {1, 1},
                         .q = 4,
                         .beta = 1.5,
                         .coupling = {-1, -1},
                         .replicas = 2},
          NULL, 0);
}

/* ---- exchanged temperatures ------------------------------------------------------------------ */

enum { RUNGS = 4, LADDERS = 4 };

/* Simulates ladders, and returns the values of all places in the last sweep, beside its spins. */
static void simulate_ladders(clup_context *where, const clup_problem *problem, uint8_t *spins,
                             double *values)
{
    const clup_method method = {.heat_bath = 1};
    const uint64_t system_bytes = clup_problem_sites(problem);
    uint8_t *all = malloc(RUNGS * LADDERS * system_bytes);
    clup_simulation *simulation;
    NEED(clup_simulation_create(where, problem, &method, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_temper(simulation, 1));
    NEED(clup_simulation_observe(simulation, of, OBSERVED_HERE, 1));
    NEED(clup_simulation_run(simulation, 50, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 50, 1, NULL, NULL));
    for (uint32_t r = 0; r < RUNGS * LADDERS; r++)
        for (unsigned k = 0; k < OBSERVED_HERE; k++)
            NEED(clup_simulation_series(simulation, r, of[k], 49, 1, values++));
    NEED(clup_simulation_spins(simulation, all));
    /* systems changed places after the last sweep: by the spins of the systems that were there */
    for (uint32_t r = 0; r < RUNGS * LADDERS; r++) {
        uint32_t system;
        clup_walker walker;
        NEED(clup_simulation_systems(simulation, r, 49, 1, &system));
        NEED(clup_simulation_walker(simulation, system, &walker));
        memcpy(spins + r * system_bytes, all + walker.replica * system_bytes, system_bytes);
    }
    free(all);
    clup_simulation_free(simulation);
}

static void check_ladders(void)
{
    enum { ALL = RUNGS * LADDERS, SITES = 6 * 5 * 4 };
    double betas[ALL], values[2][ALL][OBSERVED_HERE], counted[OBSERVED_HERE];
    static uint8_t spins[2][ALL * SITES];
    uint32_t partners[ALL];
    unsigned other = 0, wrong = 0;
    const clup_problem problem = {.model = CLUP_ISING,
                                  .lattice = CLUP_LATTICE_CUBIC,
                                  .size = {6, 5, 4},
                                  .periodic = {1, 1, 1},
                                  .q = 2,
                                  .beta = 0.3,
                                  .betas = betas,
                                  .disorder = {0.5},
                                  .disorder_samples = 2,
                                  .replicas = ALL};
    for (unsigned r = 0; r < ALL; r++)
        betas[r] = 0.3 + 0.1 * (r / LADDERS);
    NEED(clup_problem_partners(&problem, partners));
    for (unsigned r = 0; r < ALL; r++)
        wrong += partners[r] != r / LADDERS * LADDERS + (r + 2) % LADDERS;
    ok(wrong == 0, "a place's partner is two ladders on, at the same temperature");
    wrong = 0;
    simulate_ladders(context, &problem, spins[0], values[0][0]);
    simulate_ladders(NULL, &problem, spins[1], values[1][0]);
    for (unsigned r = 0; r < ALL; r++) {
        count_overlap(partners, &problem, r, spins[0] + r * SITES, counted);
        for (unsigned k = 0; k < OBSERVED_HERE; k++) {
            other += values[0][r][k] != values[1][r][k];
            wrong += !(fabs(values[0][r][k] - counted[k]) < 1e-6);
        }
    }
    ok(memcmp(spins[0], spins[1], sizeof spins[0]) == 0 && other == 0 && wrong == 0,
       "systems that change places have the partners of their places: %u values other than on the "
       "host, %u than by definition",
       other, wrong);
}

/* ---- all states ------------------------------------------------------------------------------ */

enum { SIDE = 3, SITES = SIDE * SIDE };

/* Sets correlations[i][j] to the mean of the product of the unit vectors of sites i and j. */
static void correlate(const clup_problem *problem, double correlations[SITES][SITES])
{
    const lattice_args lattice = clup_lattice_args(problem);
    const double q = problem->q, scale = problem->model == CLUP_ISING ? 2 : 1;
    uint32_t *words = malloc((clup_disorder_words(problem, &lattice) + 1) * sizeof *words);
    clup_laws laws = {.classes = 1};
    double z = 0;
    memset(correlations, 0, SITES * sizeof *correlations);
    NEED(clup_disorder_fill(problem, &lattice, 0, words));
    clup_disorder_in(problem, &lattice, words, &laws);
    for (uint64_t number = 0; number < (uint64_t)pow(q, SITES); number++) {
        uint8_t spins[SITES];
        double energy = 0;
        uint64_t rest = number, to;
        for (unsigned i = 0; i < SITES; i++, rest /= problem->q)
            spins[i] = (uint8_t)(rest % problem->q);
        for (unsigned d = 0; d < 2; d++)
            for (uint64_t i = 0; i < SITES; i++)
                if (clup_bond_exists(&lattice, &laws, d, i, &to) &&
                    (spins[i] == spins[to]) != clup_bond_is_unequal(&lattice, &laws, d, i))
                    energy -= scale;
        const double weight = exp(-problem->beta * energy);
        z += weight;
        for (unsigned i = 0; i < SITES; i++)
            for (unsigned j = 0; j < SITES; j++)
                correlations[i][j] += weight * (q * (spins[i] == spins[j]) - 1) / (q - 1);
    }
    for (unsigned i = 0; i < SITES; i++)
        for (unsigned j = 0; j < SITES; j++)
            correlations[i][j] /= z;
    free(words);
}

/* Compares means over pairs of systems with those of two independent systems: the mean of the
 * product of two sites' overlaps is the square of their correlation, a q - 1st part of it as a unit
 * vector has so many components. */
static void check_states(clup_problem problem)
{
    enum { PAIRS = 32, COUNT = 400 };
    const lattice_args lattice = clup_lattice_args(&problem);
    const clup_method method = {.heat_bath = 1};
    double correlations[SITES][SITES], wanted[OBSERVED_HERE] = {0}, values[COUNT], worst = 0, to_be;
    unsigned worst_of = 0;
    clup_simulation *simulation;
    correlate(&problem, correlations);
    for (unsigned i = 0; i < SITES; i++)
        for (unsigned j = 0; j < SITES; j++) {
            const double square = correlations[i][j] * correlations[i][j] / (problem.q - 1.);
            wanted[OVERLAP2] += square / SITES / SITES;
            for (unsigned axis = 0; axis < 2; axis++) {
                const int apart = axis == 0 ? (int)(i % SIDE) - (int)(j % SIDE)
                                            : (int)(i / SIDE) - (int)(j / SIDE);
                wanted[OVERLAP_SK] += square * cos(TWO_PI * apart / SIDE) / SITES / 2;
            }
        }
    uint32_t *words = malloc((clup_disorder_words(&problem, &lattice) + 1) * sizeof *words);
    clup_laws laws = {.classes = 1};
    double bonds = 0;
    NEED(clup_disorder_fill(&problem, &lattice, 0, words));
    clup_disorder_in(&problem, &lattice, words, &laws);
    for (unsigned d = 0; d < 2; d++)
        for (uint64_t i = 0, to; i < SITES; i++)
            if (clup_bond_exists(&lattice, &laws, d, i, &to)) {
                wanted[LINK_OVERLAP] += correlations[i][to] * correlations[i][to];
                bonds++;
            }
    wanted[LINK_OVERLAP] = problem.q == 2 ? wanted[LINK_OVERLAP] / bonds : NAN;
    free(words);
    problem.replicas = 2 * PAIRS, problem.disorder_samples = 1;
    NEED(clup_simulation_create(context, &problem, &method, NULL, 3, CLUP_START_RANDOM,
                                &simulation));
    NEED(clup_simulation_observe(simulation, of, OBSERVED_HERE, 1));
    NEED(clup_simulation_run(simulation, 30, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, COUNT, 1, NULL, NULL));
    for (unsigned k = 0; k < OBSERVED_HERE; k++) {
        double sum = 0, squares = 0;
        /* with the next one, each even system is a pair that has no system of another pair */
        for (uint32_t r = 0; r < 2 * PAIRS; r += 2) {
            double mean = 0;
            NEED(clup_simulation_series(simulation, r, of[k], 0, COUNT, values));
            for (unsigned t = 0; t < COUNT; t++)
                mean += values[t] / COUNT;
            sum += mean / PAIRS, squares += mean * mean / PAIRS;
        }
        to_be = fabs(sum - wanted[k]) / sqrt((squares - sum * sum) / (PAIRS - 1));
        if (!isnan(wanted[k]) && !(to_be <= worst))
            worst = to_be, worst_of = k;
    }
    ok(worst < 4.5, "%s q = %u, beta = %g, all states: %s is %.1f sigma away",
       clup_model_name(problem.model), problem.q, problem.beta, clup_observable_name(of[worst_of]),
       worst);
    clup_simulation_free(simulation);
}

/* ---- normal couplings ------------------------------------------------------------------------ */

/* Averaged over normal couplings of deviation 1, the energy a bond is -beta (1 - q), q the link
 * overlap, by partial integration: A. J. Bray and M. A. Moore, J. Phys. C 13, 419 (1980); H. G.
 * Katzgraber, M. Palassini and A. P. Young, Phys. Rev. B 63, 184422 (2001). */
static void check_normal(double beta, clup_lattice_kind lattice)
{
    enum { SAMPLES = 64, SWEEPS = 100 };
    const clup_problem problem = {.model = CLUP_ISING,
                                  .lattice = lattice,
                                  .size = {32, 4},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = beta,
                                  .disorder = {0, 0, 1},
                                  .disorder_samples = SAMPLES,
                                  .replicas = 2 * SAMPLES};
    const clup_method method = {.heat_bath = 1};
    const clup_observable wanted[] = {CLUP_ENERGY, of[LINK_OVERLAP]};
    const double bonds = clup_problem_directions(&problem);
    clup_average averages[2];
    double *values = malloc(SWEEPS * sizeof *values), sum = 0, squares = 0;
    clup_simulation *simulation;
    NEED(clup_simulation_create(context, &problem, &method, NULL, 3, CLUP_START_RANDOM,
                                &simulation));
    NEED(clup_simulation_observe(simulation, wanted, 2, 1));
    NEED(clup_simulation_run(simulation, 50, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, SWEEPS, 1, NULL, NULL));
    /* the difference of both sides, of each sample */
    for (uint32_t s = 0; s < SAMPLES; s++) {
        double away = beta * bonds;
        for (uint32_t r = s; r < 2 * SAMPLES; r += SAMPLES)
            for (unsigned k = 0; k < 2; k++) {
                NEED(clup_simulation_series(simulation, r, wanted[k], 0, SWEEPS, values));
                for (unsigned t = 0; t < SWEEPS; t++)
                    away += values[t] / (2 * SWEEPS) * (k == 0 ? 1 : -beta * bonds);
            }
        sum += away / SAMPLES, squares += away * away / SAMPLES;
    }
    NEED(clup_simulation_averages(simulation, 0, wanted, 2, averages, NULL, NULL));
    const double sigma = fabs(sum) / sqrt((squares - sum * sum) / (SAMPLES - 1));
    ok(sigma < 4.5 && fabs(averages[0].estimate.mean +
                           beta * bonds * (1 - averages[1].estimate.mean) - sum) < 1e-9,
       "normal couplings, %s, beta = %g: energy %.4f(%.4f), by links %.4f: %.1f sigma",
       clup_lattice_name(lattice), beta, averages[0].estimate.mean, averages[0].estimate.error,
       -beta * bonds * (1 - averages[1].estimate.mean), sigma);
    free(values);
    clup_simulation_free(simulation);
}

/* ---- what has no partner --------------------------------------------------------------------- */

static void refused(const clup_problem *problem, const char *reason)
{
    const clup_status status = clup_problem_partners(problem, NULL);
    ok(status == CLUP_ERROR_USAGE && strstr(clup_error_detail(), reason) != NULL, "refused: %s",
       clup_error_detail());
}

static void check_none(void)
{
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {8, 7},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.5,
                            .disorder = {0.5},
                            .replicas = 2};
    double values[2][OBSERVED_HERE];
    uint8_t spins[112];
    const last_sweep run = {.sweeps = 1, .of = of, .count = OBSERVED_HERE};
    refused(&problem, "replica 0 has no other such system");
    simulate_last(context, &problem, &run, spins, values[0]);
    ok(isnan(values[0][OVERLAP]) && isnan(values[1][LINK_OVERLAP]),
       "without partners there are no overlaps");
    problem.disorder_samples = 2, problem.replicas = 3;
    refused(&problem, "replica 1 has no other such system");
    problem.disorder_samples = 1;
    ok(clup_problem_partners(&problem, NULL) == CLUP_OK, "three copies are a ring");
    const double betas[] = {0.5, 0.6, 0.5};
    problem.betas = betas;
    refused(&problem, "replica 1 has no other such system");
    problem.betas = NULL;
    problem.model = CLUP_XY;
    refused(&problem, "not of the XY model");
}

int main(void)
{
    static const char *const names[] = {"overlap", "overlap2", "overlap_sk", "link_overlap"};
    NEED(clup_context_create(NULL, &context));
    for (unsigned k = 0; k < OBSERVED_HERE; k++)
        NEED(clup_observable_named(names[k], &of[k]));
    printf("# on %s\n", clup_context_device(context)->name);
    check_all();
    check_ladders();
    check_states((clup_problem){.model = CLUP_ISING,
                                .size = {SIDE, SIDE},
                                .periodic = {1, 1},
                                .q = 2,
                                .beta = 0.6,
                                .disorder = {0.5, 0.1}});
    check_states((clup_problem){.size = {SIDE, SIDE}, .periodic = {1, 1}, .q = 3, .beta = 0.7});
    check_normal(0.6, CLUP_LATTICE_SQUARE);
    check_normal(0.4, CLUP_LATTICE_TRIANGULAR);
    check_none();
    clup_context_free(context);
    return done_testing();
}
