/* SPDX-License-Identifier: BSD-3-Clause */
/* Models with a matrix of energies: the clock model, and the Potts model with negative couplings or
 * in a field. The same spins, energies and magnetisations on the device and on the host, which are
 * counted anew; means over all states of small systems; models that are the same; and what is
 * refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/couplings.h"
#include "core/disorder.h"
#include "core/lattice.h"
#include "core/matrix.h"
#include "bond_list.h"
#include "exact_means.h"
#include "last_sweep.h"
#include "refused.h"
#include "tap.h"

#define SWEEPS 5

static clup_context *context;
static clup_observable signed_m, along, across; /* the latter are parts of the helicity modulus */
enum { ENERGY, ABS_M, M2, SIGNED, ALONG, ACROSS, SK, QUANTITIES };

/* ---- by definition --------------------------------------------------------------------------- */

static double angle_of(const clup_problem *problem, int s)
{
    return 2 * acos(-1) * s / problem->q;
}

static double bond_energy(const clup_problem *problem, int s, int t)
{
    return problem->model == CLUP_CLOCK ? -cos(angle_of(problem, s - t)) : s == t ? -1 : 0;
}

/* Sets the parts of the helicity modulus a site, the mean over periodic axes of more than a site;
 * NAN where there are none, and for other models than the clock's. */
static void measure_twist(const clup_problem *problem, const bond_list *of, const uint8_t *spins,
                          double values[QUANTITIES])
{
    const lattice_args lattice = clup_lattice_args(problem);
    const double sites = (double)clup_problem_sites(problem);
    unsigned count = 0;
    values[ALONG] = values[ACROSS] = 0;
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++) {
        double cosines = 0, sines = 0;
        if (!problem->periodic[axis] || problem->size[axis] < 2)
            continue;
        for (size_t k = 0; k < of->count; k++) {
            const double coupling = of->coupling[k],
                         angle = angle_of(problem, spins[of->to[k]] - spins[of->from[k]]);
            const int step = step_along(clup_lattice_of(&lattice)->offsets[of->along[k]], axis);
            cosines += step * step * coupling * cos(angle);
            sines += step * coupling * sin(angle);
        }
        values[ALONG] += cosines / sites, values[ACROSS] += sines * sines / sites;
        count++;
    }
    const double none = problem->model == CLUP_CLOCK ? 1 : NAN;
    values[ALONG] *= none / count, values[ACROSS] *= none / count;
}

/* Sets S(k) along x; NAN where x is open or has one site. */
static void measure_waves(const clup_problem *problem, const uint8_t *spins,
                          double values[QUANTITIES])
{
    const uint64_t sites = clup_problem_sites(problem);
    const uint32_t nx = problem->size[0];
    const double q = problem->q;
    double states[CLUP_MATRIX_STATES][2] = {{0}}, sums[2][2] = {{0}}, square = 0;
    for (uint64_t i = 0; i < sites; i++)
        for (unsigned k = 0; k < 2; k++)
            states[spins[i]][k] += cos(2 * acos(-1) * (double)(i % nx) / nx - k * acos(-1) / 2);
    for (unsigned s = 0; s < problem->q; s++)
        for (unsigned k = 0; k < 4; k++) {
            sums[k / 2][k % 2] += states[s][k % 2] *
                                  cos(angle_of(problem, (int)s) - k / 2 * acos(-1) / 2);
            square += k < 2 ? states[s][k] * states[s][k] : 0;
        }
    if (problem->model == CLUP_CLOCK)
        square = sums[0][0] * sums[0][0] + sums[0][1] * sums[0][1] + sums[1][0] * sums[1][0] +
                 sums[1][1] * sums[1][1];
    else
        square *= q / (q - 1);
    values[SK] = problem->periodic[0] && nx > 1 ? square / (double)sites : NAN;
}

/* Sets energy and magnetisations a site. */
static void measure(const clup_problem *problem, const bond_list *of, const uint8_t *spins,
                    double values[QUANTITIES])
{
    const uint64_t sites = clup_problem_sites(problem);
    const bool clock = problem->model == CLUP_CLOCK;
    double energy = 0, x = 0, y = 0, shares[CLUP_MATRIX_STATES] = {0}, most = 0,
           between[CLUP_MATRIX_STATES];
    for (unsigned s = 0; s < problem->q; s++)
        between[s] = bond_energy(problem, (int)s, 0);
    for (uint64_t i = 0; i < sites; i++)
        shares[spins[i]] += 1. / (double)sites;
    for (size_t k = 0; k < of->count; k++)
        energy += of->coupling[k] * between[abs(spins[of->from[k]] - spins[of->to[k]])];
    for (unsigned s = 0; s < problem->q; s++) {
        const double angle = angle_of(problem, (int)s);
        x += shares[s] * cos(angle), y += shares[s] * sin(angle);
        most = shares[s] > most ? shares[s] : most;
    }
    const double q = problem->q, m = clock ? hypot(x, y) : (q * most - 1) / (q - 1);
    values[ENERGY] = energy / (double)sites - problem->field * (clock ? x : shares[0]);
    values[ABS_M] = m;
    values[M2] = m * m;
    values[SIGNED] = clock ? x : (q * shares[0] - 1) / (q - 1);
    measure_twist(problem, of, spins, values);
    measure_waves(problem, spins, values);
}

/* ---- the same spins -------------------------------------------------------------------------- */

static void count_model(const void *user, const clup_problem *problem, uint32_t replica,
                        const uint8_t *spins, double *values)
{
    bond_list of = bonds_of(problem, replica);
    (void)user;
    measure(problem, &of, spins, values);
    bonds_free(&of);
}

/* bonds is the layout; NULL for any. */
static void check_method(const clup_problem *problem, const clup_method *method, const char *bonds)
{
    const clup_observable of[QUANTITIES] = {CLUP_ENERGY, CLUP_ABS_M, CLUP_M2,  signed_m,
                                            along,       across,     CLUP_SK_X};
    const last_sweep run = {.method = method,
                            .request = {.bonds = bonds},
                            .start = CLUP_START_RANDOM,
                            .sweeps = SWEEPS,
                            .of = of,
                            .count = QUANTITIES};
    const compared found = compare_last(context, problem, &run, count_model, NULL);
    ok(found.same && found.other == 0 && found.wrong == 0,
       "%s q = %u, J = %g, h = %g, %s %u x %u x %u, beta = %g, %s with %u%s%s: the spins of the "
       "host, %u numbers of another value than there, %u than counted",
       clup_model_name(problem->model), problem->q, problem->coupling[0], problem->field,
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->size[2],
       problem->beta, clup_algorithm_name(method->algorithm), method->heat_bath,
       bonds != NULL ? ", " : "", bonds != NULL ? bonds : "", found.other, found.wrong);
}

static const clup_method clusters = {0}, beside = {.heat_bath = 1},
                         alone = {.algorithm = CLUP_HEAT_BATH}, one = {.algorithm = CLUP_WOLFF};

static void check_spins(const clup_problem *problem, const char *bonds)
{
    check_method(problem, &clusters, bonds);
}

/* Random couplings, of all lattices. */
static void check_random_couplings(void)
{
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_CHAIN; lattice++) {
        const bool volume = clup_lattice_axes(lattice) > 2;
        clup_problem problem = {.model = lattice % 2 ? CLUP_POTTS : CLUP_CLOCK,
                                .lattice = lattice,
                                .size = {35, volume ? 4 : 19, volume ? 3 : 1},
                                .periodic = {1, lattice % 3 != 0, 1},
                                .q = lattice % 2 ? 3 : 6,
                                .beta = volume ? 0.5 : 1.2,
                                .field = lattice > 3 ? 0.2 : 0,
                                .replicas = 2};
        clup_lattice_fit(lattice, problem.size);
        problem.disorder[lattice % 3 == 1 ? CLUP_SIGNS : CLUP_NORMAL] = 0.6;
        check_spins(&problem, NULL);
        if (lattice < 4)
            check_method(&problem, lattice % 2 ? &alone : &beside, NULL);
    }
}

static void check_all_spins(void)
{
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_CHAIN; lattice++)
        for (unsigned k = lattice % 3; k < 3; k += 2) {
            const bool volume = clup_lattice_axes(lattice) > 2;
            clup_problem problem = {.model = k == 1 ? CLUP_POTTS : CLUP_CLOCK,
                                    .lattice = lattice,
                                    .size = {33 + 31 * k, volume ? 5 - k : 19 + k, volume ? 4 : 1},
                                    .periodic = {1, k != 1, 1},
                                    .q = k == 0   ? 6
                                         : k == 1 ? 3
                                                  : 5,
                                    .beta = volume ? 0.3 : 0.9,
                                    .field = k == 2 ? -0.4 : 0,
                                    .replicas = 2};
            clup_lattice_fit(lattice, problem.size);
            for (unsigned d = 0; d < clup_problem_directions(&problem) && k == 1; d++)
                problem.coupling[d] = -1;
            check_spins(&problem, NULL);
            if (lattice == CLUP_LATTICE_TRIANGULAR || lattice == CLUP_LATTICE_CUBIC_18)
                check_method(&problem, &alone, NULL);
        }
    static const unsigned states[] = {2, 16, 17, 64};
    clup_problem problem = {.model = CLUP_CLOCK, .size = {67, 21}, .periodic = {1, 1}, .beta = 1.2};
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        problem.q = states[k];
        check_spins(&problem, k % 2 ? "char" : "word");
        check_method(&problem, &one, k % 2 ? "char" : "word");
    }
    problem.model = CLUP_POTTS, problem.field = 0.7;
    for (unsigned q = 2; q < 34; q += 15) {
        problem.q = q;
        check_spins(&problem, q == 17 ? "char" : "word");
        check_method(&problem, &one, q == 17 ? "char" : "word");
    }
    problem.q = 3, problem.coupling[0] = 1, problem.coupling[1] = -0.375;
    check_spins(&problem, NULL);
    problem.model = CLUP_CLOCK, problem.q = 6;
    check_spins(&problem, NULL);
    problem.disorder[CLUP_ABSENT] = 0.3, problem.replicas = 3;
    check_spins(&problem, "word");
    check_method(&problem, &alone, NULL);
    check_method(&problem, &beside, NULL);
    problem.disorder_samples = 2;
    check_spins(&problem, NULL);
    const double betas[] = {0, 0.7, INFINITY};
    problem.betas = betas, problem.field = 0;
    check_spins(&problem, NULL);
    check_method(&problem, &alone, NULL);
    problem.disorder[CLUP_ABSENT] = 0, problem.field = 16;
    check_spins(&problem, NULL);
    problem.betas = NULL, problem.replicas = 1, problem.size[0] = problem.size[1] = 1;
    check_spins(&problem, NULL);
    problem.size[0] = 2, problem.q = 64, problem.coupling[0] = problem.coupling[1] = 0x1p-20;
    check_spins(&problem, NULL);
}

/* ---- all states ------------------------------------------------------------------------------ */

static void exact(const clup_problem *problem, double means[QUANTITIES])
{
    const uint64_t sites = clup_problem_sites(problem);
    double z = 0;
    uint64_t states = 1;
    bond_list of = bonds_of(problem, 0);
    for (unsigned k = 0; k < QUANTITIES; k++)
        means[k] = 0;
    for (uint64_t i = 0; i < sites; i++)
        states *= problem->q;
    for (uint64_t state = 0; state < states; state++) {
        uint8_t spins[16];
        double values[QUANTITIES];
        uint64_t rest = state;
        for (uint64_t i = 0; i < sites; i++, rest /= problem->q)
            spins[i] = (uint8_t)(rest % problem->q);
        measure(problem, &of, spins, values);
        const double weight = exp(-problem->beta * values[ENERGY] * (double)sites);
        z += weight;
        for (unsigned k = 0; k < QUANTITIES; k++)
            means[k] += weight * values[k];
    }
    for (unsigned k = 0; k < QUANTITIES; k++)
        means[k] /= z;
    bonds_free(&of);
}

static void check_states(const clup_problem *problem, const clup_method *method)
{
    enum { SYSTEMS = 32, COUNT = 150 };
    const clup_observable of[QUANTITIES] = {CLUP_ENERGY, CLUP_ABS_M, CLUP_M2,  signed_m,
                                            along,       across,     CLUP_SK_X};
    double wanted[QUANTITIES];
    unsigned worst_of;
    exact(problem, wanted);
    const double worst = worst_sigma(context, problem, method, SYSTEMS, COUNT, of, wanted,
                                     QUANTITIES, &worst_of);
    ok(worst < 4.5,
       "%s q = %u, J = %g, h = %g, %s %u x %u, beta = %g, %s with %u: energy %.5f, m2 %.5f, all "
       "means within %.1f sigma of the exact ones (worst: number %u)",
       clup_model_name(problem->model), problem->q, problem->coupling[0], problem->field,
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->beta,
       clup_algorithm_name(method->algorithm), method->heat_bath, wanted[ENERGY], wanted[M2], worst,
       worst_of);
}

/* Returns couplings of either sign, and one that is 0. */
static const clup_bond_couplings *couplings_for(uint64_t bonds, unsigned directions)
{
    const clup_bond_couplings *couplings;
    double *numbers = malloc(bonds * sizeof *numbers);
    for (uint64_t k = 0; k < bonds; k++)
        numbers[k] = k == 1 ? 0 : 1.5 * sin(1 + 2.3 * (double)k);
    NEED(clup_bond_couplings_make(numbers, directions, bonds / directions, &couplings));
    free(numbers);
    return couplings;
}

static void check_all_states(void)
{
    const clup_problem problems[] = {
        {.model = CLUP_CLOCK, .q = 3, .size = {3, 3}, .periodic = {1, 1}, .beta = 0.6},
        {.model = CLUP_CLOCK, .q = 4, .size = {4, 2}, .periodic = {1, 0}, .beta = 0.9},
        {.model = CLUP_CLOCK, .q = 5, .size = {3, 3}, .periodic = {1, 1}, .beta = 0.8},
        {.model = CLUP_CLOCK, .q = 6, .size = {3, 2}, .periodic = {0, 0}, .beta = 1.1},
        {.model = CLUP_CLOCK, .q = 6, .size = {7, 1}, .periodic = {1, 0}, .beta = 1.5},
        {.model = CLUP_CLOCK,
         .q = 4,
         .lattice = CLUP_LATTICE_TRIANGULAR,
         .size = {3, 3},
         .periodic = {1, 1},
         .beta = 0.7,
         .coupling = {-1, -1, -1}},
        {.model = CLUP_CLOCK, .q = 5, .size = {3, 2}, .beta = 0.8, .field = 0.6},
        {.model = CLUP_CLOCK,
         .q = 3,
         .size = {3, 3},
         .periodic = {1, 1},
         .beta = 0.8,
         .field = -0.5,
         .coupling = {1, -0.5},
         .disorder = {[CLUP_ABSENT] = 0.3}},
        {.model = CLUP_POTTS, .q = 3, .size = {3, 3}, .beta = 1, .coupling = {-1, -1}},
        {.model = CLUP_POTTS,
         .q = 4,
         .size = {4, 2},
         .periodic = {1, 1},
         .beta = 1.3,
         .coupling = {-1, -1}},
        {.model = CLUP_POTTS,
         .q = 4,
         .lattice = CLUP_LATTICE_TRIANGULAR,
         .size = {3, 3},
         .periodic = {1, 1},
         .beta = 0.8,
         .coupling = {-1, -1, -1}},
        {.model = CLUP_POTTS,
         .q = 3,
         .size = {3, 3},
         .periodic = {1, 1},
         .beta = 0.5,
         .field = 0.7},
        {.model = CLUP_POTTS, .q = 5, .size = {4, 2}, .periodic = {1, 0}, .beta = 0.9, .field = -1},
        {.model = CLUP_POTTS,
         .q = 3,
         .size = {4, 2},
         .periodic = {1, 1},
         .beta = 0.9,
         .field = 0.4,
         .coupling = {-1, 0.5}},
        {.model = CLUP_CLOCK, .q = 7, .size = {1, 1}, .beta = 0.9, .field = 1},
        /* couplings of single bonds */
        {.model = CLUP_CLOCK,
         .q = 5,
         .size = {3, 3},
         .periodic = {1, 1},
         .beta = 0.8,
         .disorder = {[CLUP_SIGNS] = 0.5}},
        {.model = CLUP_CLOCK,
         .q = 4,
         .size = {3, 3},
         .periodic = {1, 1},
         .beta = 0.7,
         .field = 0.4,
         .coupling = {1, -0.5},
         .disorder = {[CLUP_NORMAL] = 1, [CLUP_ABSENT] = 0.1}},
        {.model = CLUP_POTTS,
         .q = 3,
         .size = {4, 2},
         .periodic = {1, 0},
         .beta = 1.2,
         .field = -0.4,
         .disorder = {[CLUP_NORMAL] = 0.8}},
        {.model = CLUP_POTTS,
         .q = 3,
         .size = {3, 3},
         .periodic = {1, 1},
         .beta = 0.9,
         .coupling = {1.5, -1},
         .disorder = {[CLUP_SIGNS] = 0.4}},
        {.model = CLUP_CLOCK,
         .q = 6,
         .size = {3, 2},
         .periodic = {1, 1},
         .beta = 0.8,
         .bond_couplings = couplings_for(12, 2)},
        {.model = CLUP_POTTS,
         .q = 4,
         .size = {3, 2},
         .periodic = {1, 1},
         .beta = 1.1,
         .bond_couplings = couplings_for(12, 2)},
    };
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
        check_states(&problems[p], p % 4 == 3 ? &beside : &clusters);
    for (size_t p = 5; p < sizeof problems / sizeof *problems; p += 4)
        check_states(&problems[p], &alone);
    for (size_t p = 1; p < sizeof problems / sizeof *problems; p += 3)
        check_states(&problems[p], &one);
}

/* The partition function that drawing a population anew gives, from infinite temperature. */
static void check_population(void)
{
    enum { SYSTEMS = 4000 };
    const double beta = 0.6;
    const clup_problem problem = {.model = CLUP_CLOCK,
                                  .size = {3, 2},
                                  .periodic = {1, 0},
                                  .q = 5,
                                  .coupling = {1, -0.5},
                                  .field = 0.3,
                                  .replicas = SYSTEMS,
                                  .disorder_samples = 1};
    static uint32_t sources[SYSTEMS];
    bond_list of = bonds_of(&problem, 0);
    clup_simulation *simulation;
    double ratio, mean = 0, square = 0;
    enum { STATES = 5 * 5 * 5 * 5 * 5 * 5 };
    for (unsigned state = 0; state < STATES; state++) {
        uint8_t spins[6];
        double values[QUANTITIES];
        unsigned rest = state;
        for (unsigned i = 0; i < 6; i++, rest /= 5)
            spins[i] = (uint8_t)(rest % 5);
        measure(&problem, &of, spins, values);
        mean += exp(-beta * 6 * values[ENERGY]) / STATES;
        square += exp(-2 * beta * 6 * values[ENERGY]) / STATES;
    }
    bonds_free(&of);
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 2, 0, NULL, NULL));
    NEED(clup_simulation_resample(simulation, beta, sources, &ratio));
    clup_simulation_free(simulation);
    const double sigma = sqrt((square / mean / mean - 1) / SYSTEMS);
    ok(fabs(ratio - log(mean)) < 4.5 * sigma,
       "a population from beta = 0 to %g: ln Z grows by %.4f, exact %.4f, %.1f sigma", beta, ratio,
       log(mean), fabs(ratio - log(mean)) / sigma);
}

/* ---- models that are the same ---------------------------------------------------------------- */

/* The clock model with two states is Ising's, with three Potts', with four two Ising models. */
static void check_critical(void)
{
    const double ising = clup_critical_beta(CLUP_LATTICE_SQUARE, 2),
                 three = clup_critical_beta(CLUP_LATTICE_SQUARE, 3),
                 wanted[] = {[2] = ising / 2, [3] = three / 1.5, [4] = ising};
    for (unsigned q = 2; q <= 5; q++) {
        const clup_problem problem = {.model = CLUP_CLOCK, .size = {8, 8}, .q = q};
        const double beta = clup_problem_critical_beta(&problem);
        ok(q < 5 ? fabs(beta - wanted[q]) < 1e-9 : isnan(beta),
           "the clock model of %u states is critical at beta = %g", q, beta);
    }
    clup_problem potts = {.model = CLUP_POTTS, .size = {8, 8}, .q = 3, .coupling = {-1, -1}};
    ok(isnan(clup_problem_critical_beta(&potts)), "no critical point of an antiferromagnet");
    potts.coupling[0] = potts.coupling[1] = 0, potts.field = 1;
    ok(isnan(clup_problem_critical_beta(&potts)), "nor in a field");
}

/* What reflections are: each is an involution that changes no energy of a bond, and all states are
 * connected. */
static void check_involutions(void)
{
    unsigned wrong = 0, alone = 0;
    for (unsigned q = 2; q <= 64; q++)
        for (unsigned model = 0; model < 2; model++) {
            const clup_problem problem = {.model = model ? CLUP_CLOCK : CLUP_POTTS,
                                          .size = {8, 8},
                                          .q = q,
                                          .coupling = {-1, -1}};
            clup_matrix *matrix;
            NEED(clup_matrix_create(&problem, &matrix));
            uint64_t reached = 1;
            for (unsigned r = 0; r < matrix->involutions; r++) {
                unsigned moved = 0;
                for (unsigned s = 0; s < q; s++) {
                    const unsigned image = clup_matrix_image(matrix, r, s);
                    wrong += image >= q || clup_matrix_image(matrix, r, image) != s;
                    moved += image != s;
                    wrong += clup_matrix_bond_energy(&problem, 0, s, 0) !=
                             clup_matrix_bond_energy(&problem, 0, image,
                                                     clup_matrix_image(matrix, r, 0));
                    if (s == 0)
                        reached |= (uint64_t)1 << image;
                }
                wrong += moved == 0;
            }
            alone += reached != (q < 64 ? ((uint64_t)1 << q) - 1 : UINT64_MAX);
            clup_matrix_free(matrix);
        }
    ok(wrong == 0 && alone == 0,
       "involutions of 2 to 64 states: %u wrong images or energies, %u models whose states they do "
       "not connect",
       wrong, alone);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(const clup_problem *given, clup_method method, const char *bonds,
                    const char *why)
{
    clup_problem problem = *given;
    problem.size[0] = problem.size[1] = 64;
    problem.beta = 0.8;
    refused_problem(context, &problem, method, bonds, why);
}

static void check_refused(void)
{
    const clup_problem clock = {.model = CLUP_CLOCK, .q = 6},
                       large = {.model = CLUP_CLOCK, .q = 65}, one = {.model = CLUP_CLOCK, .q = 1},
                       signs = {.model = CLUP_POTTS, .q = 65, .disorder = {[CLUP_SIGNS] = 0.5}},
                       normal = {.model = CLUP_CLOCK,
                                 .q = 6,
                                 .coupling = {3, 1},
                                 .disorder = {[CLUP_NORMAL] = 1}},
                       strong = {.model = CLUP_CLOCK, .q = 6, .coupling = {17, 1}},
                       field = {.model = CLUP_CLOCK, .q = 6, .field = NAN},
                       potts = {.model = CLUP_POTTS, .q = 65, .coupling = {-1, -1}},
                       in_field = {.model = CLUP_POTTS, .q = 3, .field = 1};
    const clup_method none = {0};
    refused(&large, none, NULL, "at most 64 states");
    refused(&one, none, NULL, "q = 1");
    refused(&signs, none, NULL, "at most 64 states");
    refused(&normal, none, NULL, "gauss times the coupling");
    refused(&strong, none, NULL, "between -16 and 16");
    refused(&field, none, NULL, "field = nan");
    refused(&potts, none, NULL, "at most 64 states");
    const clup_method few = {.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 4, .p_flip = 0.5};
    refused(&clock, few, NULL, "by sw, wolff and heat-bath");
    refused(&in_field, few, NULL, "without a field");
    refused(&clock, none, "border", "border bonds");
    refused(&clock, (clup_method){.rng = "mwc"}, NULL, "");
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    NEED(clup_observable_named("m", &signed_m));
    NEED(clup_observable_named("helicity_cos", &along));
    NEED(clup_observable_named("helicity_sin2", &across));
    printf("# on %s\n", clup_context_device(context)->name);
    check_all_spins();
    check_random_couplings();
    check_all_states();
    check_population();
    check_critical();
    check_involutions();
    check_refused();
    clup_context_free(context);
    return done_testing();
}
