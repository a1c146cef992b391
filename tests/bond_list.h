/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by tests that count energies anew: the bonds of a system, one by one. */
#ifndef CLUP_TESTS_BOND_LIST_H
#define CLUP_TESTS_BOND_LIST_H
#include <math.h>
#include <stdlib.h>

#include "core/disorder.h"
#include "core/lattice.h"
#include "tap.h"

/* The bonds of a system, those that are absent left out: from[] and to[] are their ends, along[]
 * their directions, coupling[] their J. */
typedef struct bond_list {
    size_t count;
    uint32_t *from, *to;
    uint8_t *along;
    double *coupling;
} bond_list;

static inline bond_list bonds_of(const clup_problem *problem, uint32_t replica)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const size_t most = clup_problem_sites(problem) * clup_problem_directions(problem);
    uint32_t *disorder = malloc((clup_disorder_words(problem, &lattice) + 1) * sizeof *disorder);
    clup_laws laws = {0};
    bond_list bonds = {0, malloc(most * sizeof *bonds.from), malloc(most * sizeof *bonds.to),
                       malloc(most), malloc(most * sizeof *bonds.coupling)};
    NEED(clup_disorder_fill(problem, &lattice, replica, disorder));
    clup_disorder_in(problem, &lattice, disorder, &laws);
    for (uint32_t i = 0; i < clup_problem_sites(problem); i++)
        for (unsigned d = 0; d < clup_problem_directions(problem); d++) {
            uint64_t to;
            if (!clup_lattice_forward(&lattice, d, i % lattice.nx, i / lattice.nx, &to) ||
                (laws.absent != NULL && clup_bit_of_bond(&lattice, laws.absent, d, i)))
                continue;
            const bool turned = laws.signs != NULL && clup_bit_of_bond(&lattice, laws.signs, d, i);
            bonds.from[bonds.count] = i, bonds.to[bonds.count] = (uint32_t)to;
            const double of_class = problem->coupling[0] == 0 ? 1 : problem->coupling[d],
                         size = laws.sizes == NULL
                                    ? fabs(of_class)
                                    : clup_bond_weight(&lattice, &laws, d, i) * 0x1p-20;
            bonds.coupling[bonds.count] = (of_class < 0) != turned ? -size : size;
            bonds.along[bonds.count++] = (uint8_t)d;
        }
    free(disorder);
    return bonds;
}

static inline void bonds_free(bond_list *bonds)
{
    free(bonds->from), free(bonds->to), free(bonds->along), free(bonds->coupling);
}

#endif
