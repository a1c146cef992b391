/* SPDX-License-Identifier: BSD-3-Clause */
/* References of actions. */
#include <string.h>

#include "core/matrix.h"
#include "core/method.h"
#include "core/source.h"
#include "core/vector.h"
#include "family/family.h"

/* What a sweep draws of its own: the number of its involution, with a matrix of energies; or the
 * axis of its mirror, of vectors. */
typedef struct sweep_draw {
    const clup_host *host;
    unsigned involution;
    uint32_t axis[VECTOR_NUMBERS_MOST];
} sweep_draw;

static sweep_draw draw_of(const clup_host *host)
{
    const clup_matrix *matrix = host->laws.matrix;
    sweep_draw sweep = {.host = host};
    if (matrix != NULL)
        sweep.involution = drawn_involution(host->key, matrix->involutions);
    if (host->laws.numbers > 0)
        vector_axis(host->laws.numbers, host->key, sweep.axis);
    return sweep;
}

/* Returns the law by which the field ties site i. */
static bond_law tie_of(const void *user, uint64_t i)
{
    const sweep_draw *sweep = user;
    const clup_laws *laws = &sweep->host->laws;
    const uint8_t *spins = sweep->host->spins;
    const bond_law field = laws->of[laws->classes];
    if (laws->numbers > 0)
        return clup_vector_site_law(laws, sweep->axis, spins, i);
    if (laws->matrix != NULL)
        return clup_matrix_site_law(laws, sweep->involution, spins[i]);
    return spins[i] == (field.unequal != 0) ? field : (bond_law){0};
}

void clup_reference_ties(const clup_host *host, uint8_t *tied)
{
    const sweep_draw sweep = draw_of(host);
    clup_reference_draw_sites(&host->lattice, host->key, PURPOSE_TIE, tie_of, &sweep, tied);
}

/* In a field, takes back the decision of each cluster that has a tied site. The bonds of the sweep
 * are no longer needed. */
static void tie_clusters(clup_host *host)
{
    uint8_t *tied = host->bonds;
    if (!host->laws.field)
        return;
    clup_reference_ties(host, tied);
    for (uint64_t i = 0; i < clup_lattice_sites(&host->lattice); i++)
        if (tied[i])
            host->sizes[host->labels[i]] = 0;
}

/* Gives a site the spin that follows from the decision of its cluster. */
static void decide_site(clup_host *host, const sweep_draw *sweep, uint64_t i, uint32_t decision)
{
    const unsigned numbers = host->laws.numbers;
    uint8_t *spin = host->spins + i;
    uint32_t vector[VECTOR_NUMBERS_MOST];
    if (numbers > 0 && decision) {
        clup_vector_of_site(host->spins, numbers, i, vector);
        vector_reflect(numbers, sweep->axis, vector);
        memcpy(host->spins + 4 * numbers * i, vector, 4 * numbers);
    } else if (host->laws.matrix != NULL && decision)
        *spin = (uint8_t)clup_matrix_image(host->laws.matrix, sweep->involution, *spin);
    else if (numbers == 0 && host->laws.matrix == NULL)
        *spin = (uint8_t)((host->flips ? *spin : 0) ^ decision);
}

/* Gives each cluster a new spin; or flips it, or the involution of the sweep, where no site of it
 * is tied. */
clup_status clup_serial_flip(clup_host *host)
{
    const uint64_t sites = clup_lattice_sites(&host->lattice);
    const unsigned decisions = host->laws.matrix != NULL || host->laws.numbers > 0 ? 2 : host->q,
                   field = clup_spin_field(decisions);
    const sweep_draw sweep = draw_of(host);
    for (uint64_t i = 0; i < sites; i++)
        if (host->labels[i] == i)
            host->sizes[i] = random_spin(host->key, PURPOSE_CLUSTER, whole_site(host->lattice, i),
                                         decisions, field);
    tie_clusters(host);
    for (uint64_t i = 0; i < sites; i++)
        decide_site(host, &sweep, i, host->sizes[host->labels[i]]);
    host->updated = sites;
    return CLUP_OK;
}

/* Notes the shift of a cluster in sizes: at its root 1 + the shift; 0 at roots of clusters without
 * a seed. Seeds come in the order of their numbers, and the first seed of a cluster decides. */
static void decide(clup_host *host, uint32_t seed_site, uint32_t shift)
{
    uint32_t *decided = &host->sizes[host->labels[seed_site]];
    if (*decided == 0)
        *decided = 1 + shift;
}

static void forget(clup_host *host)
{
    memset(host->sizes, 0, clup_lattice_sites(&host->lattice) * sizeof *host->sizes);
}

static void shift_decided(clup_host *host)
{
    const uint64_t sites = clup_lattice_sites(&host->lattice);
    host->updated = 0;
    for (uint64_t i = 0; i < sites; i++) {
        const uint32_t decided = host->sizes[host->labels[i]];
        if (decided <= 1)
            continue;
        host->spins[i] = (uint8_t)((host->spins[i] + decided - 1) % host->q);
        host->updated++;
    }
}

/* Takes the involution of the sweep in the cluster of the chosen site, where no site of it is
 * tied. */
static void turn_one(clup_host *host, uint32_t chosen)
{
    const sweep_draw sweep = draw_of(host);
    forget(host);
    host->sizes[host->labels[chosen]] = 1;
    tie_clusters(host);
    host->updated = 0;
    for (uint64_t i = 0; i < clup_lattice_sites(&host->lattice); i++) {
        const uint32_t decision = host->sizes[host->labels[i]];
        decide_site(host, &sweep, i, decision);
        host->updated += decision;
    }
}

clup_status clup_serial_flip_one(clup_host *host)
{
    const clup_wolff_choice choice = clup_wolff_choose(&host->lattice, host->key, host->q);
    if (host->laws.field || host->laws.matrix != NULL || host->laws.numbers > 0) {
        turn_one(host, choice.site);
        return CLUP_OK;
    }
    forget(host);
    decide(host, choice.site, choice.shift);
    shift_decided(host);
    return CLUP_OK;
}

clup_status clup_serial_few_cluster(clup_host *host)
{
    const lattice_args *lattice = &host->lattice;
    const uint32_t side = host->method.seeds_per_side,
                   flip_below = clup_flip_below(host->method.p_flip);
    forget(host);
    for (uint32_t k = 0; k < side * side; k++) {
        const philox_block seed = random_seed(host->key, k);
        decide(host, seed_site_in_part(seed, k, side, lattice->nx, lattice->ny),
               seed_decision(seed, flip_below, host->q));
    }
    shift_decided(host);
    return CLUP_OK;
}
