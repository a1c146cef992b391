/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of the sources that draw with Philox: puts each random number together bit by bit, and
 * compares it as a number. */
#include <string.h>

#include "base/watch.h"
#include "core/disorder.h"
#include "core/graph.h"
#include "core/matrix.h"
#include "core/source.h"
#include "core/vector.h"
#include "core/weight.clh"

bool clup_bond_is_satisfied(const lattice_args *lattice, const clup_laws *laws,
                            const uint8_t *spins, unsigned d, uint64_t i)
{
    uint64_t neighbour;
    return clup_bond_exists(lattice, laws, d, i, &neighbour) &&
           (spins[clup_bond_start(laws, i)] == spins[neighbour]) !=
               clup_bond_is_unequal(lattice, laws, d, i);
}

static uint8_t draw(random_key key, unsigned purpose, uint64_t word, unsigned j, bond_law law,
                    uint32_t stream[32], unsigned *drawn)
{
    if (law.always)
        return 1;
    /* bits of the number are drawn until one differs from the threshold's bit */
    for (unsigned k = 0; k < 32; k++) {
        if (k == *drawn) {
            philox_block block = random_block(key, purpose, word, k / 4);
            for (unsigned n = 0; n < 4; n++)
                stream[(*drawn)++] = block.v[n];
        }
        unsigned bit = stream[k] >> j & 1, limit = law.threshold >> (31 - k) & 1;
        if (bit != limit)
            return bit < limit;
    }
    return 0;
}

/* Returns the law of a bond whose coupling has a size, by the step that stands in laws. */
static bond_law law_of_size(const clup_laws *laws, uint32_t size)
{
    const uint64_t step = (uint64_t)laws->of[0].always << 32 | laws->of[0].threshold;
    const uint32_t threshold = gap_threshold(step, size);
    return (bond_law){.threshold = threshold, .always = threshold == UINT32_MAX};
}

/* Returns the law of the bond along d of site i in a sweep, of vectors with this axis: threshold 0
 * where it cannot be active. */
static bond_law law_of_bond(const lattice_args *lattice, random_key key, const clup_laws *laws,
                            const uint32_t *axis, const uint8_t *spins, unsigned d, uint64_t i)
{
    uint64_t neighbour;
    const unsigned k = class_of(d, laws->classes);
    if (laws->numbers > 0)
        return clup_bond_exists(lattice, laws, d, i, &neighbour)
                   ? clup_vector_bond_law(lattice, laws, axis, spins, d, i, neighbour)
                   : (bond_law){0};
    if (laws->sizes != NULL && laws->matrix == NULL)
        return clup_bond_is_satisfied(lattice, laws, spins, d, i)
                   ? law_of_size(laws, clup_bond_weight(lattice, laws, d, i))
                   : (bond_law){0};
    if (laws->matrix == NULL)
        return clup_bond_is_satisfied(lattice, laws, spins, d, i) ? laws->of[k] : (bond_law){0};
    return clup_bond_exists(lattice, laws, d, i, &neighbour)
               ? clup_matrix_bond_law(lattice, laws,
                                      drawn_involution(key, laws->matrix->involutions), d, i,
                                      spins[clup_bond_start(laws, i)], spins[neighbour])
               : (bond_law){0};
}

clup_status clup_reference_fk(const lattice_args *lattice, random_key key, const clup_laws *laws,
                              const uint8_t *spins, uint8_t *bonds)
{
    uint64_t sites = clup_lattice_sites(lattice);
    uint32_t axis[VECTOR_NUMBERS_MOST] = {0};
    clup_status status = CLUP_OK;
    if (laws->numbers > 0)
        vector_axis(laws->numbers, key, axis);
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++) {
        for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
            for (uint32_t w = 0; w < lattice->words; w++) {
                uint32_t stream[32];
                unsigned drawn = 0;
                const uint64_t word = whole_word(*lattice, w, row);
                CLUP_TRY(clup_watch_ask_at(row * (uint64_t)lattice->words + w));
                for (unsigned j = 0; j < 32 && 32 * w + j < lattice->nx; j++) {
                    const uint64_t i = 32 * (uint64_t)w + j + (uint64_t)lattice->nx * row;
                    const bond_law law = law_of_bond(lattice, key, laws, axis, spins, d, i);
                    bonds[d * sites + i] = (law.always || law.threshold > 0) &&
                                           draw(key, PURPOSE_BOND + d, word, j, law, stream,
                                                &drawn);
                }
            }
    }
done:
    return status;
}

void clup_reference_draw_sites(const lattice_args *lattice, random_key key, unsigned purpose,
                               bond_law (*law_of)(const void *user, uint64_t i), const void *user,
                               uint8_t *drawn)
{
    for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
        for (uint32_t w = 0; w < lattice->words; w++) {
            uint32_t stream[32];
            unsigned known = 0;
            for (unsigned j = 0; j < 32 && 32 * w + j < lattice->nx; j++) {
                const uint64_t i = 32 * (uint64_t)w + j + (uint64_t)lattice->nx * row;
                drawn[i] = draw(key, purpose, whole_word(*lattice, w, row), j, law_of(user, i),
                                stream, &known);
            }
        }
}

clup_status clup_serial_fk(clup_host *host)
{
    const lattice_args lattice = clup_bonds_of_laws(&host->laws, &host->lattice);
    return clup_reference_fk(&lattice, host->key, &host->laws, host->spins, host->bonds);
}

clup_status clup_serial_bond(clup_host *host)
{
    memset(host->spins, 0, clup_lattice_sites(&host->lattice));
    return clup_serial_fk(host);
}

static bond_law one_law(const void *user, uint64_t i)
{
    (void)i;
    return *(const bond_law *)user;
}

clup_status clup_serial_site(clup_host *host)
{
    const lattice_args bonds = clup_bonds_of_laws(&host->laws, &host->lattice);
    const uint64_t sites = clup_lattice_sites(&host->lattice), starts = clup_lattice_sites(&bonds);
    clup_laws always = host->laws;
    always.of[0] = (bond_law){.always = 1};
    clup_reference_draw_sites(&host->lattice, host->key, PURPOSE_SITE, one_law, host->laws.of,
                              host->spins);
    for (uint64_t i = 0; i < sites; i++)
        host->spins[i] = !host->spins[i] || clup_site_is_vacant(&host->lattice, &always, i); /* else
                                                                                                0 */
    /* bonds between sites of one state; bonds between empty sites are removed below */
    const clup_status status = clup_reference_fk(&bonds, host->key, &always, host->spins,
                                                 host->bonds);
    for (uint64_t k = 0; k < clup_lattice_of(&bonds)->directions * starts; k++)
        host->bonds[k] &= !host->spins[clup_bond_start(&always, k % starts)];
    return status;
}
