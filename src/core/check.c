/* SPDX-License-Identifier: BSD-3-Clause */
/* Validates problems. */
#include "core/couplings.h"
#include "core/bond_couplings.h"
#include "core/disorder.h"
#include "core/model.h"
#include "core/problem.h"

clup_status clup_problem_check(const clup_problem *problem)
{
    CLUP_NEED(problem);
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_RESERVED(problem, "clup_problem"));
    if ((unsigned)problem->model >= CLUP_MODELS)
        return clup_fail(CLUP_ERROR_USAGE, "model %d is not known", (int)problem->model);
    const clup_model_row *model = clup_model_of(problem->model);
    CLUP_TRY(model->check(problem));
    CLUP_TRY(clup_problem_check_fields(problem));
    if (model->algorithms) {
        CLUP_TRY(clup_couplings_check(problem));
        CLUP_TRY(clup_disorder_check(problem));
        CLUP_TRY(clup_bond_couplings_check(problem));
        CLUP_TRY(clup_energies_check(problem));
    }
done:
    return status;
}
