/* SPDX-License-Identifier: BSD-3-Clause */
/* Sublattices, and the serial definition of what is measured of them. */
#include "estimate/sublattices.h"

#include "core/disorder.h"
#include "core/matrix.h"
#include "core/record.clh"
#include "core/vector.h"
#include "measure/sublattices.clh"
#include "program.h"

#define STATES_MOST 256

unsigned clup_problem_sublattices(const clup_problem *problem)
{
    const unsigned axes = problem != NULL ? clup_lattice_axes(problem->lattice) : 0,
                   sublattices = axes == 0                                       ? 0
                                 : problem->lattice == CLUP_LATTICE_TRIANGULAR   ? 3
                                 : clup_lattice_changes_parity(problem->lattice) ? 2
                                                                                 : 0;
    if (axes > 0 && problem->lattice == CLUP_LATTICE_GRAPH)
        return 0;
    for (unsigned axis = 0; axis < axes && sublattices > 0; axis++)
        if (problem->periodic[axis] && problem->size[axis] % sublattices != 0 &&
            clup_lattice_leads_along(problem->lattice, axis))
            return 0;
    return sublattices;
}

void clup_staggered_reference(const lattice_args *lattice, const clup_laws *laws,
                              const uint8_t *spins, uint32_t format, uint32_t *record)
{
    const unsigned sublattices = lattice->kind == CLUP_LATTICE_TRIANGULAR ? 3 : 2;
    int64_t differences[STATES_MOST][SUBLATTICE_SUMS] = {{0}}, along[3][SUBLATTICE_SUMS] = {{0}};
    uint64_t squares[2] = {0};
    const bool directed = laws->components > 0;
    uint32_t *to = record + record_place(format, RECORD_STAGGERED);
    for (uint64_t i = 0; i < clup_lattice_sites(lattice); i++) {
        uint32_t spin[VECTOR_NUMBERS_MOST];
        const uint32_t row = (uint32_t)(i / lattice->nx);
        const unsigned on = sublattice_of(sublattices, (uint32_t)(i % lattice->nx),
                                          row % lattice->ny, row / lattice->ny);
        const int a = on == 0   ? 1
                      : on == 1 ? -1
                                : 0,
                  b = sublattices < 3 ? 0
                      : on == 0       ? 1
                      : on == 2       ? -1
                                      : 0;
        if (clup_site_is_vacant(lattice, laws, i))
            continue;
        if (laws->numbers == 0) {
            differences[spins[i]][0] += a;
            differences[spins[i]][1] += b;
            continue;
        }
        clup_vector_of_site(spins, laws->numbers, i, spin);
        for (unsigned axis = 0; axis < (laws->numbers > 1 ? 3 : 2); axis++) {
            const int64_t component = (int64_t)vector_counted(laws->numbers, spin, axis) -
                                      VECTOR_RAISED;
            along[axis][0] += a * component;
            along[axis][1] += b * component;
        }
    }
    for (unsigned s = 0; s < STATES_MOST && laws->numbers == 0; s++) {
        const int64_t *own = differences[s];
        if (!directed) {
            add_staggered(squares, own[0], own[1]);
            continue;
        }
        if (s >= laws->matrix->states)
            break;
        const uint32_t *words = laws->matrix->words + s;
        const int32_t direction[] = {
            (int32_t)words[matrix_cosines(laws->matrix->planes, laws->classes)],
            (int32_t)words[matrix_sines(laws->matrix->planes, laws->classes)]};
        for (unsigned k = 0; k < 2 * SUBLATTICE_SUMS; k++)
            along[k / 2][k % 2] += own[k % 2] * direction[k / 2];
    }
    for (unsigned axis = 0; axis < 3 && directed; axis++)
        add_staggered(squares, along[axis][0], along[axis][1]);
    for (unsigned k = 0; k < 2; k++)
        to = number_put(to, true, squares[k]);
}
