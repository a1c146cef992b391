/* SPDX-License-Identifier: BSD-3-Clause */
/* Validates problems. */
#include "core/couplings.h"
#include "core/bond_couplings.h"
#include "core/disorder.h"
#include "core/energy.h"
#include "core/graph.h"
#include "core/model.h"
#include "core/problem.h"

/* Validates that a problem has a graph where its lattice is one, and nothing that graphs have not.
 */
static clup_status check_graph(const clup_problem *problem)
{
    const clup_graph *graph = problem->graph;
    if ((problem->lattice == CLUP_LATTICE_GRAPH) != (graph != NULL))
        return clup_fail(CLUP_ERROR_USAGE, graph == NULL
                                               ? "the lattice is a graph, and there is none"
                                               : "there is a graph beside a lattice");
    if (graph == NULL)
        return CLUP_OK;
    if (clup_graph_edges(problem) > 0 &&
        (problem->size[0] != graph->vertices || problem->size[1] > 1 || problem->size[2] > 1))
        return clup_fail(CLUP_ERROR_USAGE,
                         "size %ux%u: the graph has %llu vertices, which are sites along x",
                         problem->size[0], problem->size[1], (unsigned long long)graph->vertices);
    if (problem->periodic[0] || problem->periodic[1] || problem->periodic[2])
        return clup_fail(CLUP_ERROR_USAGE, "a graph has no periodic axes: periodic is not 0,0,0");
    if (!((CLUP_ON_SPINS | CLUP_ON_PERCOLATION) >> problem->model & 1))
        return clup_fail(CLUP_ERROR_USAGE, "%s is not there for graphs",
                         clup_model_of(problem->model)->called);
    return problem->disorder[CLUP_VACANT] == 0
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "graphs have no vacant sites");
}

clup_status clup_problem_check(const clup_problem *problem)
{
    CLUP_NEED(problem);
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_RESERVED(problem, "clup_problem"));
    if ((unsigned)problem->model >= CLUP_MODELS)
        return clup_fail(CLUP_ERROR_USAGE, "model %d is not known", (int)problem->model);
    const clup_model_row *model = clup_model_of(problem->model);
    if (model->runner != CLUP_RUNNER_labelling)
        CLUP_TRY(check_graph(problem));
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
