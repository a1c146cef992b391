/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of the heat bath: updates one site after the other. */
#include <string.h>

#include "base/watch.h"
#include "core/disorder.h"
#include "core/heat.h"
#include "core/matrix.h"
#include "core/vector.h"
#include "family/family.h"
#include "family/heat.h"
#include "heat/heat_vectors.clh"

/* The weights of the satisfied bonds of a site, and in a field of the site itself, for each
 * state. */
typedef struct site_weights {
    uint32_t of[256];
} site_weights;

/* Adds the bond along d that begins at site i and leads to another, or with back from it, whose
 * spin is given. */
static void add_bond(const clup_host *host, unsigned d, uint64_t i, bool back, uint8_t spin,
                     site_weights *weights)
{
    const clup_laws *laws = &host->laws;
    uint64_t to;
    if (!clup_bond_exists(&host->lattice, laws, d, i, &to))
        return;
    for (unsigned s = 0; laws->matrix != NULL && s < host->q; s++)
        weights->of[s] += clup_matrix_bond_weight(&host->lattice, laws, d, i, back ? spin : s,
                                                  back ? s : spin);
    if (laws->matrix != NULL)
        return;
    weights->of[clup_bond_is_unequal(&host->lattice, laws, d, i) ? 1 - spin : spin] +=
        clup_bond_weight(&host->lattice, laws, d, i);
}

static site_weights weights_of(const clup_host *host, lattice_site here)
{
    const lattice_args *lattice = &host->lattice;
    const clup_lattice *of = clup_lattice_of(lattice);
    const uint64_t i = here.x + (uint64_t)lattice->nx * here.row;
    site_weights weights = {{0}};
    for (unsigned s = 0; host->laws.matrix != NULL && s < host->q; s++)
        weights.of[s] = clup_matrix_site_weight(host->laws.matrix, s);
    if (host->laws.field && host->laws.matrix == NULL) {
        const bond_law *field = &host->laws.of[host->laws.classes];
        weights.of[field->unequal != 0] += field->weight;
    }
    for (unsigned d = 0; d < of->directions; d++) {
        const lattice_offset offset = of->offsets[d],
                             back = {-offset.x, -offset.y, -offset.z, {0, 0}};
        const lattice_site to = forward_site(*lattice, offset, here),
                           from = forward_site(*lattice, back, here);
        const uint64_t after = to.x + (uint64_t)lattice->nx * to.row,
                       before = from.x + (uint64_t)lattice->nx * from.row;
        if (to.x != NOWHERE && to.row != NOWHERE && after != i)
            add_bond(host, d, i, false, host->spins[after], &weights);
        if (from.x != NOWHERE && from.row != NOWHERE && before != i)
            add_bond(host, d, before, true, host->spins[before], &weights);
    }
    return weights;
}

/* Returns the 32-bit number of a site. */
static uint32_t number_of(const clup_host *host, uint32_t checkered, uint32_t round, uint32_t x,
                          uint32_t y, uint32_t z)
{
    const uint32_t colour = heat_colour(host->lattice, checkered, x, y, z);
    const uint64_t index = heat_index(host->lattice, checkered, colour, x / 32, y, z);
    uint32_t number = 0;
    for (uint32_t block = 0; block < HEAT_BLOCKS; block++) {
        const philox_block random = heat_block(host->key, index, round, block);
        for (unsigned k = 0; k < 4; k++)
            number = number << 1 | (random.v[k] >> x % 32 & 1);
    }
    return number;
}

/* Returns the new state of a site: the first at which the sum of the weights of states passes its
 * random share of all weights. */
static uint8_t choose(const clup_host *host, const site_weights *weights, uint32_t number)
{
    uint32_t best = 0;
    uint64_t whole = 0, sum = 0;
    unsigned state = 0;
    for (unsigned s = 0; s < host->q; s++)
        best = weights->of[s] > best ? weights->of[s] : best;
    for (unsigned s = 0; s < host->q; s++)
        whole += heat_weight(host->heat_step, best - weights->of[s]);
    const uint64_t aim = heat_aim(whole, number);
    while ((sum += heat_weight(host->heat_step, best - weights->of[state])) <= aim)
        state++;
    return (uint8_t)state;
}

/* Adds the bond along d that begins at site i, with another site's spin, to a local field. */
static void add_field(const clup_host *host, unsigned d, uint64_t i, uint64_t other, int64_t *field)
{
    const clup_laws *laws = &host->laws;
    uint32_t spin[VECTOR_NUMBERS_MOST];
    uint64_t to;
    if (!clup_bond_exists(&host->lattice, laws, d, i, &to))
        return;
    clup_vector_of_site(host->spins, laws->numbers, other, spin);
    local_field_add(laws->numbers, clup_bond_weight(&host->lattice, laws, d, i),
                    clup_bond_is_unequal(&host->lattice, laws, d, i), spin, field);
}

/* Sets field to the local field of a vector, see local_field_add(). */
static void local_field(const clup_host *host, lattice_site here, int64_t field[3])
{
    const lattice_args *lattice = &host->lattice;
    const clup_lattice *of = clup_lattice_of(lattice);
    const clup_laws *laws = &host->laws;
    const uint64_t i = here.x + (uint64_t)lattice->nx * here.row;
    uint32_t spin[VECTOR_NUMBERS_MOST];
    field[0] = field[1] = field[2] = 0;
    for (unsigned d = 0; d < of->directions; d++) {
        const lattice_offset offset = of->offsets[d],
                             back = {-offset.x, -offset.y, -offset.z, {0, 0}};
        const lattice_site to = forward_site(*lattice, offset, here),
                           from = forward_site(*lattice, back, here);
        const uint64_t after = to.x + (uint64_t)lattice->nx * to.row,
                       before = from.x + (uint64_t)lattice->nx * from.row;
        if (to.x != NOWHERE && to.row != NOWHERE && after != i)
            add_field(host, d, i, after, field);
        if (from.x != NOWHERE && from.row != NOWHERE && before != i)
            add_field(host, d, before, before, field);
    }
    if (laws->field) {
        vector_up(laws->numbers, spin);
        local_field_add(laws->numbers, laws->of[laws->classes].weight,
                        laws->of[laws->classes].unequal != 0, spin, field);
    }
}

/* Updates the vector of a site by the heat bath, or where round is OVERRELAXED by
 * overrelaxation. */
#define OVERRELAXED UINT32_MAX
static void update_vector(clup_host *host, uint32_t round, lattice_site here)
{
    const unsigned numbers = host->laws.numbers;
    const uint64_t i = here.x + (uint64_t)host->lattice.nx * here.row;
    uint32_t spin[VECTOR_NUMBERS_MOST];
    int64_t field[3];
    local_field(host, here, field);
    clup_vector_of_site(host->spins, numbers, i, spin);
    if (round == OVERRELAXED)
        vector_overrelax(numbers, field, spin);
    else
        vector_heat(numbers, host->heat_step, field, host->key, whole_site(host->lattice, i), round,
                    spin);
    memcpy(host->spins + 4 * numbers * i, spin, 4 * numbers);
}

clup_status clup_heat_reference(clup_host *host, uint32_t round)
{
    const lattice_args *lattice = &host->lattice;
    const uint32_t checkered = clup_is_checkered(lattice),
                   colours = heat_colours(*lattice, checkered);
    /* not later, when spins have changed */
    const clup_status status = clup_watch_ask();
    if (status != CLUP_OK)
        return status;
    for (uint32_t colour = 0; colour < colours; colour++)
        for (uint32_t row = 0; row < lattice_rows(*lattice); row++) {
            const uint32_t z = row / lattice->ny, y = row - z * lattice->ny;
            for (uint32_t x = 0; x < lattice->nx; x++) {
                if (heat_colour(*lattice, checkered, x, y, z) != colour)
                    continue;
                if (host->laws.numbers > 0) {
                    update_vector(host, round, (lattice_site){x, row});
                    continue;
                }
                const site_weights weights = weights_of(host, (lattice_site){x, row});
                host->spins[x + (uint64_t)lattice->nx * row] = choose(
                    host, &weights, number_of(host, checkered, round, x, y, z));
            }
        }
    host->updated = clup_lattice_sites(lattice);
    return CLUP_OK;
}

clup_status clup_overrelax_reference(clup_host *host)
{
    return clup_heat_reference(host, OVERRELAXED);
}

clup_status clup_serial_heat_bath(clup_host *host)
{
    return clup_heat_reference(host, 0);
}
