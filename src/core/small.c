/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes small problems for known-answer tests. */
#include "core/small.h"

#include <string.h>

#include "core/bond_couplings.h"
#include "core/cell.h"

/* Returns the sites of a system with each row filled up to whole words, as kernels are launched for
 * them. */
static uint64_t padded_sites(const clup_problem *problem)
{
    const lattice_args lattice = clup_lattice_args(problem);
    return 32 * clup_lattice_words(&lattice);
}

/* Returns the problem on a small graph, with as many vertices as the larger of few and wanted, but
 * no more than the problem's graph has: a lattice of the same cell, or a random graph of three
 * edges for each vertex, see clup_graph_sample, also where couplings belong to edges. */
static clup_problem small_graph(const clup_problem *problem, uint64_t few, uint64_t wanted)
{
    clup_problem small = *problem;
    const clup_graph *graph;
    const uint64_t most = wanted > few ? wanted : few, edges = clup_graph_edges(problem),
                   vertices = problem->size[0] < most ? problem->size[0] : most;
    if (problem->graph->extras.cell != NULL && problem->bond_couplings == NULL) {
        if (clup_graph_smaller(problem->graph, most, &graph) == CLUP_OK) {
            small.graph = graph;
            small.size[0] = (uint32_t)graph->vertices;
        }
        return small;
    }
    if (clup_graph_sample(vertices, edges < 3 * vertices ? edges : 3 * vertices, &graph) != CLUP_OK)
        return small;
    small.graph = graph;
    small.size[0] = (uint32_t)vertices;
    if (problem->bond_couplings != NULL)
        small.bond_couplings = problem->bond_couplings->fold;
    return small;
}

clup_problem clup_problem_small(const clup_problem *problem, const uint32_t few[3],
                                uint32_t few_items, unsigned each)
{
    static const unsigned order[] = {1, 2, 0};
    clup_problem small = *problem;
    const uint64_t sites = padded_sites(problem), most = (uint64_t)few_items * each + 1;
    const uint64_t wanted = few_items == 0 || sites <= few_items ? 0 : sites < most ? sites : most;
    if (problem->graph != NULL)
        return small_graph(problem, few[0] * few[1], wanted);
    memcpy(small.size, few, sizeof small.size);
    if (problem->bond_couplings != NULL)
        small.bond_couplings = problem->bond_couplings->fold;
    for (unsigned k = 0; k < 3; k++) {
        uint32_t *length = &small.size[order[k]];
        const uint64_t longest = problem->size[order[k]], have = padded_sites(&small),
                       padded = order[k] == 0 ? (*length + 31) / 32 * 32 : *length;
        const uint64_t enough = wanted > have ? (padded * wanted - 1) / have + 1 : 0,
                       longer = enough < longest ? enough : longest;
        *length = *length > longer ? *length : (uint32_t)longer;
    }
    clup_lattice_fit(problem->lattice, small.size);
    return small;
}
