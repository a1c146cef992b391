/* SPDX-License-Identifier: BSD-3-Clause */
/* Models whose spins are vectors. */
#include "core/vector.h"

#include <math.h>
#include <stdlib.h>

#include "core/disorder.h"
#include "core/energy.h"
#include "core/model.h"
#include "core/table.h"
#include "core/record.clh"

size_t clup_spin_bytes(const clup_problem *problem)
{
    return problem != NULL && (unsigned)problem->model < CLUP_MODELS &&
                   clup_spin_numbers(problem) > 0
               ? 4 * clup_spin_numbers(problem)
               : 1;
}

unsigned clup_problem_components(const clup_problem *problem)
{
    return problem->model == CLUP_CLOCK || problem->model == CLUP_XY ? 2
           : problem->model == CLUP_HEISENBERG                       ? 3
           : problem->model == CLUP_TABLE && problem->table->ordered ? 2
                                                                     : 0;
}

bool clup_has_rotations(const clup_problem *problem)
{
    return clup_problem_components(problem) > 0 && problem->model != CLUP_TABLE;
}

uint32_t clup_components_format(const clup_problem *problem)
{
    const unsigned components = clup_problem_components(problem);
    return (components > 0 ? RECORD_DIRECTED : 0) | (components > 2 ? RECORD_SPATIAL : 0);
}

unsigned clup_problem_planes(const clup_problem *problem)
{
    const unsigned numbers = clup_spin_numbers(problem);
    return numbers > 0 ? 32 * numbers : clup_spin_planes(clup_problem_states(problem));
}

bond_law clup_vector_law(double strength)
{
    /* the exponent in units of 2^-32 ln 2, for a product of 2^-30 */
    const double each = strength * 2 / M_LN2 * 4;
    int power;
    if (!(each > 0))
        return (bond_law){0};
    if (each >= 0x1p32)
        return (bond_law){.threshold = UINT32_MAX};
    const double mantissa = frexp(each, &power); /* 1/2 to 1 */
    return 32 - power > 63 ? (bond_law){0}
                           : (bond_law){.threshold = (uint32_t)(mantissa * 0x1p32),
                                        .always = (uint32_t)(32 - power)};
}

void clup_ordered_spins(unsigned numbers, uint64_t count, uint8_t *spins)
{
    const uint32_t up = VECTOR_ONE;
    memset(spins, 0, count * (numbers > 0 ? 4 * numbers : 1));
    for (uint64_t i = 0; i < count && numbers > 1; i++)
        memcpy(spins + 4 * (numbers * i + vector_along(numbers)), &up, 4);
}

bool clup_is_vector(unsigned numbers, const uint32_t *spin)
{
    int64_t square = 0;
    for (unsigned k = 0; k < numbers && numbers > 1; k++) {
        if ((int32_t)spin[k] > VECTOR_ONE || (int32_t)spin[k] < -VECTOR_ONE)
            return false;
        square += (int64_t)(int32_t)spin[k] * (int32_t)spin[k];
    }
    return numbers == 1 || llabs(square - ((int64_t)1 << 60)) <= (int64_t)1 << 40;
}

uint64_t clup_vectors_counted(const lattice_args *lattice, const clup_laws *laws,
                              const uint8_t *spins, int64_t sums[3])
{
    const clup_lattice *of = clup_lattice_of(lattice);
    const unsigned numbers = laws->numbers;
    const bond_law field = laws->of[laws->classes];
    uint64_t weights = 0;
    sums[0] = sums[1] = sums[2] = 0;
    for (uint64_t i = 0; i < clup_lattice_sites(lattice); i++) {
        uint32_t spin[VECTOR_NUMBERS_MOST], ahead[VECTOR_NUMBERS_MOST];
        uint64_t to;
        if (clup_site_is_vacant(lattice, laws, i))
            continue;
        clup_vector_of_site(spins, numbers, i, spin);
        for (unsigned axis = 0; axis < (numbers > 1 ? 3 : 2); axis++)
            sums[axis] += (int64_t)vector_counted(numbers, spin, axis) - VECTOR_RAISED;
        if (laws->field)
            weights += vector_weight(field.weight,
                                     vector_component(numbers, spin, vector_along(numbers)),
                                     field.unequal != 0);
        for (unsigned d = 0; d < of->directions; d++) {
            if (!clup_bond_exists(lattice, laws, d, i, &to))
                continue;
            clup_vector_of_site(spins, numbers, to, ahead);
            weights += vector_weight(clup_bond_weight(lattice, laws, d, i),
                                     vector_product(numbers, spin, ahead),
                                     clup_bond_is_unequal(lattice, laws, d, i));
        }
    }
    return weights;
}

void clup_vector_currents(const lattice_args *lattice, const clup_laws *laws, const uint8_t *spins,
                          unsigned d, uint64_t i, uint64_t neighbour, int64_t *along,
                          int64_t *across)
{
    uint32_t s[VECTOR_NUMBERS_MOST], t[VECTOR_NUMBERS_MOST];
    clup_vector_of_site(spins, laws->numbers, i, s);
    clup_vector_of_site(spins, laws->numbers, neighbour, t);
    vector_currents(laws->numbers, clup_bond_weight(lattice, laws, d, i),
                    clup_bond_is_unequal(lattice, laws, d, i), s, t, along, across);
}

/* Returns the projection of spin i on an axis. */
static int32_t projection(const clup_laws *laws, const uint32_t *axis, const uint8_t *spins,
                          uint64_t i)
{
    uint32_t spin[VECTOR_NUMBERS_MOST];
    clup_vector_of_site(spins, laws->numbers, i, spin);
    return vector_product(laws->numbers, spin, axis);
}

static bond_law law_of(uint32_t threshold)
{
    return (bond_law){.threshold = threshold, .always = threshold == UINT32_MAX};
}

bond_law clup_vector_bond_law(const lattice_args *lattice, const clup_laws *laws,
                              const uint32_t *axis, const uint8_t *spins, unsigned d, uint64_t i,
                              uint64_t neighbour)
{
    const bond_law of_class = laws->of[class_of(d, laws->classes)],
                   law = laws->sizes != NULL
                             ? vector_law_of(of_class, clup_bond_weight(lattice, laws, d, i))
                             : of_class;
    return law_of(vector_threshold(law, projection(laws, axis, spins, i),
                                   projection(laws, axis, spins, neighbour),
                                   clup_bond_is_unequal(lattice, laws, d, i)));
}

bond_law clup_vector_site_law(const clup_laws *laws, const uint32_t *axis, const uint8_t *spins,
                              uint64_t i)
{
    const bond_law field = laws->of[laws->classes];
    return law_of(vector_threshold(
        field, projection(laws, axis, spins, i),
        vector_component(laws->numbers, axis, vector_along(laws->numbers)), field.unequal != 0));
}
