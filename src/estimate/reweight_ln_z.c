/* SPDX-License-Identifier: BSD-3-Clause */
/* Free energies: differences of ln Z between temperatures, and ln Z itself. */
#include <math.h>

#include "core/disorder.h"
#include "core/model.h"
#include "estimate/reweight.h"

clup_status clup_reweighting_ln_z(const clup_reweighting *reweighting, double from, double to,
                                  double *difference, double *error)
{
    const double betas[] = {from, to};
    double without[CLUP_BLOCKS_MOST];
    CLUP_NEED(reweighting);
    for (unsigned k = 0; k < 2; k++)
        if (!(betas[k] >= 0) || !isfinite(betas[k]))
            return clup_fail(CLUP_ERROR_USAGE, "beta %g is not a number from 0 up", betas[k]);
    if (difference != NULL)
        *difference = clup_reweight_ln_z(reweighting, to, -1) -
                      clup_reweight_ln_z(reweighting, from, -1);
    for (unsigned b = 0; b < reweighting->blocks && error != NULL; b++)
        without[b] = clup_reweight_ln_z(reweighting, to, (int)b) -
                     clup_reweight_ln_z(reweighting, from, (int)b);
    if (error != NULL)
        *error = clup_jackknife_error(without, reweighting->blocks);
    return CLUP_OK;
}

clup_status clup_reweighting_ln_z_hot(const clup_reweighting *reweighting, double *ln_z)
{
    CLUP_NEED(reweighting);
    CLUP_NEED(ln_z);
    const clup_problem *problem = &reweighting->problem;
    const unsigned states = clup_model_of(problem->model)->states;
    if (reweighting->group[0].beta != 0)
        return clup_fail(CLUP_ERROR_USAGE, "ln Z is known at beta 0 alone, and no series is of it");
    if (clup_spin_numbers(problem) > 0)
        return clup_fail(CLUP_ERROR_USAGE, "spins that are vectors have no number of states");
    if (clup_has_drawn_vacancies(problem))
        return clup_fail(CLUP_ERROR_USAGE, "with vacant sites ln Z at beta 0 is not known");
    *ln_z = reweighting->sites * log(states > 0 ? states : problem->q);
    return CLUP_OK;
}
