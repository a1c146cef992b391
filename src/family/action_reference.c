/* SPDX-License-Identifier: BSD-3-Clause */
/* References of actions. */
#include <string.h>

#include "core/matrix.h"
#include "core/method.h"
#include "core/source.h"
#include "family/family.h"

static unsigned involution_of(const clup_host *host)
{
    const clup_matrix *matrix = host->laws.matrix;
    return matrix != NULL ? drawn_involution(host->key, matrix->involutions) : 0;
}

/* Takes back the decision of each cluster that has a tied site. The bonds of the sweep are no
 * longer needed. */
static void tie_clusters(clup_host *host)
{
    const clup_laws *laws = &host->laws;
    const bond_law field = laws->of[laws->classes];
    bond_law law_of[CLUP_MATRIX_STATES] = {{0}};
    uint8_t *tied = host->bonds;
    for (unsigned s = 0; s < host->q; s++)
        if (laws->matrix != NULL)
            law_of[s] = clup_matrix_site_law(laws, involution_of(host), s);
        else if (s == (field.unequal != 0))
            law_of[s] = field;
    clup_reference_draw_sites(&host->lattice, host->key, PURPOSE_TIE, law_of, host->spins, tied);
    for (uint64_t i = 0; i < clup_lattice_sites(&host->lattice); i++)
        if (tied[i])
            host->sizes[host->labels[i]] = 0;
}

/* Returns the spin that follows from the decision of its cluster. */
static uint8_t spin_after(const clup_host *host, unsigned involution, uint8_t spin,
                          uint32_t decision)
{
    if (host->laws.matrix != NULL)
        return decision ? (uint8_t)clup_matrix_image(host->laws.matrix, involution, spin) : spin;
    return (uint8_t)((host->flips ? spin : 0) ^ decision);
}

/* Gives each cluster a new spin; or flips it, or the involution of the sweep, where no site of it
 * is tied. */
clup_status clup_serial_flip(clup_host *host)
{
    const uint64_t sites = clup_lattice_sites(&host->lattice);
    const unsigned decisions = host->laws.matrix != NULL ? 2 : host->q,
                   field = clup_spin_field(decisions), involution = involution_of(host);
    for (uint64_t i = 0; i < sites; i++)
        if (host->labels[i] == i)
            host->sizes[i] = random_spin(host->key, PURPOSE_CLUSTER, whole_site(host->lattice, i),
                                         decisions, field);
    if (host->laws.field)
        tie_clusters(host);
    for (uint64_t i = 0; i < sites; i++)
        host->spins[i] = spin_after(host, involution, host->spins[i], host->sizes[host->labels[i]]);
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

clup_status clup_serial_flip_one(clup_host *host)
{
    const clup_wolff_choice choice = clup_wolff_choose(&host->lattice, host->key, host->q);
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
