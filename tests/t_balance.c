/* SPDX-License-Identifier: BSD-3-Clause */
/* Detailed balance and ergodicity: each algorithm visits the 512 states of the Ising model on the 3
 * x 3 torus as often as their Boltzmann weights say. Uses the serial reference, which the identity
 * test compares with the kernels. */
#include <math.h>
#include <string.h>

#include "core/lattice.h"
#include "tap.h"

enum { EDGE = 3, SITES = EDGE * EDGE, STATES = 1 << SITES, SAMPLES = 200000 };

static const clup_problem problem = {.size = {EDGE, EDGE}, .periodic = {1, 1}, .q = 2, .beta = 0.6};

static void weigh(double *probabilities)
{
    lattice_args lattice = clup_lattice_args(&problem);
    double sum = 0;
    for (unsigned state = 0; state < STATES; state++) {
        unsigned equal = 0;
        uint64_t neighbour;
        for (unsigned i = 0; i < SITES; i++)
            for (unsigned d = 0; d < 2; d++)
                if (clup_lattice_forward(&lattice, d, i % EDGE, i / EDGE, &neighbour))
                    equal += (state >> i & 1) == (state >> neighbour & 1);
        sum += probabilities[state] = exp(problem.beta * equal);
    }
    for (unsigned state = 0; state < STATES; state++)
        probabilities[state] /= sum;
}

/* Takes samples thin sweeps apart, which are nearly independent: chi-square is then 511 +- 32. */
static void check(clup_method method, unsigned thin, const double *probabilities)
{
    static unsigned counts[STATES];
    clup_simulation *simulation;
    double chi2 = 0, least = SAMPLES;
    memset(counts, 0, sizeof counts);
    NEED(clup_simulation_create(NULL, &problem, &method, NULL, 11, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
    for (unsigned n = 0; n < SAMPLES; n++) {
        uint8_t spins[SITES];
        unsigned state = 0;
        NEED(clup_simulation_run(simulation, thin, 0, NULL, NULL));
        NEED(clup_simulation_spins(simulation, spins));
        for (unsigned i = 0; i < SITES; i++)
            state |= (unsigned)spins[i] << i;
        counts[state]++;
    }
    clup_simulation_free(simulation);
    for (unsigned state = 0; state < STATES; state++) {
        double expected = SAMPLES * probabilities[state];
        least = expected < least ? expected : least;
        chi2 += (counts[state] - expected) * (counts[state] - expected) / expected;
    }
    ok(least > 5, "%s: every state is expected often enough (%.1f times)",
       clup_algorithm_name(method.algorithm), least);
    ok(fabs(chi2 - (STATES - 1)) < 4 * sqrt(2.0 * (STATES - 1)),
       "%s (S = %u): chi-square %.1f for %d degrees of freedom",
       clup_algorithm_name(method.algorithm), method.seeds_per_side, chi2, STATES - 1);
}

int main(void)
{
    double probabilities[STATES];
    weigh(probabilities);
    check((clup_method){.algorithm = CLUP_SWENDSEN_WANG}, 6, probabilities);
    check((clup_method){.algorithm = CLUP_WOLFF}, 12, probabilities);
    check((clup_method){.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 1, .p_flip = 0.9}, 12,
          probabilities);
    check((clup_method){.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 2, .p_flip = 0.7}, 8,
          probabilities);
    check((clup_method){.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 3, .p_flip = 0.5}, 6,
          probabilities);
    return done_testing();
}
