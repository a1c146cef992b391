/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods: which Markov chain a simulation runs. */
#include "core/method.h"

#include <math.h>

#include "core/couplings.h"
#include "core/generator.h"
#include "core/heat.h"
#include "core/matrix.h"
#include "core/model.h"
#include "core/table.h"
#include "core/vector.h"
#include "program.h"

/* The most of Houdayer's moves, and sweeps of overrelaxation, before a sweep. */
#define MOVES_MOST 32u

const char *clup_algorithm_name(clup_algorithm algorithm)
{
    static const char *const names[CLUP_ALGORITHMS] = {
        [CLUP_SWENDSEN_WANG] = "sw",
        [CLUP_WOLFF] = "wolff",
        [CLUP_FEW_CLUSTER] = "few-cluster",
        [CLUP_HEAT_BATH] = "heat-bath",
    };
    return (unsigned)algorithm < CLUP_ALGORITHMS ? names[algorithm] : NULL;
}

const char *clup_before_sweep(const clup_method *method)
{
    return method == NULL               ? NULL
           : method->heat_bath > 0      ? "sweeps of the heat bath"
           : method->houdayer > 0       ? "Houdayer's moves"
           : method->overrelaxation > 0 ? "sweeps of overrelaxation"
                                        : NULL;
}

/* Validates that a problem has what Houdayer's moves need, but for pairs of systems. */
static clup_status check_houdayer(const clup_problem *problem, const clup_method *method,
                                  const clup_generator *rng)
{
    if (method->houdayer == 0)
        return CLUP_OK;
    if (method->houdayer > MOVES_MOST)
        return clup_fail(CLUP_ERROR_USAGE, "%llu of Houdayer's moves: at most %u before a sweep",
                         (unsigned long long)method->houdayer, MOVES_MOST);
    if (problem->model != CLUP_POTTS && problem->model != CLUP_ISING)
        return clup_fail(CLUP_ERROR_USAGE,
                         "Houdayer's moves are for the Potts and the Ising model, not for %s",
                         clup_model_of(problem->model)->called);
    if (method->algorithm == CLUP_WOLFF || method->algorithm == CLUP_FEW_CLUSTER)
        return clup_fail(CLUP_ERROR_USAGE, "Houdayer's moves go with sw and heat-bath, not with %s",
                         clup_algorithm_name(method->algorithm));
    return rng->words == 0
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "Houdayer's moves draw with philox alone, not %s",
                           rng->name);
}

/* Validates that a problem has vectors, where they are overrelaxed. */
static clup_status check_overrelaxation(const clup_problem *problem, const clup_method *method)
{
    if (method->overrelaxation > MOVES_MOST)
        return clup_fail(CLUP_ERROR_USAGE, "%llu sweeps of overrelaxation: at most %u in a sweep",
                         (unsigned long long)method->overrelaxation, MOVES_MOST);
    return method->overrelaxation == 0 || clup_spin_numbers(problem) > 0
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "overrelaxation is for the XY and the Heisenberg model, not for %s",
                           clup_model_of(problem->model)->called);
}

/* Refuses what needs neighbours in rows, where there is a graph. */
static clup_status check_graph(const clup_problem *problem, const clup_method *method)
{
    return problem->graph == NULL || (!clup_has_heat_bath(method) && method->houdayer == 0)
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "graphs have sw and wolff: there is no heat bath, and "
                                             "there are no moves of Houdayer");
}

/* Validates that the method reaches all states of a table. */
static clup_status check_states(const clup_problem *problem, const clup_method *method)
{
    unsigned one, other;
    if (problem->model != CLUP_TABLE || clup_has_heat_bath(method) ||
        !clup_table_apart(problem->table, &one, &other))
        return CLUP_OK;
    return clup_fail(CLUP_ERROR_USAGE,
                     "no involutions of the model's table lead from state '%s' to '%s', so that "
                     "clusters alone do not reach all states%s",
                     clup_table_state(problem->table, one), clup_table_state(problem->table, other),
                     problem->graph != NULL ? "" : ": add sweeps of the heat bath");
}

clup_status clup_method_check(const clup_problem *problem, const clup_method *method)
{
    static const clup_method usual = {0};
    const clup_generator *rng;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_problem_check(problem));
    if (method == NULL)
        method = &usual;
    CLUP_TRY(CLUP_RESERVED(method, "clup_method"));
    if ((unsigned)method->algorithm >= CLUP_ALGORITHMS)
        return clup_fail(CLUP_ERROR_USAGE, "algorithm %d is not known", (int)method->algorithm);
    if ((method->algorithm == CLUP_WOLFF || method->algorithm == CLUP_FEW_CLUSTER) &&
        problem->replicas > 1)
        return clup_fail(CLUP_ERROR_USAGE, "%s works on one system at a time, not on %u replicas",
                         clup_algorithm_name(method->algorithm), problem->replicas);
    if (method->algorithm == CLUP_FEW_CLUSTER && clup_has_field(problem))
        return clup_fail(CLUP_ERROR_USAGE, "few-cluster works without a field alone");
    if (method->algorithm == CLUP_FEW_CLUSTER && clup_has_pair_energies(problem))
        return clup_fail(CLUP_ERROR_USAGE, "%s is updated by %s, not by few-cluster",
                         clup_matrix_called(problem->model), "sw, wolff and heat-bath");
    const uint32_t shorter = problem->size[0] < problem->size[1] ? problem->size[0]
                                                                 : problem->size[1];
    CLUP_TRY(clup_generator_named(method->rng, &rng));
    if (method->heat_bath > HEAT_ROUNDS)
        return clup_fail(CLUP_ERROR_USAGE, "%u sweeps of the heat bath: at most %u in a sweep",
                         method->heat_bath, HEAT_ROUNDS);
    if (method->heat_bath > 0 && method->algorithm == CLUP_HEAT_BATH)
        return clup_fail(CLUP_ERROR_USAGE, "a number of sweeps of the heat bath goes with an "
                                           "algorithm that updates clusters");
    if (clup_has_heat_bath(method) && rng->words > 0)
        return clup_fail(CLUP_ERROR_USAGE, "the heat bath draws with philox alone, not %s",
                         rng->name);
    if (clup_has_heat_bath(method) &&
        clup_model_of(problem->model)->runner != CLUP_RUNNER_simulation)
        return clup_fail(CLUP_ERROR_USAGE, "%s has no heat bath",
                         clup_model_of(problem->model)->called);
    CLUP_TRY(check_houdayer(problem, method, rng));
    CLUP_TRY(check_overrelaxation(problem, method));
    CLUP_TRY(check_graph(problem, method));
    CLUP_TRY(check_states(problem, method));
    if (method->algorithm != CLUP_FEW_CLUSTER)
        return CLUP_OK;
    if (problem->lattice != CLUP_LATTICE_SQUARE)
        return clup_fail(CLUP_ERROR_USAGE, "few-cluster works on the square lattice alone");
    if (clup_bonds_differ(problem))
        return clup_fail(CLUP_ERROR_USAGE,
                         "few-cluster works with couplings of 1 and without disorder alone");
    if (rng->words > 0)
        return clup_fail(
            CLUP_ERROR_USAGE,
            "few-cluster draws with philox alone: which work-item meets a bond is left to chance");
    if (method->seeds_per_side < 1 || method->seeds_per_side > shorter)
        return clup_fail(
            CLUP_ERROR_USAGE,
            "seeds per side %u: few-cluster needs at least 1, and at most one a site, %u",
            method->seeds_per_side, shorter);
    char p_flip[32];
    if (!(method->p_flip > 0) || method->p_flip > 1)
        return clup_fail(CLUP_ERROR_USAGE, "p_flip %s is not between 0 and 1, both excluded",
                         clup_number_text(method->p_flip, p_flip));
    if (method->p_flip == 1)
        return clup_fail(CLUP_ERROR_USAGE, "p_flip must be less than 1: if every grown cluster is "
                                           "flipped, some states are never reached (no single "
                                           "spin can be flipped alone), and the chain is not "
                                           "ergodic; for one cluster a sweep take wolff");
done:
    return status;
}

clup_wolff_choice clup_wolff_choose(const lattice_args *lattice, random_key key, unsigned q)
{
    philox_block seed = random_seed(key, 0);
    return (clup_wolff_choice){seed_site(seed, (uint32_t)clup_lattice_sites(lattice)),
                               seed_shift(seed, q)};
}

uint32_t clup_flip_below(double p_flip)
{
    double scaled = round(p_flip * 4294967296.0);
    return scaled < 1 ? 1 : scaled > 4294967295.0 ? 0xFFFFFFFFu : (uint32_t)scaled;
}
