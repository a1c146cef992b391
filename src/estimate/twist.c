/* SPDX-License-Identifier: BSD-3-Clause */
/* The serial definition of what the helicity modulus is made of. */
#include "estimate/twist.h"

#include "core/disorder.h"
#include "core/matrix.h"
#include "core/record.clh"
#include "core/source.h"
#include "core/vector.h"
#include "measure/twist.clh"

void clup_twist_reference(const lattice_args *lattice, const clup_laws *laws, const uint8_t *spins,
                          uint32_t format, uint32_t *record)
{
    const clup_lattice *of = clup_lattice_of(lattice);
    int64_t sums[TWIST_SUMS] = {0};
    for (uint64_t i = 0; i < clup_lattice_sites(lattice); i++)
        for (unsigned d = 0; d < of->directions; d++) {
            int64_t along, across;
            uint64_t to;
            if (!clup_bond_exists(lattice, laws, d, i, &to))
                continue;
            if (laws->numbers > 0)
                clup_vector_currents(lattice, laws, spins, d, i, to, &along, &across);
            else
                clup_matrix_turn(lattice, laws, d, i, spins[i], spins[to], &along, &across);
            for (unsigned axis = 0; axis < of->axes; axis++) {
                const int step = step_along(of->offsets[d], axis);
                sums[2 * axis] += step * step * along;
                sums[2 * axis + 1] += step * across;
            }
        }
    uint32_t *to = record + record_place(format, RECORD_TWIST);
    for (unsigned axis = 0; axis < 3; axis++)
        to = twist_put(to, sums[2 * axis], sums[2 * axis + 1]);
}
