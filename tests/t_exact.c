/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured energy and specific heat against exact values: on the torus at the critical point, with
 * each generator; and with open boundaries, on each lattice, against the enumeration of all states
 * and of all bond configurations. */
#include <math.h>

#include "device.h"

static clup_context *context;

static const clup_method sw = {0}, wolff = {.algorithm = CLUP_WOLFF},
                         few = {.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 3, .p_flip = 0.9};

static void simulate(const clup_problem *problem, const clup_method *method, uint64_t sweeps,
                     uint64_t seed, clup_estimate *estimates)
{
    clup_plan plan;
    clup_simulation *simulation;
    NEED(clup_plan_choose(context, problem, method, NULL, &plan));
    NEED(clup_simulation_create(context, problem, method, &plan, seed, CLUP_START_RANDOM,
                                &simulation));
    NEED(clup_simulation_observe(simulation, (const clup_observable[]){CLUP_CHI_IMPROVED}, 1, 1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    clup_simulation_free(simulation);
}

static void near(const clup_estimate *estimate, double exact, const char *what)
{
    double sigma = fabs(estimate->mean - exact) / estimate->error;
    ok(sigma < 4 || fabs(estimate->mean - exact) < 1e-12, "%s %.6f +- %.6f, exact %.6f: %.1f sigma",
       what, estimate->mean, estimate->error, exact, sigma);
}

/* Compares the formula with REFERENCE: Kaufman's table, in Ising units. */
static void check_formula(void)
{
    static const struct {
        uint32_t L;
        double energy, heat;
    } rows[] = {
        {4, -1.565623787638, 0.783266826},   {8, -1.49158910744, 1.14555924},
        {16, -1.453064852813, 1.49870496},   {32, -1.433658466146, 1.84676759},
        {64, -1.423938389833, 2.19221139},   {128, -1.419076272085, 2.53633134},
        {256, -1.416644954197, 2.87978626},  {512, -1.415429262905, 3.22290795},
        {1024, -1.414821413217, 3.56586287},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        clup_problem problem = {.size = {rows[k].L, rows[k].L},
                                .periodic = {1, 1},
                                .q = 2,
                                .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2)};
        double energy, heat;
        NEED(clup_exact_ising(&problem, &energy, &heat));
        ok(fabs(2 * energy + 2 - rows[k].energy) < 1e-10 && fabs(heat - rows[k].heat) < 1e-7,
           "exact energy and specific heat of L = %u", rows[k].L);
    }
}

/* Where the formula has enough digits, it agrees with both limits; elsewhere it is refused. */
static void check_range(void)
{
    static const double refused[] = {0, 1e-320, 1e-6, 25, 800, 1e300, INFINITY, NAN};
    double energy, heat;
    clup_problem problem = {.size = {16, 24}, .periodic = {1, 1}, .q = 2, .beta = 1e-3};
    NEED(clup_exact_ising(&problem, &energy, &heat));
    /* to the order of K = beta/2: e = -1 - tanh K, C = 2 K^2 */
    ok(fabs(energy + 1 + 5e-4) < 1e-6 && fabs(heat / 5e-7 - 1) < 1e-5,
       "exact values at high temperature: %.9f %.9g", energy, heat);
    problem.beta = 20;
    NEED(clup_exact_ising(&problem, &energy, &heat));
    ok(fabs(energy + 2) < 1e-12 && fabs(heat) < 1e-9, "and at low temperature: %.15f %.2g", energy,
       heat);
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        problem.beta = refused[k];
        ok(clup_exact_ising(&problem, &energy, &heat) == CLUP_ERROR_USAGE,
           "no exact values at beta = %g", refused[k]);
    }
}

typedef struct exact {
    double energy, abs_m, heat, m2_vector, m4, clusters, largest;
} exact;

/* Sums over all q^N states; bonds[b] are pairs of sites. */
static void enumerate_states(const clup_problem *problem, exact *result)
{
    lattice_args lattice = clup_lattice_args(problem);
    unsigned sites = (unsigned)clup_lattice_sites(&lattice), q = problem->q;
    double z = 0, e1 = 0, e2 = 0, m1 = 0, v2 = 0, m4 = 0;
    uint64_t states = 1;
    for (unsigned i = 0; i < sites; i++)
        states *= q;
    for (uint64_t state = 0; state < states; state++) {
        unsigned spins[16], counts[16] = {0}, equal = 0, most = 0;
        uint64_t rest = state, neighbour;
        for (unsigned i = 0; i < sites; i++, rest /= q)
            counts[spins[i] = rest % q]++;
        for (unsigned i = 0; i < sites; i++)
            for (unsigned d = 0; d < clup_lattice_of(&lattice)->directions; d++)
                if (clup_lattice_forward(&lattice, d, i % lattice.nx, i / lattice.nx, &neighbour))
                    equal += spins[i] == spins[neighbour];
        double squares = 0;
        for (unsigned s = 0; s < q; s++) {
            most = counts[s] > most ? counts[s] : most;
            squares += (double)counts[s] * counts[s];
        }
        double weight = exp(problem->beta * equal), e = -(double)equal / sites;
        z += weight;
        e1 += weight * e;
        e2 += weight * e * e;
        m1 += weight * ((double)q * most / sites - 1) / (q - 1);
        v2 += weight * (q * squares / sites / sites - 1) / (q - 1);
        m4 += weight * pow(((double)q * most / sites - 1) / (q - 1), 4);
    }
    result->energy = e1 / z;
    result->m2_vector = v2 / z;
    result->m4 = m4 / z;
    result->abs_m = m1 / z;
    result->heat = problem->beta * problem->beta * sites * (e2 / z - e1 / z * (e1 / z));
}

/* Sums over all bond configurations of the random-cluster model, the paper's Eq. (5). Returns false
 * when there are too many. */
static bool enumerate_bonds(const clup_problem *problem, exact *result)
{
    lattice_args lattice = clup_lattice_args(problem);
    unsigned sites = (unsigned)clup_lattice_sites(&lattice), places[48], count = 0;
    uint64_t neighbour;
    for (unsigned k = 0; k < clup_lattice_of(&lattice)->directions * sites; k++)
        if (clup_lattice_forward(&lattice, k / sites, k % sites % lattice.nx,
                                 k % sites / lattice.nx, &neighbour))
            places[count++] = k;
    if (count > 18)
        return false;
    double p = 1 - exp(-problem->beta), z = 0, n1 = 0, s1 = 0;
    for (uint32_t bits = 0; bits < 1u << count; bits++) {
        uint8_t bonds[48] = {0};
        uint32_t labels[16];
        unsigned active = 0, clusters = 0, largest = 0, sizes[16] = {0};
        for (unsigned b = 0; b < count; b++) {
            bonds[places[b]] = bits >> b & 1;
            active += bits >> b & 1;
        }
        clup_reference_labels(&lattice, bonds, labels);
        for (unsigned i = 0; i < sites; i++) {
            clusters += labels[i] == i;
            unsigned size = ++sizes[labels[i]];
            largest = size > largest ? size : largest;
        }
        double weight = pow(p, active) * pow(1 - p, count - active) * pow(problem->q, clusters);
        z += weight;
        n1 += weight * clusters / sites;
        s1 += weight * largest / sites;
    }
    result->clusters = n1 / z;
    result->largest = s1 / z;
    return true;
}

static void against_enumeration(clup_problem problem, const clup_method *method, uint64_t seed)
{
    clup_estimate estimates[CLUP_OBSERVABLES];
    exact exact;
    lattice_args lattice = clup_lattice_args(&problem);
    enumerate_states(&problem, &exact);
    /* sweeps in three dimensions take longer */
    simulate(&problem, method, lattice.nz > 1 ? 4000 : 10000, seed, estimates);
    printf("# %s, %s %u x %u x %u, periodic %d %d %d, q = %u, beta = %g\n",
           clup_algorithm_name(method->algorithm), clup_lattice_name(problem.lattice), lattice.nx,
           lattice.ny, lattice.nz, problem.periodic[0], problem.periodic[1], problem.periodic[2],
           problem.q, problem.beta);
    near(&estimates[CLUP_ENERGY], exact.energy, "energy");
    near(&estimates[CLUP_ABS_M], exact.abs_m, "|m|");
    near(&estimates[CLUP_SPECIFIC_HEAT], exact.heat, "specific heat");
    near(&estimates[CLUP_M2_VECTOR], exact.m2_vector, "m2 of vectors");
    near(&estimates[CLUP_M4], exact.m4, "m4");
    if (method->algorithm == CLUP_SWENDSEN_WANG) {
        near(&estimates[CLUP_M2_IMPROVED], exact.m2_vector, "the same by clusters");
        near(&estimates[CLUP_CHI_IMPROVED],
             problem.beta * (double)clup_lattice_sites(&lattice) * exact.m2_vector, "and chi");
    }
    if (method->algorithm == CLUP_SWENDSEN_WANG && problem.q == 2)
        near(&estimates[CLUP_M4_IMPROVED], exact.m4, "m4 by clusters");
    /* other algorithms do not find all clusters */
    if (clup_lattice_sites(&lattice) > 9 || method->algorithm != CLUP_SWENDSEN_WANG ||
        !enumerate_bonds(&problem, &exact))
        return;
    near(&estimates[CLUP_CLUSTERS], exact.clusters, "clusters");
    near(&estimates[CLUP_LARGEST_CLUSTER], exact.largest, "largest cluster");
}

static void small_tori(void)
{
    for (uint32_t nx = 1; nx <= 4; nx++)
        for (uint32_t ny = 1; ny <= 3; ny++) {
            clup_problem problem = {.size = {nx, ny}, .periodic = {1, 1}, .q = 2, .beta = 0.7};
            exact exact;
            double energy, heat;
            enumerate_states(&problem, &exact);
            NEED(clup_exact_ising(&problem, &energy, &heat));
            ok(fabs(energy - exact.energy) < 1e-12 && fabs(heat - exact.heat) < 1e-12,
               "formula and enumeration agree on the %u x %u torus", nx, ny);
        }
}

static void critical_torus(uint32_t nx, uint32_t ny, const clup_method *method, uint64_t sweeps)
{
    clup_problem problem = {.size = {nx, ny},
                            .periodic = {1, 1},
                            .q = 2,
                            .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2)};
    clup_estimate estimates[CLUP_OBSERVABLES];
    double energy, heat;
    NEED(clup_exact_ising(&problem, &energy, &heat));
    simulate(&problem, method, sweeps, 7, estimates);
    printf("# %s, %s, %u x %u torus at beta_c\n", clup_algorithm_name(method->algorithm),
           method->rng != NULL ? method->rng : "philox", nx, ny);
    near(&estimates[CLUP_ENERGY], energy, "energy");
    near(&estimates[CLUP_SPECIFIC_HEAT], heat, "specific heat");
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_formula();
    check_range();
    small_tori();
    critical_torus(8, 8, &sw, 10000);
    critical_torus(16, 16, &sw, 10000);
    critical_torus(32, 32, &sw, 10000);
    critical_torus(20, 33, &sw, 10000);
    critical_torus(16, 16, &wolff, 15000);
    critical_torus(16, 16, &few, 10000);
    for (size_t k = 1; clup_rng_name(k) != NULL; k++) {
        const clup_method method = {.rng = clup_rng_name(k)};
        critical_torus(16, 16, &method, 6000);
    }
    against_enumeration((clup_problem){.size = {3, 3}, .q = 2, .beta = 0.9}, &sw, 1);
    against_enumeration((clup_problem){.size = {4, 4}, .q = 2, .beta = 0.8}, &sw, 2);
    against_enumeration((clup_problem){.size = {3, 3}, .q = 3, .beta = 1.1}, &sw, 3);
    against_enumeration((clup_problem){.size = {3, 3}, .periodic = {1, 0}, .q = 4, .beta = 0.7},
                        &sw, 4);
    against_enumeration((clup_problem){.size = {2, 3}, .periodic = {1, 1}, .q = 5, .beta = 0.6},
                        &sw, 5);
    against_enumeration((clup_problem){.size = {3, 3}, .q = 2, .beta = 0}, &sw, 6);
    against_enumeration((clup_problem){.size = {3, 3}, .q = 3, .beta = 1.1}, &wolff, 7);
    against_enumeration((clup_problem){.size = {3, 3}, .q = 3, .beta = 1.1}, &few, 8);
    against_enumeration(
        (clup_problem){.lattice = CLUP_LATTICE_TRIANGULAR, .size = {3, 3}, .q = 2, .beta = 0.55},
        &sw, 9);
    against_enumeration((clup_problem){.lattice = CLUP_LATTICE_TRIANGULAR,
                                       .size = {3, 3},
                                       .periodic = {1, 1},
                                       .q = 3,
                                       .beta = 0.6},
                        &sw, 10);
    against_enumeration((clup_problem){.lattice = CLUP_LATTICE_TRIANGULAR,
                                       .size = {4, 3},
                                       .periodic = {1, 0},
                                       .q = 2,
                                       .beta = 0.5},
                        &wolff, 11);
    against_enumeration(
        (clup_problem){.lattice = CLUP_LATTICE_CUBIC, .size = {2, 2, 2}, .q = 2, .beta = 0.6}, &sw,
        12);
    against_enumeration((clup_problem){.lattice = CLUP_LATTICE_CUBIC,
                                       .size = {2, 2, 2},
                                       .periodic = {1, 1, 1},
                                       .q = 2,
                                       .beta = 0.3},
                        &sw, 13);
    against_enumeration((clup_problem){.lattice = CLUP_LATTICE_CUBIC,
                                       .size = {3, 2, 2},
                                       .periodic = {1, 0, 0},
                                       .q = 3,
                                       .beta = 0.6},
                        &sw, 14);
    clup_context_free(context);
    return done_testing();
}
