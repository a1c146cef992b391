/* SPDX-License-Identifier: BSD-3-Clause */
/* Vacant sites: which they are, what is measured beside them by definition, on the device in each
 * layout and on the host; all states of small systems; and clusters. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/disorder.h"
#include "core/lattice.h"
#include "last_sweep.h"
#include "tap.h"

#define STATES_MOST 8
#define TWO_PI 6.28318530717958647692

static clup_context *context;

enum { ENERGY, M2, M, ABS_M, SK_X, STAGGERED, OVERLAP, OVERLAP_SK, VALUES };
static const char *const names[VALUES] = {"energy", "m2_vector",    "m",       "abs_m",
                                          "sk_x",   "staggered_m2", "overlap", "overlap_sk"};
static clup_observable of[VALUES];

/* Whether the bond along d of a site is diluted; of the direction after the last one, whether the
 * site is vacant. By the words of random.clh. */
static bool is_absent(const clup_problem *problem, uint32_t replica, unsigned d, uint64_t i)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const bool site = d == clup_problem_directions(problem);
    const uint32_t sample = problem->disorder_samples > 0 ? replica % problem->disorder_samples
                                                          : problem->first_replica + replica,
                   x = (uint32_t)(i % lattice.nx), row = (uint32_t)(i / lattice.nx);
    const random_key key = {problem->disorder_seed, 0, 0, sample << 16};
    uint32_t number = 0;
    for (unsigned k = 0; k < 32; k++) {
        const philox_block block = random_block(
            key, PURPOSE_ABSENT,
            (uint64_t)lattice.words * (lattice_rows(lattice) * d + row) + x / 32, k / 4);
        number |= (block.v[k % 4] >> x % 32 & 1) << (31 - k);
    }
    return number < problem->disorder[site ? CLUP_VACANT : CLUP_ABSENT] * 4294967296.0;
}

/* Sites of odd x and odd y are holes of two lattices. */
static bool is_hole(const clup_problem *problem, uint64_t i)
{
    return (problem->lattice == CLUP_LATTICE_KAGOME || problem->lattice == CLUP_LATTICE_LIEB) &&
           i % problem->size[0] % 2 && i / problem->size[0] % 2;
}

static bool is_vacant(const clup_problem *problem, uint32_t replica, uint64_t i)
{
    return is_hole(problem, i) || is_absent(problem, replica, clup_problem_directions(problem), i);
}

/* Sets u to the unit vector of a site, with as many components as are returned. The corners of a
 * simplex have the products (q delta - 1)/(q - 1). */
static unsigned unit_of(const clup_problem *problem, const uint8_t *spins, uint64_t i, double *u)
{
    uint32_t angle;
    int32_t parts[3];
    if (problem->model == CLUP_XY || problem->model == CLUP_CLOCK) {
        memcpy(&angle, spins + 4 * (problem->model == CLUP_XY ? i : 0), 4);
        const double at = problem->model == CLUP_XY ? angle / 4294967296.0
                                                    : spins[i] / (double)problem->q;
        u[0] = cos(TWO_PI * at), u[1] = sin(TWO_PI * at);
        return 2;
    }
    if (problem->model == CLUP_HEISENBERG) {
        memcpy(parts, spins + 12 * i, 12);
        for (unsigned k = 0; k < 3; k++)
            u[k] = parts[(k + 2) % 3] * 0x1p-30; /* the field comes first */
        return 3;
    }
    for (unsigned s = 0; s < problem->q; s++)
        u[s] = ((s == spins[i]) - 1. / problem->q) * sqrt(problem->q / (problem->q - 1.));
    return problem->q;
}

static double product(const double *a, const double *b, unsigned count)
{
    double sum = 0;
    for (unsigned k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The energy of a bond of coupling 1, or of a site in a field of 1, by the product of unit
 * vectors. */
static double energy_of(const clup_problem *problem, double by)
{
    return problem->model == CLUP_POTTS ? -((problem->q - 1) * by + 1) / problem->q : -by;
}

/* Returns the square of a sum. */
static double squared(const double complex *sum)
{
    double square = 0;
    for (unsigned k = 0; k < STATES_MOST; k++)
        square += cabs(sum[k]) * cabs(sum[k]);
    return square;
}

/* Sums over the sites of a system that are there. */
typedef struct sums {
    double energy, overlap;
    double complex u[STATES_MOST], waves[STATES_MOST], staggered[STATES_MOST], overlap_wave;
} sums;

static sums sums_of(const clup_problem *problem, uint32_t replica, const uint8_t *spins,
                    const uint8_t *partner)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const unsigned sublattices = clup_problem_sublattices(problem);
    sums sum = {0};
    for (uint64_t i = 0; i < clup_problem_sites(problem); i++) {
        const uint32_t x = (uint32_t)(i % lattice.nx), row = (uint32_t)(i / lattice.nx);
        const int y = (int)(row % lattice.ny), z = (int)(row / lattice.ny);
        const double complex wave = cexp(I * TWO_PI * x / lattice.nx),
                             sign = cexp(I * TWO_PI *
                                         (sublattices == 3 ? (int)x - y : (int)x + y + z) /
                                         (sublattices > 0 ? sublattices : 1));
        double own[STATES_MOST], other[STATES_MOST];
        if (is_vacant(problem, replica, i))
            continue;
        const unsigned parts = unit_of(problem, spins, i, own);
        for (unsigned k = 0; k < parts; k++) {
            sum.u[k] += own[k];
            sum.waves[k] += own[k] * wave;
            sum.staggered[k] += own[k] * sign;
        }
        for (unsigned d = 0; d < clup_problem_directions(problem); d++) {
            uint64_t to;
            if (!clup_lattice_forward(&lattice, d, x, row, &to) ||
                is_vacant(problem, replica, to) || is_absent(problem, replica, d, i))
                continue;
            unit_of(problem, spins, to, other);
            sum.energy += (problem->coupling[0] != 0 ? problem->coupling[d] : 1) *
                          energy_of(problem, product(own, other, parts));
        }
        memset(other, 0, sizeof other);
        if (problem->model == CLUP_POTTS || problem->model == CLUP_ISING) {
            const uint8_t zero = 0;
            unit_of(problem, &zero, 0, other);
        } else
            other[0] = 1;
        sum.energy += problem->field * energy_of(problem, product(own, other, parts));
        if (partner == NULL)
            continue;
        unit_of(problem, partner, i, other);
        sum.overlap += product(own, other, parts);
        sum.overlap_wave += product(own, other, parts) * wave;
    }
    return sum;
}

static void count(const void *user, const clup_problem *problem, uint32_t replica,
                  const uint8_t *spins, double *values)
{
    double sites = 0;
    for (uint64_t i = 0; i < clup_problem_sites(problem); i++)
        sites += !is_hole(problem, i);
    const bool compares = (problem->model == CLUP_POTTS || problem->model == CLUP_ISING) &&
                          problem->replicas == 2;
    const ptrdiff_t system = (ptrdiff_t)(clup_problem_sites(problem) * clup_spin_bytes(problem));
    const sums sum = sums_of(problem, replica, spins,
                             compares ? spins + (replica == 0 ? system : -system) : NULL);
    (void)user;
    values[ENERGY] = sum.energy / sites;
    values[M2] = squared(sum.u) / sites / sites;
    values[ABS_M] = 0;
    if (problem->model == CLUP_POTTS || problem->model == CLUP_ISING) {
        const double root = sqrt((problem->q - 1.) / problem->q);
        /* the vector of state s is that of component s, less what all have in common */
        values[M] = creal(sum.u[0]) / root / sites;
        for (unsigned s = 0; s < problem->q; s++)
            values[ABS_M] = fmax(values[ABS_M], creal(sum.u[s]) / root / sites);
    } else {
        values[M] = creal(sum.u[0]) / sites;
        values[ABS_M] = sqrt(values[M2]);
    }
    values[SK_X] = problem->periodic[0] ? squared(sum.waves) / sites : NAN;
    values[STAGGERED] = clup_problem_sublattices(problem) > 0
                            ? squared(sum.staggered) / sites / sites
                            : NAN;
    values[OVERLAP] = compares ? sum.overlap / sites : NAN;
    values[OVERLAP_SK] = compares && problem->periodic[0]
                             ? cabs(sum.overlap_wave) * cabs(sum.overlap_wave) / sites
                             : NAN;
}

/* layout is the name of a layout, or of a local labelling of the border layout. */
static void check(const clup_problem *problem, const clup_method *method, const char *layout)
{
    const bool border = layout != NULL && strncmp(layout, "runs_", 5) == 0;
    const char *bonds = border ? "border" : layout;
    const last_sweep run = {.method = method,
                            .request = {.bonds = bonds, .local = border ? layout : NULL},
                            .start = CLUP_START_RANDOM,
                            .sweeps = 4,
                            .every = 2,
                            .of = of,
                            .count = VALUES};
    const compared found = compare_last(context, problem, &run, count, NULL);
    ok(found.same && found.other == 0 && found.wrong == 0,
       "%s q = %u, %s %u x %u x %u, %s: %s spins, %u values other than on the host, %u (%s) than "
       "by "
       "definition",
       clup_model_name(problem->model), problem->q, clup_lattice_name(problem->lattice),
       problem->size[0], problem->size[1], problem->size[2], layout != NULL ? layout : "any layout",
       found.same ? "the host's" : "other", found.other, found.wrong, names[found.of]);
}

/* Compares every sweep with the host: kernels of the border layout count the spins with which the
 * next sweep begins, and measure_spins counts those of the last one alone. */
static void check_sweeps(const clup_problem *problem, const char *local)
{
    enum { SWEEPS = 4 };
    double series[2][VALUES][SWEEPS];
    const clup_plan_request request = {.bonds = "border", .local = local};
    unsigned other = 0;
    for (unsigned host = 0; host < 2; host++) {
        clup_simulation *simulation;
        clup_plan plan;
        NEED(clup_plan_choose(context, problem, NULL, &request, &plan));
        NEED(clup_simulation_create(host ? NULL : context, problem, NULL, host ? NULL : &plan, 5,
                                    CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_observe(simulation, of, M2 + 1, 1));
        NEED(clup_simulation_run(simulation, SWEEPS, 1, NULL, NULL));
        for (unsigned k = 0; k <= M2; k++)
            NEED(clup_simulation_series(simulation, 0, of[k], 0, SWEEPS, series[host][k]));
        clup_simulation_free(simulation);
    }
    for (unsigned k = 0; k <= M2; k++)
        for (unsigned t = 0; t < SWEEPS; t++)
            other += series[0][k][t] != series[1][k][t];
    ok(other == 0, "q = %u, %s: each of %u sweeps as on the host (%u values are not)", problem->q,
       local, SWEEPS, other);
}

static void check_all(void)
{
    static const char *const layouts[] = {"word", "runs_border", "runs_serial", "resident"};
    const clup_method heat_bath = {.algorithm = CLUP_HEAT_BATH}, wolff = {.algorithm = CLUP_WOLFF},
                      heated = {.heat_bath = 1};
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {70, 34},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.6,
                            .disorder = {[CLUP_VACANT] = 0.3},
                            .disorder_seed = 5,
                            .disorder_samples = 1,
                            .replicas = 2};
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        check(&problem, NULL, layouts[k]);
    check_sweeps(&problem, "runs_border");
    check_sweeps(&problem, "runs_serial");
    check(&problem, &heat_bath, NULL);
    problem.field = 0.3, problem.disorder[CLUP_ABSENT] = 0.2;
    check(&problem, NULL, "word");
    problem.replicas = 1;
    check(&problem, &wolff, "word");
    problem.replicas = 2;
    problem.model = CLUP_POTTS, problem.q = 3, problem.field = 0, problem.beta = 1.1;
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        check(&problem, NULL, layouts[k]);
    check_sweeps(&problem, "runs_border");
    problem.replicas = 1;
    check(&problem, NULL, "char");
    problem.q = 6, problem.size[0] = 33, problem.size[1] = 1;
    check(&problem, &heated, "word");
    problem.disorder[CLUP_ABSENT] = 0, problem.q = 6;
    problem.lattice = CLUP_LATTICE_TRIANGULAR;
    problem.size[0] = 39, problem.size[1] = 36, problem.periodic[1] = 0;
    problem.model = CLUP_CLOCK, problem.field = 0.25, problem.replicas = 2;
    problem.disorder_samples = 0;
    check(&problem, NULL, "word");
    problem.q = 2, problem.replicas = 1, problem.first_replica = 3;
    problem.model = CLUP_XY, problem.field = -0.5;
    check(&problem, &heated, NULL);
    problem = (clup_problem){.model = CLUP_HEISENBERG,
                             .lattice = CLUP_LATTICE_CUBIC,
                             .size = {34, 6, 5},
                             .periodic = {1, 1, 0},
                             .q = 2,
                             .beta = 0.7,
                             .field = 0.4,
                             .disorder = {[CLUP_VACANT] = 0.2}};
    check(&problem, NULL, NULL);
    problem.model = CLUP_ISING, problem.replicas = 2, problem.field = 0, problem.beta = 0.3;
    problem.coupling[0] = 1, problem.coupling[1] = -0.5, problem.coupling[2] = 0.75;
    problem.disorder_samples = 1;
    check(&problem, NULL, "runs_volume");
    memset(problem.coupling, 0, sizeof problem.coupling);
    check_sweeps(&problem, "runs_volume");
    problem.periodic[0] = problem.periodic[1] = 0, problem.size[0] = 33, problem.size[1] = 7;
    check(&problem, NULL, "word");
    problem.disorder[CLUP_VACANT] = 1;
    check(&problem, NULL, "border");
}

/* Holes of a lattice, with and without vacant sites. */
static void check_holes(void)
{
    static const char *const layouts[] = {"word", "runs_border", "runs_serial"};
    const clup_method heat_bath = {.algorithm = CLUP_HEAT_BATH}, heated = {.heat_bath = 1};
    clup_problem problem = {.model = CLUP_ISING,
                            .lattice = CLUP_LATTICE_KAGOME,
                            .size = {70, 34},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.45,
                            .replicas = 2};
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        check(&problem, NULL, layouts[k]);
    check_sweeps(&problem, "runs_border");
    check_sweeps(&problem, "runs_serial");
    check(&problem, &heat_bath, NULL);
    problem.disorder[CLUP_VACANT] = 0.2, problem.disorder_samples = 1;
    check(&problem, NULL, "runs_border");
    problem.field = 0.3, problem.coupling[0] = 1, problem.coupling[1] = -0.5;
    problem.coupling[2] = 0.75, problem.disorder[CLUP_VACANT] = 0, problem.periodic[1] = 0;
    check(&problem, &heated, "word");
    memset(problem.coupling, 0, sizeof problem.coupling);
    problem.lattice = CLUP_LATTICE_LIEB, problem.model = CLUP_POTTS, problem.q = 3;
    problem.field = 0, problem.beta = 1.2;
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        check(&problem, NULL, layouts[k]);
    problem.model = CLUP_CLOCK, problem.q = 6, problem.field = 0.2;
    check(&problem, NULL, "word");
    problem.model = CLUP_XY, problem.q = 2;
    check(&problem, &heated, NULL);
}

/* ---- all states ------------------------------------------------------------------------------ */

static void check_states(const clup_problem *problem, const clup_method *method, const char *what)
{
    const uint64_t sites = clup_problem_sites(problem);
    double z = 0, means[VALUES] = {0}, values[VALUES];
    clup_estimate estimates[VALUES];
    clup_simulation *simulation;
    uint64_t states = 1;
    for (uint64_t i = 0; i < sites; i++)
        states *= is_vacant(problem, 0, i) ? 1 : problem->q;
    for (uint64_t state = 0; state < states; state++) {
        uint8_t spins[16] = {0};
        uint64_t rest = state;
        for (uint64_t i = 0; i < sites; i++)
            if (!is_vacant(problem, 0, i)) {
                spins[i] = (uint8_t)(rest % problem->q);
                rest /= problem->q;
            }
        count(NULL, problem, 0, spins, values);
        const double weight = exp(-problem->beta * (double)sites * values[ENERGY]);
        z += weight;
        for (unsigned k = 0; k <= SK_X; k++)
            means[k] += weight * values[k];
    }
    NEED(clup_simulation_create(context, problem, method, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, of, SK_X + 1, 1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 20000, 1, NULL, NULL));
    NEED(clup_simulation_estimates_of(simulation, of, SK_X + 1, 0, 1, estimates));
    clup_simulation_free(simulation);
    for (unsigned k = 0; k <= SK_X; k++) {
        const double sigma = fabs(estimates[k].mean - means[k] / z) / estimates[k].error;
        ok(sigma < 4.5, "%s, %s %.6f +- %.6f, exact %.6f: %.1f sigma", what, names[k],
           estimates[k].mean, estimates[k].error, means[k] / z, sigma);
    }
}

static void check_all_states(void)
{
    const clup_method wolff = {.algorithm = CLUP_WOLFF}, heat_bath = {.algorithm = CLUP_HEAT_BATH};
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {4, 4},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = 0.4,
                            .field = 0.2,
                            .coupling = {1, -0.5},
                            .disorder = {[CLUP_VACANT] = 0.3}};
    check_states(&problem, NULL, "Ising");
    check_states(&problem, &wolff, "Ising, wolff");
    problem = (clup_problem){.model = CLUP_POTTS,
                             .size = {3, 3},
                             .periodic = {1, 0},
                             .q = 3,
                             .beta = 0.8,
                             .disorder = {[CLUP_VACANT] = 0.25},
                             .disorder_seed = 2};
    check_states(&problem, NULL, "Potts");
    check_states(&problem, &heat_bath, "Potts, the heat bath");
}

/* ---- clusters -------------------------------------------------------------------------------- */

/* Without bonds, each site that is there is a cluster. */
static void check_clusters(double vacant)
{
    const clup_problem problem = {.model = CLUP_POTTS,
                                  .size = {40, 30},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0,
                                  .disorder = {[CLUP_VACANT] = vacant}};
    static const char *const counted[] = {"clusters",    "largest_cluster", "m2_improved",
                                          "s0_improved", "sk_improved",     "cluster_sizes"};
    enum { COUNTED = 6 };
    const double sites = (double)clup_problem_sites(&problem);
    double there = 0, at[64];
    clup_observable wanted[COUNTED];
    clup_estimate estimates[COUNTED + 64];
    uint8_t *listed = malloc(clup_problem_sites(&problem));
    unsigned wrong = 0;
    NEED(clup_problem_vacant(&problem, 0, listed));
    for (uint64_t i = 0; i < clup_problem_sites(&problem); i++) {
        there += !is_vacant(&problem, 0, i);
        wrong += listed[i] != is_vacant(&problem, 0, i);
    }
    ok(wrong == 0 && fabs(there / sites - (1 - vacant)) < 0.1,
       "%g of %g sites are there, %u are listed otherwise", there, sites, wrong);
    free(listed);
    for (unsigned k = 0; k < COUNTED; k++)
        NEED(clup_observable_named(counted[k], &wanted[k]));
    for (unsigned where = 0; where < 2; where++) {
        clup_simulation *simulation;
        NEED(clup_simulation_create(where == 0 ? context : NULL, &problem, NULL, NULL, 1,
                                    CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_observe(simulation, wanted, COUNTED, 1));
        NEED(clup_simulation_run(simulation, 2, 1, NULL, NULL));
        NEED(clup_simulation_estimates_of(simulation, wanted, COUNTED - 1, 0, 1, estimates));
        NEED(clup_simulation_vector(simulation, 0, wanted[COUNTED - 1], at,
                                    estimates + COUNTED - 1));
        clup_simulation_free(simulation);
        const double expected[] = {there / sites,         there > 0 ? 1 / sites : 0,
                                   there / sites / sites, there / sites,
                                   there / sites,         there / sites};
        for (unsigned k = 0; k < COUNTED; k++)
            ok(fabs(estimates[k].mean - expected[k]) < 1e-8 + 1e-6 * expected[k],
               "%g vacant, %s, %s %g, wanted %g", vacant, where == 0 ? "device" : "host",
               counted[k], estimates[k].mean, expected[k]);
    }
}

/* Improved estimators beside the plain ones. */
static void check_improved(void)
{
    const clup_problem problem = {.model = CLUP_ISING,
                                  .size = {16, 16},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = 0.6,
                                  .disorder = {[CLUP_VACANT] = 0.2}};
    static const char *const pairs[][2] = {
        {"m2", "m2_improved"}, {"m4", "m4_improved"}, {"sk", "sk_improved"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        clup_observable wanted[2];
        clup_estimate estimates[2];
        clup_simulation *simulation;
        for (unsigned j = 0; j < 2; j++)
            NEED(clup_observable_named(pairs[k][j], &wanted[j]));
        NEED(clup_simulation_create(context, &problem, NULL, NULL, 2, CLUP_START_RANDOM,
                                    &simulation));
        NEED(clup_simulation_observe(simulation, wanted, 2, 1));
        NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
        NEED(clup_simulation_run(simulation, 8000, 1, NULL, NULL));
        NEED(clup_simulation_estimates_of(simulation, wanted, 2, 0, 1, estimates));
        clup_simulation_free(simulation);
        ok(fabs(estimates[0].mean - estimates[1].mean) <
               4.5 * hypot(estimates[0].error, estimates[1].error),
           "%s %g +- %g, %s %g +- %g", pairs[k][0], estimates[0].mean, estimates[0].error,
           pairs[k][1], estimates[1].mean, estimates[1].error);
    }
}

/* ---- text and errors ------------------------------------------------------------------------- */

static void check_text(void)
{
    clup_problem problem = {.size = {8, 8}, .periodic = {1, 1}, .q = 2, .beta = 1};
    char text[CLUP_FIELD_TEXT];
    uint8_t vacant[64];
    NEED(clup_problem_set(&problem, "disorder", "site-dilute=0.25,dilute=0.5"));
    NEED(clup_problem_get(&problem, "disorder", text));
    ok(strcmp(text, "dilute=0.5,site-dilute=0.25") == 0, "as text: %s", text);
    ok(clup_problem_set(&problem, "disorder", "site-dilute=1.5") == CLUP_ERROR_USAGE &&
           clup_problem_set(&problem, "disorder", "site-dilute") == CLUP_ERROR_USAGE,
       "texts that are no share of sites are refused");
    ok(clup_problem_vacant(&problem, 1, vacant) == CLUP_ERROR_USAGE,
       "there is no second replica: %s", clup_error_detail());
    problem.disorder[CLUP_VACANT] = -0.5;
    ok(clup_problem_check(&problem) == CLUP_ERROR_USAGE, "a share below 0: %s",
       clup_error_detail());
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    for (unsigned k = 0; k < VALUES; k++)
        NEED(clup_observable_named(names[k], &of[k]));
    check_all();
    check_holes();
    check_all_states();
    check_clusters(0.3);
    check_clusters(1);
    check_improved();
    check_text();
    clup_context_free(context);
    return done_testing();
}
