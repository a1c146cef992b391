/* SPDX-License-Identifier: BSD-3-Clause */
/* Structure factors and correlation lengths: of single sweeps in each layout against the
 * definition, of runs against the enumeration of all states, and xi/L of the critical square
 * lattice against the known value. */
#include <complex.h>
#include <math.h>

#include "device.h"

#define PI 3.14159265358979323846

static clup_context *context;

static uint32_t length_of(const clup_problem *problem, unsigned axis)
{
    return axis < clup_lattice_axes(problem->lattice) && problem->periodic[axis] &&
                   problem->size[axis] > 1
               ? problem->size[axis]
               : 0;
}

/* The mean over the longest axes. */
static double longest_mean(const clup_problem *problem, const double along[3], uint32_t *longest)
{
    double sum = 0, count = 0;
    *longest = 0;
    for (unsigned axis = 0; axis < 3; axis++)
        if (length_of(problem, axis) >= *longest && length_of(problem, axis) > 0) {
            sum = length_of(problem, axis) > *longest ? 0 : sum;
            count = length_of(problem, axis) > *longest ? 0 : count;
            *longest = length_of(problem, axis);
            sum += along[axis];
            count++;
        }
    return sum / count;
}

/* S(k) along an axis by its definition; NAN where there is none. */
static double structure(const clup_problem *problem, const uint8_t *spins, unsigned axis)
{
    const uint32_t length = length_of(problem, axis), *size = problem->size;
    const uint64_t sites = clup_problem_sites(problem);
    double sum = 0;
    if (length == 0)
        return NAN;
    for (unsigned s = 0; s < problem->q; s++) {
        double complex wave = 0;
        for (uint64_t i = 0; i < sites; i++) {
            const uint32_t at[] = {(uint32_t)(i % size[0]), (uint32_t)(i / size[0] % size[1]),
                                   (uint32_t)(i / size[0] / size[1])};
            if (spins[i] == s)
                wave += cexp(2 * I * PI * at[axis] / length);
        }
        sum += creal(wave * conj(wave));
    }
    return problem->q / (problem->q - 1.0) / (double)sites * sum;
}

/* ---- single sweeps --------------------------------------------------------------------------- */

static bool close_to(double value, double wanted)
{
    return isnan(wanted) ? isnan(value) : fabs(value - wanted) < 1e-5 * (1e-3 + wanted);
}

/* Does one sweep in a layout, or on the host. Every value of a layout must equal the host's. */
static void check_sweep(const clup_problem *problem, const char *layout, double values[4])
{
    static const clup_observable wanted[] = {CLUP_SK_X, CLUP_SK_Y, CLUP_SK_Z, CLUP_SK};
    clup_simulation *simulation;
    clup_plan plan = {0};
    double along[3];
    uint32_t longest;
    unsigned right = 0, same = 0;
    const clup_plan_request request = {.bonds = layout};
    if (layout != NULL && clup_plan_choose(context, problem, NULL, &request, &plan) != CLUP_OK)
        return;
    const uint32_t replicas = problem->replicas > 0 ? problem->replicas : 1;
    const uint64_t sites = clup_problem_sites(problem);
    uint8_t *spins = malloc(replicas * sites);
    NEED(clup_simulation_create(layout != NULL ? context : NULL, problem, NULL, &plan, 3,
                                CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, &wanted[3], 1, 1));
    NEED(clup_simulation_run(simulation, 1, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    for (uint32_t r = 0; r < replicas; r++) {
        for (unsigned axis = 0; axis < 3; axis++)
            along[axis] = structure(problem, spins + r * sites, axis);
        const double exact[] = {along[0], along[1], along[2],
                                longest_mean(problem, along, &longest)};
        for (unsigned k = 0; k < 4; k++) {
            double value;
            NEED(clup_simulation_series(simulation, r, wanted[k], 0, 1, &value));
            right += close_to(value, exact[k]);
            if (r == 0 && layout == NULL)
                values[k] = value;
            same += r > 0 || memcmp(&value, &values[k], sizeof value) == 0 ||
                    (isnan(value) && isnan(values[k]));
        }
    }
    ok(right == 4 * replicas && same == 4 * replicas,
       "%s, %s %u x %u x %u, q = %u, %u replicas: %u values are right, %u the reference's",
       layout != NULL ? layout : "reference", clup_lattice_name(problem->lattice), problem->size[0],
       problem->size[1], clup_lattice_args(problem).nz, problem->q, replicas, right, same);
    clup_simulation_free(simulation);
    free(spins);
}

static void check_sweeps(void)
{
    static const double betas[] = {0.5, 0.9, 2};
    static const struct {
        const char *layout; /* NULL for all layouts; an empty name for the reference alone */
        clup_problem problem;
    } rows[] = {
        {NULL, {.size = {71, 45}, .periodic = {1, 1}, .q = 2, .beta = 0.9}},
        {"border", {.size = {1, 50}, .periodic = {1, 1}, .q = 2, .beta = 0.9}},
        {"border", {.size = {70, 1}, .periodic = {1, 1}, .q = 2, .beta = 0.9}},
        {"word", {.size = {33, 100}, .periodic = {0, 1}, .q = 3, .replicas = 3, .betas = betas}},
        {"word", {.size = {40, 30}, .q = 2, .beta = 1}},
        {"border", {.size = {40, 37}, .periodic = {1, 1}, .q = 256, .beta = 2}},
        {"border",
         {.lattice = CLUP_LATTICE_TRIANGULAR,
          .size = {65, 65},
          .periodic = {1, 1},
          .q = 4,
          .replicas = 3,
          .betas = betas}},
        {"word",
         {.lattice = CLUP_LATTICE_CUBIC,
          .size = {35, 6, 70},
          .periodic = {1, 1, 1},
          .q = 2,
          .beta = 0.5}},
        {"none",
         {.lattice = CLUP_LATTICE_CUBIC,
          .size = {9, 9, 5},
          .periodic = {1, 0, 1},
          .q = 5,
          .beta = 1}},
    };
    for (size_t p = 0; p < sizeof rows / sizeof *rows; p++) {
        double values[4];
        check_sweep(&rows[p].problem, NULL, values);
        for (size_t k = 0; clup_layout_name(k) != NULL; k++)
            if (rows[p].layout == NULL || strcmp(rows[p].layout, clup_layout_name(k)) == 0)
                check_sweep(&rows[p].problem, clup_layout_name(k), values);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct exact {
    double at_zero, along[3];
} exact;

/* Sums over all q^N states. */
static exact enumerate(const clup_problem *problem)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const unsigned sites = (unsigned)clup_lattice_sites(&lattice), q = problem->q;
    exact sums = {0};
    double z = 0, waves[3][16][2];
    uint64_t states = 1, neighbour;
    for (unsigned i = 0; i < sites; i++) {
        const uint32_t at[] = {i % lattice.nx, i / lattice.nx % lattice.ny,
                               i / lattice.nx / lattice.ny};
        states *= q;
        for (unsigned axis = 0; axis < 3; axis++) {
            const uint32_t length = length_of(problem, axis);
            waves[axis][i][0] = length > 0 ? cos(2 * PI * at[axis] / length) : NAN;
            waves[axis][i][1] = length > 0 ? sin(2 * PI * at[axis] / length) : NAN;
        }
    }
    for (uint64_t state = 0; state < states; state++) {
        unsigned spins[16], equal = 0;
        double count[5] = {0}, wave[3][5][2] = {{{0}}}, squares[4] = {0};
        uint64_t rest = state;
        for (unsigned i = 0; i < sites; i++, rest /= q) {
            count[spins[i] = (unsigned)(rest % q)]++;
            for (unsigned axis = 0; axis < 3; axis++)
                for (unsigned c = 0; c < 2; c++)
                    wave[axis][spins[i]][c] += waves[axis][i][c];
        }
        for (unsigned i = 0; i < sites; i++)
            for (unsigned d = 0; d < clup_lattice_of(&lattice)->directions; d++)
                if (clup_lattice_forward(&lattice, d, i % lattice.nx, i / lattice.nx, &neighbour))
                    equal += spins[i] == spins[neighbour];
        for (unsigned s = 0; s < q; s++) {
            squares[3] += count[s] * count[s];
            for (unsigned axis = 0; axis < 3; axis++)
                squares[axis] += wave[axis][s][0] * wave[axis][s][0] +
                                 wave[axis][s][1] * wave[axis][s][1];
        }
        const double weight = exp(problem->beta * equal);
        z += weight;
        sums.at_zero += weight * (q * squares[3] / sites - sites) / (q - 1);
        for (unsigned axis = 0; axis < 3; axis++)
            sums.along[axis] += weight * q * squares[axis] / (q - 1) / sites;
    }
    sums.at_zero /= z;
    for (unsigned axis = 0; axis < 3; axis++)
        sums.along[axis] /= z;
    return sums;
}

static void near(const clup_estimate *estimate, double exact, const char *what)
{
    const double sigma = fabs(estimate->mean - exact) / estimate->error;
    ok(isnan(exact) ? isnan(estimate->mean) : sigma < 4 || fabs(estimate->mean - exact) < 1e-7,
       "%s %.6f +- %.6f, exact %.6f: %.1f sigma", what, estimate->mean, estimate->error, exact,
       sigma);
}

static void simulate(const clup_problem *problem, const clup_method *method, clup_context *on,
                     uint64_t sweeps, uint64_t seed, clup_estimate *estimates)
{
    static const clup_observable wanted[] = {CLUP_XI, CLUP_XI_IMPROVED};
    clup_plan plan = {.bonds = "the reference's"};
    clup_simulation *simulation;
    if (on != NULL)
        NEED(clup_plan_choose(on, problem, method, NULL, &plan));
    NEED(clup_simulation_create(on, problem, method, &plan, seed, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, wanted, sizeof wanted / sizeof *wanted, 1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    printf("# %s, %s %u x %u x %u, q = %u, beta = %g, %s bonds\n",
           clup_algorithm_name(method->algorithm), clup_lattice_name(problem->lattice),
           problem->size[0], problem->size[1], clup_lattice_args(problem).nz, problem->q,
           problem->beta, plan.bonds);
    clup_simulation_free(simulation);
}

static void against_enumeration(clup_problem problem, clup_algorithm algorithm, clup_context *on,
                                uint64_t seed)
{
    const clup_method method = {.algorithm = algorithm, .seeds_per_side = 2, .p_flip = 0.9};
    clup_estimate estimates[CLUP_OBSERVABLES];
    uint32_t longest;
    const exact exact = enumerate(&problem);
    const double smallest = longest_mean(&problem, exact.along, &longest);
    simulate(&problem, &method, on, on != NULL ? 10000 : 40000, seed, estimates);
    near(&estimates[CLUP_SK_X], exact.along[0], "S(k) along x");
    near(&estimates[CLUP_SK_Y], exact.along[1], "along y");
    near(&estimates[CLUP_SK_Z], exact.along[2], "along z");
    near(&estimates[CLUP_SK], smallest, "their mean");
    const double xi = sqrt(exact.at_zero / smallest - 1) / (2 * sin(PI / longest));
    near(&estimates[CLUP_XI], xi, "xi");
    near(&estimates[CLUP_XI_OVER_L], xi / longest, "xi/L");
    near(&estimates[CLUP_SK_IMPROVED], smallest, "S(k) by clusters");
    near(&estimates[CLUP_XI_OVER_L_IMPROVED], xi / longest, "xi/L by clusters");
}

/* 0.9050488292 for infinite L: J. Salas and A. D. Sokal, J. Stat. Phys. 98, 551 (2000). */
static void critical_torus(void)
{
    const clup_problem problem = {.size = {32, 32},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2)};
    const clup_method method = {0};
    clup_estimate estimates[CLUP_OBSERVABLES];
    simulate(&problem, &method, context, 20000, 5, estimates);
    const clup_estimate *ratio = &estimates[CLUP_XI_OVER_L],
                        *improved = &estimates[CLUP_XI_OVER_L_IMPROVED];
    ok(fabs(ratio->mean - 0.9050488292) < 4 * ratio->error + 0.002,
       "xi/L of the critical torus is %.4f +- %.4f, of an infinite one 0.9050", ratio->mean,
       ratio->error);
    ok(fabs(improved->mean - ratio->mean) < 4 * ratio->error && improved->error < ratio->error,
       "by clusters %.4f +- %.4f", improved->mean, improved->error);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_sweeps();
    against_enumeration((clup_problem){.size = {3, 3}, .periodic = {1, 1}, .q = 2, .beta = 0.8},
                        CLUP_SWENDSEN_WANG, context, 1);
    against_enumeration((clup_problem){.size = {4, 4}, .periodic = {1, 1}, .q = 2, .beta = 0.7},
                        CLUP_SWENDSEN_WANG, NULL, 2);
    against_enumeration((clup_problem){.size = {4, 3}, .periodic = {1, 0}, .q = 2, .beta = 0.7},
                        CLUP_WOLFF, NULL, 3);
    against_enumeration((clup_problem){.size = {3, 3}, .periodic = {1, 1}, .q = 3, .beta = 0.8},
                        CLUP_SWENDSEN_WANG, NULL, 4);
    against_enumeration((clup_problem){.size = {3, 3}, .periodic = {1, 1}, .q = 4, .beta = 0.8},
                        CLUP_FEW_CLUSTER, NULL, 5);
    against_enumeration((clup_problem){.lattice = CLUP_LATTICE_TRIANGULAR,
                                       .size = {3, 3},
                                       .periodic = {1, 1},
                                       .q = 3,
                                       .beta = 0.5},
                        CLUP_SWENDSEN_WANG, NULL, 6);
    against_enumeration((clup_problem){.lattice = CLUP_LATTICE_CUBIC,
                                       .size = {3, 2, 2},
                                       .periodic = {1, 1, 1},
                                       .q = 2,
                                       .beta = 0.3},
                        CLUP_SWENDSEN_WANG, NULL, 7);
    critical_torus();
    clup_context_free(context);
    return done_testing();
}
