/* SPDX-License-Identifier: BSD-3-Clause */
/* Improved estimators by sums of amplitudes over clusters: of spins of either sign, in a field, of
 * vectors. On the device as on the host; beside all states of small systems; and beside the plain
 * estimators. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/disorder.h"
#include "exact_means.h"
#include "last_sweep.h"
#include "tap.h"

#define TWO_PI 6.28318530717958647692

static clup_context *context;

enum { S0, SK_X, M4, VALUES };
static const char *const names[VALUES] = {"s0_improved", "sk_x_improved", "fk_m4"};
static clup_observable of[VALUES];

/* ---- the device as the host ------------------------------------------------------------------ */

static void check(const clup_problem *problem, const clup_method *method, const char *bonds)
{
    const uint64_t bytes = clup_problem_sites(problem) * clup_spin_bytes(problem);
    const uint32_t replicas = clup_problem_replicas(problem);
    const last_sweep run = {.method = method,
                            .request = {.bonds = bonds},
                            .start = CLUP_START_RANDOM,
                            .sweeps = 3,
                            .of = of,
                            .count = VALUES};
    uint8_t *spins = malloc(replicas * bytes);
    double device[3 * VALUES], host[3 * VALUES];
    simulate_last(context, problem, &run, spins, device);
    simulate_last(NULL, problem, &run, spins, host);
    ok(memcmp(device, host, replicas * VALUES * sizeof *host) == 0 && device[S0] > 0 &&
           device[M4] > 0,
       "%s, J = %g, h = %g, %u x %u x %u, %s: S(0) = %.6f, on the host %.6f; m4 %g and %g",
       clup_model_name(problem->model), problem->coupling[0], problem->field, problem->size[0],
       problem->size[1], problem->size[2], bonds != NULL ? bonds : "any layout", device[S0],
       host[S0], device[M4], host[M4]);
    free(spins);
}

static void check_all(void)
{
    const clup_method wolff = {.algorithm = CLUP_WOLFF}, heat_bath = {.algorithm = CLUP_HEAT_BATH};
    clup_problem problem = {.model = CLUP_ISING,
                            .size = {70, 34},
                            .periodic = {1, 0},
                            .q = 2,
                            .beta = 0.5,
                            .coupling = {1, -0.5},
                            .replicas = 2};
    check(&problem, NULL, "word");
    check(&problem, NULL, "border");
    problem.disorder[CLUP_SIGNS] = 0.5, problem.disorder[CLUP_VACANT] = 0.2;
    check(&problem, &heat_bath, NULL);
    problem.field = 0.05;
    check(&problem, NULL, "word");
    problem.replicas = 1, problem.field = -0.4;
    check(&problem, &wolff, "char");
    problem.disorder[CLUP_SIGNS] = 0, problem.disorder[CLUP_NORMAL] = 0.7;
    check(&problem, NULL, NULL);
    problem.model = CLUP_XY, problem.replicas = 3;
    check(&problem, NULL, NULL);
    problem.field = 0;
    check(&problem, NULL, NULL);
    problem = (clup_problem){.model = CLUP_HEISENBERG,
                             .lattice = CLUP_LATTICE_CUBIC,
                             .size = {37, 6, 5},
                             .periodic = {1, 1, 0},
                             .q = 2,
                             .beta = 0.7,
                             .field = 0.01};
    check(&problem, NULL, NULL);
    problem.field = 16, problem.beta = INFINITY;
    check(&problem, NULL, NULL);
}

/* ---- all states ------------------------------------------------------------------------------ */

/* Sets wanted to the means over all states of an Ising model. */
static void exact(const clup_problem *problem, double *wanted)
{
    const uint64_t sites = clup_problem_sites(problem);
    double z = 0;
    memset(wanted, 0, VALUES * sizeof *wanted);
    for (uint32_t state = 0; state < 1u << sites; state++) {
        double energy = 0, m = 0;
        double complex wave = 0;
        for (uint32_t i = 0; i < sites; i++) {
            const uint32_t x = i % problem->size[0], y = i / problem->size[0];
            const int spin = state >> i & 1 ? -1 : 1;
            for (unsigned d = 0; d < 2; d++) {
                const uint32_t at = d == 0 ? x : y;
                if (at + 1 == problem->size[d] && !problem->periodic[d])
                    continue;
                const uint32_t next = (at + 1) % problem->size[d],
                               to = d == 0 ? next + y * problem->size[0]
                                           : x + next * problem->size[0];
                energy -= problem->coupling[d] * spin * (state >> to & 1 ? -1 : 1);
            }
            energy -= problem->field * spin;
            m += spin;
            wave += spin * cexp(I * TWO_PI * x / problem->size[0]);
        }
        const double weight = exp(-problem->beta * energy), n = (double)sites;
        z += weight;
        wanted[S0] += weight * m * m / n;
        wanted[SK_X] += weight * cabs(wave) * cabs(wave) / n;
        wanted[M4] += weight * pow(m / n, 4);
    }
    for (unsigned k = 0; k < VALUES; k++)
        wanted[k] /= z;
}

static void check_states(void)
{
    const clup_method clusters = {0}, beside = {.heat_bath = 1};
    const clup_problem problems[] = {
        {.size = {4, 3}, .periodic = {1, 1}, .beta = 0.4, .coupling = {1, -0.5}},
        {.size = {4, 3}, .periodic = {1, 0}, .beta = 0.3, .coupling = {-1, 1}, .field = 0.5},
        {.size = {3, 3}, .periodic = {1, 1}, .beta = 0.3, .coupling = {1, 1}, .field = -0.2},
    };
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        clup_problem problem = problems[p];
        double wanted[VALUES];
        unsigned worst_of;
        problem.q = 2, problem.model = CLUP_ISING;
        exact(&problem, wanted);
        const double worst = worst_sigma(context, &problem, p == 1 ? &beside : &clusters, 64, 300,
                                         of, wanted, VALUES, &worst_of);
        ok(worst < 4.5, "%u x %u, J = %g, %g, h = %g: S(0) = %.5f, %.1f sigma (worst: %s)",
           problem.size[0], problem.size[1], problem.coupling[0], problem.coupling[1],
           problem.field, wanted[S0], worst, names[worst_of]);
    }
}

/* ---- beside plain estimators ----------------------------------------------------------------- */

static void check_vectors(clup_model model, double beta, double field)
{
    const clup_problem problem = {.model = model,
                                  .size = {8, 8},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = beta,
                                  .field = field,
                                  .coupling = {1, 1},
                                  .disorder = {[CLUP_SIGNS] = 0.1},
                                  .disorder_samples = 1};
    static const char *const plain[VALUES] = {"m2", "sk_x", "m4"};
    clup_observable both[2 * VALUES];
    clup_estimate found[2 * VALUES];
    clup_simulation *simulation;
    for (unsigned k = 0; k < VALUES; k++) {
        both[k] = of[k];
        NEED(clup_observable_named(plain[k], &both[VALUES + k]));
    }
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 7, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, both, 2 * VALUES, 1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 6000, 1, NULL, NULL));
    NEED(clup_simulation_estimates_of(simulation, both, 2 * VALUES, 0, 1, found));
    clup_simulation_free(simulation);
    for (unsigned k = 0; k < VALUES; k++) {
        const double unit = k == S0 ? (double)clup_problem_sites(&problem) : 1,
                     mean = unit * found[VALUES + k].mean, error = unit * found[VALUES + k].error;
        ok(fabs(found[k].mean - mean) < 4.5 * hypot(found[k].error, error),
           "%s, h = %g: %s %g +- %g, by spins %g +- %g", clup_model_name(model), field, names[k],
           found[k].mean, found[k].error, mean, error);
    }
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    for (unsigned k = 0; k < VALUES; k++)
        NEED(clup_observable_named(names[k], &of[k]));
    check_all();
    check_states();
    check_vectors(CLUP_XY, 0.9, 0);
    check_vectors(CLUP_XY, 0.9, 0.1);
    check_vectors(CLUP_HEISENBERG, 1.2, 0);
    check_vectors(CLUP_HEISENBERG, 1.2, -0.1);
    clup_context_free(context);
    return done_testing();
}
