/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier sums of spins: the table of cosines and sines, and the serial definition. */
#include "estimate/modes.h"

#include <math.h>
#include <stdlib.h>

#include "core/modes.clh"

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

void clup_modes_reference(const lattice_args *lattice, const int32_t *table, const uint8_t *spins,
                          sweep_record *record)
{
    int64_t sums[STATES_MOST][MODE_SUMS] = {{0}};
    uint64_t squares[MODE_SUMS / 2][2] = {{0}};
    for (uint64_t i = 0; i < clup_lattice_sites(lattice); i++) {
        const uint32_t row = (uint32_t)(i / lattice->nx);
        const uint32_t at[] = {(uint32_t)(i % lattice->nx), row % lattice->ny, row / lattice->ny};
        for (unsigned k = 0; k < MODE_SUMS; k++)
            sums[spins[i]][k] += table[mode_place(*lattice, k / 2, at[k / 2]) + k % 2];
    }
    for (unsigned s = 0; s < STATES_MOST; s++)
        for (unsigned k = 0; k < MODE_SUMS; k++)
            add_square(squares[k / 2], sums[s][k]);
    unsigned k = 0;
#define ROW(NAME) \
    record->NAME = squares[k / 2][k % 2]; \
    k++;
    MODE_NUMBERS(ROW)
#undef ROW
}
