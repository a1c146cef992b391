/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a model of one's own: the file that is named on the command line, or a spin 1 of states
 * +1, 0 and -1, H = -sum s s' + D sum s^2. Prints its states, the energy and the magnetisation.
 *
 *     cc -o model model.c $(pkg-config --cflags --libs clup) && ./model ashkin-teller.toml
 *  */
#include <clup.h>
#include <stdio.h>

/* Each call is checked; the first that fails says why, and all that was made is released. */
#define TRY(CALL) \
    if ((CALL) != CLUP_OK) { \
        fprintf(stderr, "model: %s\n", clup_error_detail()); \
        goto end; \
    }

static const char spin_one[] = "states = ['+1', '0', '-1']\n"
                               "bonds = [[-1, 0, 1], [0, 0, 0], [1, 0, -1]]\n"
                               "sites = [0.5, 0, 0.5]\n"
                               "involutions = [['-1', '0', '+1']]\n"
                               "order = [1, 0, -1]\n";

int main(int argc, char **argv)
{
    clup_problem problem = {
        .model = CLUP_TABLE, .size = {64, 64}, .periodic = {1, 1}, .beta = 0.55};
    /* clusters turn +1 to -1; the heat bath makes and fills vacancies */
    const clup_method method = {.heat_bath = 1};
    clup_context *context = NULL;
    clup_simulation *simulation = NULL;
    clup_estimate all[CLUP_OBSERVABLES];
    int code = 1;

    TRY(argc > 1 ? clup_table_read(argv[1], &problem.table)
                 : clup_table_parse(spin_one, &problem.table))
    problem.q = clup_table_states(problem.table);
    TRY(clup_context_create(NULL, &context))
    TRY(clup_simulation_create(context, &problem, &method, NULL, 1, CLUP_START_ORDERED,
                               &simulation))
    TRY(clup_simulation_run(simulation, 100, 0, NULL, NULL))
    TRY(clup_simulation_run(simulation, 1000, 1, NULL, NULL))
    TRY(clup_simulation_estimates(simulation, 0, 1, all))

    for (unsigned s = 0; s < problem.q; s++)
        printf("%s %s", s > 0 ? "," : "states", clup_table_state(problem.table, s));
    printf("\nenergy %.5f +- %.5f  abs_m %.5f +- %.5f\n", all[CLUP_ENERGY].mean,
           all[CLUP_ENERGY].error, all[CLUP_ABS_M].mean, all[CLUP_ABS_M].error);
    code = 0;
end:
    clup_simulation_free(simulation);
    clup_context_free(context);
    return code;
}
