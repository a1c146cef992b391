/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of models. */
#include "core/model.h"

#include <math.h>

#include "core/image.h"
#include "program.h"

static clup_status check_potts(const clup_problem *problem)
{
    clup_status status = clup_lattice_check(problem, CLUP_SITES_WHOLE);
    const uint32_t betas = problem->betas != NULL ? clup_problem_replicas(problem) : 1;
    for (uint32_t r = 0; r < betas && status == CLUP_OK; r++) {
        char beta[32];
        if (!(clup_problem_beta(problem, r) >= 0))
            status = clup_fail(CLUP_ERROR_USAGE, "beta = %s is not a number >= 0",
                               clup_number_text(clup_problem_beta(problem, r), beta));
    }
    return status;
}

static clup_status check_ising(const clup_problem *problem)
{
    return problem->q == 2
               ? check_potts(problem)
               : clup_fail(CLUP_ERROR_USAGE, "the Ising model has q = 2, not %u", problem->q);
}

static clup_status check_vectors(const clup_problem *problem)
{
    return problem->q == 2
               ? check_potts(problem)
               : clup_fail(CLUP_ERROR_USAGE, "%s has no states to number: q is 2, not %u",
                           clup_model_of(problem->model)->called, problem->q);
}

static clup_status check_sampled(const clup_problem *problem)
{
    return clup_lattice_check(problem, CLUP_SITES_32);
}

static clup_status check_image(const clup_problem *problem)
{
    return clup_image_check(problem->image);
}

#define CLUP_HAS(STORE) (1u << CLUP_BUFFER_##STORE)
static const clup_model_row models[CLUP_MODELS] = {
#define MODEL(NAME, TEXT, CALLED, RUNNER, ...) \
    [CLUP_##NAME] = {.called = CALLED, .runner = CLUP_RUNNER_##RUNNER, __VA_ARGS__},
#include "core/model.def"
};

const clup_model_row *clup_model_of(clup_model model)
{
    return &models[model];
}

clup_status clup_problem_check_device(const clup_problem *problem)
{
    const bool wide = clup_lattice_axes(problem->lattice) == 2 && models[problem->model].wide;
    return clup_lattice_check_size(problem, wide ? CLUP_SITES_MAX : CLUP_SITES_32);
}

bool clup_problem_is_percolation(const clup_problem *problem)
{
    return models[problem->model].runner == CLUP_RUNNER_percolation;
}

clup_status clup_model_check_runner(const clup_problem *problem, clup_runner runner)
{
    static const char *const lacks[] = {"has no sweeps", "is no percolation", "has no pixels"};
    const clup_model_row *model = &models[problem->model];
    return model->runner == runner
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "%s %s", model->called, lacks[runner]);
}

unsigned clup_spin_numbers(const clup_problem *problem)
{
    return models[problem->model].numbers;
}

unsigned clup_problem_states(const clup_problem *problem)
{
    const unsigned states = models[problem->model].states;
    return states > 0 ? states : problem->q;
}

clup_problem clup_layout_problem(const clup_layout *layout, const clup_problem *problem)
{
    const clup_model_row *model = &models[problem->model];
    return model->sites != NULL ? model->sites(layout, problem) : *problem;
}
