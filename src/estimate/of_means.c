/* SPDX-License-Identifier: BSD-3-Clause */
/* Observables by the means of others. */
#include <math.h>

#include "core/lattice.h"
#include "estimate/means.h"
#include "estimate/modes.h"
#include "program.h"

double clup_observable_of_means(const clup_problem *problem, double beta,
                                clup_observable observable, const double *values)
{
    const lattice_args lattice = clup_lattice_args(problem);
    clup_observable mean;
    clup_means means = {.beta = beta, .sites = (double)clup_problem_real_sites(problem)};
    for (unsigned axis = 0; axis < 3; axis++)
        means.length = fmax(means.length, clup_modes_length(&lattice, axis));
    if (!(means.length > 0))
        means.length = NAN;
    if (clup_observable_is_variance(observable, &mean))
        return values[observable];
    for (unsigned m = 0; m < CLUP_MEANS; m++)
        means.of[m] = NAN;
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    means.of[CLUP_MEAN_##NAME] = values[OBSERVED_##NAME];
#include "estimate/observables.def"
    return clup_means_value(&means, observable);
}
