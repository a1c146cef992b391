/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates the Ising model (the Potts model with q = 2) at the critical point of the square
 * lattice, and compares its energy with the exact one of the same finite lattice.
 *
 *     cc -o simulation simulation.c $(pkg-config --cflags --libs clup) && ./simulation
 *
 * The last line is the same on every device: it is that of "clup simulate --size 64 --json".
 *  */
#include <clup.h>
#include <stdio.h>
#include <stdlib.h>

/* Each call is checked; the first that fails says why, and all that was made is released. */
#define TRY(CALL) \
    if ((CALL) != CLUP_OK) { \
        fprintf(stderr, "simulation: %s\n", clup_error_detail()); \
        goto end; \
    }

#define SWEEPS 1000

int main(void)
{
    clup_problem problem = {
        .lattice = CLUP_LATTICE_SQUARE, .size = {64, 64, 1}, .periodic = {1, 1, 1}, .q = 2};
    const clup_method method = {.algorithm = CLUP_SWENDSEN_WANG};
    const clup_plan_request request = {.strategy = CLUP_PLAN_TUNED}; /* leaves all to the planner */
    clup_context *context = NULL;
    clup_simulation *simulation = NULL;
    clup_plan plan;
    clup_estimate estimates[CLUP_OBSERVABLES];
    clup_analysis analysis;
    double energy, specific_heat, series[SWEEPS];
    unsigned ones = 0;
    uint8_t *spins = NULL;
    char hash[65];
    int code = 1;

    problem.beta = clup_critical_beta(problem.lattice, problem.q);
    TRY(clup_exact_ising(&problem, &energy, &specific_heat))
    spins = malloc((size_t)clup_problem_sites(&problem));
    if (spins == NULL) {
        fputs("simulation: out of memory for the spins\n", stderr);
        goto end;
    }

    /* the device of CLUP_DEVICE, or the first GPU, or the first CPU */
    TRY(clup_context_create(NULL, &context))
    TRY(clup_plan_choose(context, &problem, &method, &request, &plan))
    TRY(clup_simulation_create(context, &problem, &method, &plan, 1, CLUP_START_ORDERED,
                               &simulation))
    TRY(clup_simulation_run(simulation, 100, 0, NULL, NULL)) /* towards equilibrium, not measured */
    TRY(clup_simulation_run(simulation, SWEEPS, 1, NULL, NULL)) /* measured */
    TRY(clup_simulation_estimate(simulation, 0, estimates))
    /* a quantity of one's own: the energy's square, with the error that correlations leave it */
    TRY(clup_simulation_series(simulation, 0, CLUP_ENERGY, 0, SWEEPS, series))
    for (int k = 0; k < SWEEPS; k++)
        series[k] *= series[k];
    TRY(clup_analysis_of(series, SWEEPS, &analysis))
    /* some rows, where memory has no room for all */
    TRY(clup_simulation_spin_rows(simulation, 0, 1, spins))
    for (unsigned x = 0; x < problem.size[0]; x++)
        ones += spins[x];
    TRY(clup_simulation_spins(simulation, spins))
    clup_sha256(spins, (size_t)clup_problem_sites(&problem), hash);

    printf("energy         %.5f +- %.5f, exact %.5f\n", estimates[CLUP_ENERGY].mean,
           estimates[CLUP_ENERGY].error, energy);
    printf("specific heat  %.3f +- %.3f, exact %.3f\n", estimates[CLUP_SPECIFIC_HEAT].mean,
           estimates[CLUP_SPECIFIC_HEAT].error, specific_heat);
    printf("its square     %.5f +- %.5f\n", analysis.mean, analysis.error);
    printf("first row      %u of %u spins are 1\n", ones, (unsigned)problem.size[0]);
    printf("spins, sha256  %s\n", hash);
    code = 0;
end:
    clup_simulation_free(simulation);
    clup_context_free(context);
    free(spins);
    return code;
}
