/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier sums of spins: the table of cosines and sines, and the serial definition. */
#include "estimate/modes.h"

#include <math.h>
#include <stdlib.h>

#include "core/disorder.h"
#include "core/matrix.h"
#include "core/modes.clh"
#include "core/vector.h"

#define STATES_MOST 256
#define TWO_PI 6.28318530717958647692

uint32_t clup_modes_length(const lattice_args *lattice, unsigned axis)
{
    const uint32_t length = axis < clup_lattice_of(lattice)->axes ? lattice_size(*lattice, axis)
                                                                  : 1;
    return (lattice->periodic >> axis & 1) && length > 1 ? length : 0;
}

static int32_t fixed(double x)
{
    return (int32_t)lround(ldexp(x, MODE_BITS));
}

int32_t *clup_modes_table(const lattice_args *lattice)
{
    int32_t *table = calloc(mode_places(*lattice), sizeof *table);
    for (unsigned axis = 0; axis < 3 && table != NULL; axis++) {
        const uint32_t length = clup_modes_length(lattice, axis);
        for (uint32_t at = 0; at < length; at++) {
            int32_t *entry = table + mode_place(*lattice, axis, at);
            entry[0] = fixed(cos(TWO_PI * at / length));
            entry[1] = fixed(sin(TWO_PI * at / length));
            table[2 * axis] += entry[0];
            table[2 * axis + 1] += entry[1];
        }
    }
    return table;
}

/* Sets the sums of components from those of states, which are angles. */
static void turn_to_components(const clup_matrix *matrix, int64_t (*states)[MODE_SUMS],
                               int64_t along[3][MODE_SUMS])
{
    for (unsigned s = 0; s < matrix->states; s++)
        for (unsigned k = 0; k < MODE_SUMS; k++) {
            const uint32_t *words = matrix->words + s;
            along[0][k] += mode_product(
                states[s][k], (int32_t)words[matrix_cosines(matrix->planes, matrix->classes)]);
            along[1][k] += mode_product(
                states[s][k], (int32_t)words[matrix_sines(matrix->planes, matrix->classes)]);
        }
}

void clup_modes_reference(const lattice_args *lattice, const clup_laws *laws, const int32_t *table,
                          const uint8_t *spins, sweep_record *record)
{
    int64_t sums[STATES_MOST][MODE_SUMS] = {{0}}, along[3][MODE_SUMS] = {{0}};
    uint64_t squares[MODE_SUMS / 2][2] = {{0}};
    const bool directed = laws->components > 0;
    for (uint64_t i = 0; i < clup_lattice_sites(lattice); i++) {
        const uint32_t row = (uint32_t)(i / lattice->nx);
        const uint32_t at[] = {(uint32_t)(i % lattice->nx), row % lattice->ny, row / lattice->ny};
        uint32_t spin[VECTOR_NUMBERS_MOST];
        if (clup_site_is_vacant(lattice, laws, i))
            continue;
        for (unsigned k = 0; k < MODE_SUMS && laws->numbers == 0; k++)
            sums[spins[i]][k] += table[mode_place(*lattice, k / 2, at[k / 2]) + k % 2];
        if (laws->numbers == 0)
            continue;
        clup_vector_of_site(spins, laws->numbers, i, spin);
        for (unsigned axis = 0; axis < (laws->numbers > 1 ? 3 : 2); axis++)
            mode_add(*lattice, table, at[0], at[1], at[2],
                     (int32_t)(vector_counted(laws->numbers, spin, axis) - VECTOR_RAISED),
                     along[axis]);
    }
    if (directed && laws->matrix != NULL)
        turn_to_components(laws->matrix, sums, along);
    for (unsigned s = 0; s < (directed ? 3 : STATES_MOST); s++)
        for (unsigned k = 0; k < MODE_SUMS; k++)
            add_square(squares[k / 2], directed ? along[s][k] : sums[s][k]);
    unsigned k = 0;
#define ROW(NAME) \
    record->NAME = squares[k / 2][k % 2]; \
    k++;
    MODE_NUMBERS(ROW)
#undef ROW
}
