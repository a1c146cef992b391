/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates the Ising model at several temperatures at once, and prints the energy and one more
 * observable at each: the one that is named on the command line, or Binder's cumulant.
 *
 *     cc -o temperatures temperatures.c $(pkg-config --cflags --libs clup) && ./temperatures chi
 *
 * The values are those of "clup simulate --size 64 --betas 0.84,0.88,0.92", on every device.
 *  */
#include <clup.h>
#include <stdio.h>

/* Each call is checked; the first that fails says why, and all that was made is released. */
#define TRY(CALL) \
    if ((CALL) != CLUP_OK) { \
        fprintf(stderr, "temperatures: %s\n", clup_error_detail()); \
        goto end; \
    }

#define SYSTEMS 3

int main(int argc, char **argv)
{
    static const double betas[SYSTEMS] = {0.84, 0.88, 0.92};
    static clup_estimate all[SYSTEMS][CLUP_OBSERVABLES], named[SYSTEMS];
    const clup_problem problem = {
        .size = {64, 64}, .periodic = {1, 1}, .q = 2, .replicas = SYSTEMS, .betas = betas};
    const char *name = argc > 1 ? argv[1] : "binder";
    clup_context *context = NULL;
    clup_simulation *simulation = NULL;
    clup_observable observable;
    int code = 1;

    /* by its name a program has any observable of the library, also one of a later version */
    TRY(clup_observable_named(name, &observable))
    /* the device of CLUP_DEVICE, or the first GPU, or the first CPU */
    TRY(clup_context_create(NULL, &context))
    TRY(clup_simulation_create(context, &problem, NULL, NULL, 1, CLUP_START_ORDERED, &simulation))
    TRY(clup_simulation_observe(simulation, &observable, 1, 1))
    TRY(clup_simulation_run(simulation, 100, 0, NULL, NULL))
    TRY(clup_simulation_run(simulation, 1000, 1, NULL, NULL))
    TRY(clup_simulation_estimates(simulation, 0, SYSTEMS, all[0]))
    TRY(clup_simulation_estimates_of(simulation, &observable, 1, 0, SYSTEMS, named))

    for (unsigned r = 0; r < SYSTEMS; r++)
        printf("beta %g  energy %.5f +- %.5f  %s %.5f +- %.5f\n", betas[r],
               all[r][CLUP_ENERGY].mean, all[r][CLUP_ENERGY].error, name, named[r].mean,
               named[r].error);
    code = 0;
end:
    clup_simulation_free(simulation);
    clup_context_free(context);
    return code;
}
