/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws samples of bond percolation on the square lattice at its critical point, and compares the
 * probabilities that a cluster wraps around the lattice with those of the infinite one (M. E. J.
 * Newman and R. M. Ziff, Phys. Rev. E 64, 016706 (2001)).
 *
 *     cc -o percolation percolation.c $(pkg-config --cflags --libs clup) && ./percolation
 *
 * The samples are the same on every device: those of "clup percolate --size 64".
 *  */
#include <clup.h>
#include <stdio.h>

#define SAMPLES 1000
#define FIRST 4

/* Each call is checked; the first that fails says why, and all that was made is released. */
#define TRY(CALL) \
    if ((CALL) != CLUP_OK) { \
        fprintf(stderr, "percolation: %s\n", clup_error_detail()); \
        goto end; \
    }

int main(void)
{
    static const struct {
        clup_percolation_observable observable;
        double infinite;
    } wrapping[] = {{CLUP_PERCOLATION_WRAP_X, 0.521058290},
                    {CLUP_PERCOLATION_WRAP_EITHER, 0.690473725},
                    {CLUP_PERCOLATION_WRAP_BOTH, 0.351642855}};
    clup_problem problem = {.lattice = CLUP_LATTICE_SQUARE,
                            .size = {64, 64, 1},
                            .periodic = {1, 1, 1},
                            .model = CLUP_BOND_PERCOLATION};
    const clup_plan_request request = {.strategy = CLUP_PLAN_TUNED}; /* leaves all to the planner */
    const double p = clup_problem_critical_p(&problem);
    clup_context *context = NULL;
    clup_percolation *percolation = NULL;
    clup_percolation_point point;
    double values[CLUP_PERCOLATION_OBSERVABLES * FIRST];
    clup_plan plan;
    int code = 1;

    /* the device of CLUP_DEVICE, or the first GPU, or the first CPU */
    TRY(clup_context_create(NULL, &context))
    problem.replicas = clup_percolation_batch(context, &problem, SAMPLES); /* samples in the same
                                                                              launches */
    TRY(clup_plan_choose(context, &problem, NULL, &request, &plan))
    TRY(clup_percolation_create(context, &problem, &plan, 1, &percolation))
    TRY(clup_percolation_run(percolation, p, SAMPLES, NULL, NULL, &point))

    printf("%.0f samples at p = %g\n", (double)point.samples, point.p);
    for (unsigned k = 0; k < sizeof wrapping / sizeof *wrapping; k++) {
        const clup_estimate *estimate = &point.estimates[wrapping[k].observable];
        printf("%-12s %.8f +- %.8f, infinite lattice %.6f\n",
               clup_percolation_observable_name(wrapping[k].observable), estimate->mean,
               estimate->error, wrapping[k].infinite);
    }
    /* what single samples have */
    TRY(clup_percolation_series(percolation, p, 0, FIRST, NULL, NULL, values))
    printf("largest clusters of the first %d samples:", FIRST);
    for (unsigned k = 0; k < FIRST; k++)
        printf(" %.6f", values[CLUP_PERCOLATION_LARGEST * FIRST + k]);
    printf("\n");
    code = 0;
end:
    clup_percolation_free(percolation);
    clup_context_free(context);
    return code;
}
