/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of the heat bath. */
#include "core/heat.h"

#include <math.h>
#include <stdlib.h>

#include "core/couplings.h"
#include "core/disorder.h"
#include "core/energy.h"

heat_law clup_heat_law_of(const clup_problem *problem, double beta)
{
    const uint32_t ends = 2 * clup_problem_directions(problem), both[] = {0, 1};
    heat_law law = {.step = clup_energy_step(problem, beta)};
    const clup_bond_classes classes = clup_problem_classes(problem);
    /* energies of pairs, and bonds with a coupling each, have no law but the step */
    const bool one = classes.count == 1 && !clup_has_pair_energies(problem) &&
                     !clup_has_sizes(problem);
    law.alone = one && classes.field == 0;
    for (uint32_t n = 0; n <= ends && law.alone; n++)
        law.weight[n] = heat_weight(law.step, n);
    for (uint32_t v = 0; v <= 2 * ends && one; v++) {
        uint32_t satisfied[] = {v < ends ? (ends - v) * classes.weight[0] : 0,
                                v > ends ? (v - ends) * classes.weight[0] : 0};
        satisfied[classes.down] += classes.field;
        /* the numbers with which a site becomes 0 are those below a threshold */
        uint64_t low = 0, high = (uint64_t)1 << 32;
        while (low < high) {
            const uint64_t middle = (low + high) / 2;
            if (heat_choose(&law, 2, 2, both, satisfied, (uint32_t)middle) == 0)
                low = middle + 1;
            else
                high = middle;
        }
        law.below[v] = (uint32_t)low;
        law.always |= (uint64_t)(low >> 32) << v;
    }
    for (uint32_t n = 0; n < ends && ends <= HEAT_FEW_ENDS; n++)
        for (unsigned k = 0; k < 32; k++)
            law.turned[k][n] = (law.below[2 * n] ^ law.below[2 * ends]) >> (31 - k) & 1
                                   ? 0xFFFFFFFFu
                                   : 0;
    return law;
}

bool clup_is_checkered(const lattice_args *lattice)
{
    const clup_lattice *of = clup_lattice_of(lattice);
    bool checkered = clup_lattice_changes_parity(lattice->kind);
    for (unsigned axis = 0; axis < of->axes; axis++) {
        checkered = checkered && axis_colours(*lattice, axis) < 3;
        /* along an axis of one site, a step along several axes is one along the others alone */
        for (unsigned d = 0; d < of->directions && lattice_size(*lattice, axis) == 1; d++) {
            const lattice_offset offset = of->offsets[d];
            const bool several = abs(offset.x) + abs(offset.y) + abs(offset.z) > 1;
            checkered = checkered && !(several && step_along(offset, axis) != 0);
        }
    }
    return checkered;
}

bool clup_has_heat_bath(const clup_method *method)
{
    return method != NULL && (method->algorithm == CLUP_HEAT_BATH || method->heat_bath > 0);
}
